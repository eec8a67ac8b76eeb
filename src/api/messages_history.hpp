// SPDX-License-Identifier: MIT
//
// From the content blocks of Anthropic's messages to a chat's messages. Throws Problem.
#pragma once

#include "api/chat_history.hpp"

namespace hlg::api {

/** `system`, a string or text blocks, and `messages`, an array that is not empty. Images and documents are refused. */
[[nodiscard]] ChatHistory read_blocks(const Node& system, const Node& messages);

}  // namespace hlg::api
