// SPDX-License-Identifier: MIT
//
// What a client sends, as llama-common takes it.
#pragma once

#include <string>

#include "engine/chat.hpp"
#include "engine/result.hpp"

namespace hlg::engine {

/** The messages without null members, which llama-common trips over; content that is null or left out beside tool calls is empty,
   and refusals are text. Checks the bounds and what llama-common would read without looking. */
Result<std::string> clean_messages(const std::string& messages);

/** The tools without null members, or only the one that the choice names; empty if there are none. Checks every schema. */
Result<std::string> clean_tools(const ChatRequest& request);

/** The schema of the answer; that of any object for {}. Empty if there is none. */
Result<std::string> clean_schema(const std::string& schema);

}  // namespace hlg::engine
