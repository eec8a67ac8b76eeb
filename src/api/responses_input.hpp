// SPDX-License-Identifier: MIT
//
// From the items of OpenAI's responses to a chat's messages. Throws Problem.
#pragma once

#include "api/chat_history.hpp"

namespace hlg::api {

/** `instructions` and `input`: a string, or an array of messages, function calls, their outputs and reasoning. Images, files and
    what hosted tools leave behind are refused. */
[[nodiscard]] ChatHistory read_items(const Node& instructions, const Node& input);

}  // namespace hlg::api
