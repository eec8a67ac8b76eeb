// SPDX-License-Identifier: MIT
//
// From a chat completion's messages, tools and formats to what the engine's chat templates take. Throws Problem.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "api/json_reader.hpp"
#include "engine/chat.hpp"

namespace hlg::api {

/** Messages, an array that is not empty: developer becomes system, function tool, null content "" where it may. */
[[nodiscard]] std::string read_messages(const Node& messages);

/** Whether a member can be text, and nothing else: a string, or an array of parts of type text. Images and the like are refused.
    `text_types` are the types of parts that count as text, first the one that refusals name. Gives back an array of plain text
   parts, or the string. */
[[nodiscard]] Json read_content(const Node& content, std::initializer_list<std::string_view> text_types);

/** The arguments of a call that was made, as text: JSON, or nothing. Templates that take them apart can't do with less. */
void check_arguments(const Node& arguments);

/** A schema that the answer must keep to, as text; adds to `lost` what of it is not enforced. */
[[nodiscard]] std::string schema_text(const Node& schema, std::set<std::string>& lost);

/** response_format, or json_schema alone: the schema that the answer must keep to; "" for none. */
[[nodiscard]] std::string read_response_format(const Node& body, std::set<std::string>& lost);

/** Which of the two that schema comes from. */
[[nodiscard]] const char* schema_field(const Node& body);

/** The field that the answer's grammar comes from, "" for none; `schema` is the schema's. Throws for two of them. */
[[nodiscard]] std::string constraint_of(const engine::ChatRequest& request, const char* schema);

/** Checks name, description, strict and the schema of a function, which vendors call `parameters` differently. Adds its name,
   that no other has, to `names`, and to `lost` what of the schema is not enforced; a strict one must not lose structure. */
void check_function(const Node& function, std::string_view parameters, std::vector<std::string>& names,
                    std::set<std::string>& lost);

/** tool_choice: "auto", "none", "required", or {"type": "function", "function": {"name"}}. */
[[nodiscard]] engine::ToolChoice read_tool_choice(const Node& choice);

/** Refuses a choice of tools that are not there. `names` are those that there are. */
void check_tool_choice(const engine::ToolChoice& choice, const std::vector<std::string>& names, const Node& field);

struct ChatFields {
    engine::ChatRequest request;
    std::vector<std::string> schema_ignored = {};  ///< keywords of its schemas that are not enforced
    std::string constraint = {};                   ///< the field that the answer's grammar comes from; "" for none
};

/** Everything of a chat completion's body that makes its prompt and its answer's form. */
[[nodiscard]] ChatFields read_chat(const Node& body);

}  // namespace hlg::api
