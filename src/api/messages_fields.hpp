// SPDX-License-Identifier: MIT
//
// The fields of Anthropic's messages that make the prompt and the answer's form; counting tokens reads the same. Throws Problem.
#pragma once

#include <string>
#include <vector>

#include "api/json_reader.hpp"
#include "engine/chat.hpp"

namespace hlg::api {

struct MessagesFields {
    engine::ChatRequest request;
    std::vector<std::string> ignored = {};         ///< what the request sets and has no effect
    std::vector<std::string> schema_ignored = {};  ///< keywords of its schemas that are not enforced
    std::string constraint = {};                   ///< the field that the answer's grammar comes from; "" for none
};

/**
 * system, messages, tools, tool_choice, thinking and output_config of a body. A last message of the assistant is continued.
 * Thinking is off unless the request asks for it, as with Anthropic.
 */
[[nodiscard]] MessagesFields read_messages_fields(const Node& body);

}  // namespace hlg::api
