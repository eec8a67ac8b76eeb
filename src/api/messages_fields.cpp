// SPDX-License-Identifier: MIT
#include "api/messages_fields.hpp"

#include <limits>

#include <nlohmann/json.hpp>

#include "api/chat_fields.hpp"
#include "api/function_tools.hpp"
#include "api/messages_history.hpp"

namespace hlg::api {
namespace {

FunctionTools read_tools(const Node& tools) {
    FunctionTools read;
    for (const Node& tool : tools.items()) {
        if (!tool.is_object()) tool.refuse("must be an object");
        const Node type = tool.at("type");
        if (!type.absent() && type.json() != "custom")
            type.refuse("must be \"custom\": tools that the server or the model brings are not here");
        if (tool.at("input_schema").absent()) tool.at("input_schema").miss();
        read.add(tool, "input_schema");
    }
    return read;
}

engine::ToolChoice read_choice(const Node& choice) {
    using Kind = engine::ToolChoice::Kind;
    if (choice.absent()) return {};
    if (choice.at("type").absent()) choice.at("type").miss();
    const std::string type = *choice.at("type").word({"auto", "any", "tool", "none"});
    if (type == "auto") return {};
    if (type == "any") return {Kind::required, {}};
    if (type == "none") return {Kind::none, {}};
    if (choice.at("name").absent()) choice.at("name").miss();
    return {Kind::function, *choice.at("name").text()};
}

void read_thinking(const Node& thinking, MessagesFields& fields) {
    fields.request.thinking = false;
    if (thinking.absent()) return;
    const Node type = thinking.at("type");
    if (type.absent()) type.miss();
    fields.request.thinking = type.word({"enabled", "disabled", "adaptive"}) != "disabled";
    const Node budget = thinking.at("budget_tokens");
    if (budget.absent()) return;
    (void)budget.integer(1, std::numeric_limits<std::int64_t>::max(), "1 or more");
    if (*fields.request.thinking) fields.ignored.emplace_back("thinking.budget_tokens");
}

/** output_format is the name that it had first. */
const char* format_field(const Node& body) {
    return body.at("output_config").object().at("format").absent() ? "output_format" : "output_config.format";
}

/** A text that is continued is no call. */
void check_call_follows(const engine::ChatRequest& request) {
    using Kind = engine::ToolChoice::Kind;
    const Kind kind = request.tool_choice.kind;
    if (request.continue_final_message && (kind == Kind::required || kind == Kind::function))
        throw bad_field("tool_choice", "can't ask for a call where the last message is the beginning of the assistant's answer");
}

/** The schema of the answer. */
std::string read_format(const Node& body, std::set<std::string>& lost) {
    const Node newer = body.at("output_config").object().at("format");
    const Node format = newer.absent() ? body.at("output_format") : newer;
    if (format.object().absent()) return {};
    if (format.at("type").absent()) format.at("type").miss();
    (void)format.at("type").word({"json_schema"});
    if (format.at("schema").absent()) format.at("schema").miss();
    return schema_text(format.at("schema"), lost);
}

}  // namespace

MessagesFields read_messages_fields(const Node& body) {
    MessagesFields fields;
    engine::ChatRequest& request = fields.request;
    const ChatHistory history = read_blocks(body.at("system"), body.at("messages"));
    request.messages = history.text();
    request.continue_final_message = history.ends_in_answer();
    FunctionTools tools = read_tools(body.at("tools"));
    request.tools = tools.text();
    const Node choice = body.at("tool_choice").object();
    request.tool_choice = read_choice(choice);
    check_tool_choice(request.tool_choice, tools.names(), choice);
    if (choice.at("disable_parallel_tool_use").boolean().value_or(false)) request.parallel_tool_calls = false;
    read_thinking(body.at("thinking").object(), fields);
    request.json_schema = read_format(body, tools.lost());
    fields.constraint = constraint_of(request, format_field(body));
    check_call_follows(request);
    fields.schema_ignored.assign(tools.lost().begin(), tools.lost().end());
    return fields;
}

}  // namespace hlg::api
