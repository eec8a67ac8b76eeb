// SPDX-License-Identifier: MIT
#include "api/chat_fields.hpp"

#include <algorithm>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "api/schema_keywords.hpp"
#include "api/write_json.hpp"

namespace hlg::api {
namespace {

Json read_role(const Node& role) {
    if (role.absent()) role.miss();
    const auto name = role.word({"system", "user", "assistant", "tool", "developer", "function"});
    if (*name == "developer") return "system";
    if (*name == "function") return "tool";
    return *name;
}

/** A call that the assistant made, with its arguments as text. */
Json read_call(const Node& call) {
    if (!call.is_object()) call.refuse("must be an object");
    (void)call.at("type").word({"function"});
    const Node function = call.at("function").object();
    if (function.absent()) function.miss();
    const auto name = function.at("name").text();
    if (!name) function.at("name").miss();
    const Node arguments = function.at("arguments");
    if (!arguments.absent() && !arguments.is_object()) check_arguments(arguments);
    Json read{{"type", "function"}, {"function", {{"name", *name}}}};
    if (!arguments.absent())
        read["function"]["arguments"] = arguments.is_object() ? Json(to_text(arguments.json())) : arguments.json();
    if (const auto id = call.at("id").text()) read["id"] = *id;
    return read;
}

void read_calls(const Node& from, Json& message) {
    Json calls = Json::array();
    for (const Node& call : from.at("tool_calls").items()) calls.push_back(read_call(call));
    if (const Node old = from.at("function_call").object(); !old.absent()) {
        const Json wrapped{{"function", old.json()}};
        calls.push_back(read_call(Node(wrapped, from.path())));
    }
    if (!calls.empty()) message["tool_calls"] = std::move(calls);
}

Json read_message(const Node& from) {
    if (!from.is_object()) from.refuse("must be an object");
    Json message{{"role", read_role(from.at("role"))}};
    const bool assistant = message["role"] == "assistant";
    const Node content = from.at("content");
    if (!content.absent())
        message["content"] = read_content(content, {"text", "refusal"});
    else if (assistant)
        message["content"] = from.at("refusal").text().value_or("");
    else
        content.miss();
    if (assistant) {
        read_calls(from, message);
        const Node reasoning = from.at("reasoning_content").absent() ? from.at("reasoning") : from.at("reasoning_content");
        if (const auto text = reasoning.text()) message["reasoning_content"] = *text;
    }
    for (const char* name : {"name", "tool_call_id"})
        if (const auto text = from.at(name).text()) message[name] = *text;
    return message;
}

/** Tools as the template takes them; their names, and what of their schemas is not enforced. */
Json read_tools(const Node& tools, std::vector<std::string>& names, std::set<std::string>& lost) {
    Json read = Json::array();
    for (const Node& tool : tools.items()) {
        if (!tool.is_object()) tool.refuse("must be an object");
        if (tool.at("type").absent()) tool.at("type").miss();
        (void)tool.at("type").word({"function"});
        const Node function = tool.at("function").object();
        if (function.absent()) function.miss();
        check_function(function, "parameters", names, lost);
        read.push_back(tool.json());
    }
    return read;
}

/** continue_final_message goes on with a text of the assistant's. */
void check_continuation(const Node& body) {
    const Node last = body.at("messages").items().back();
    if (last.at("role").json() != "assistant")
        throw bad_field("continue_final_message", "must come with a last message of the assistant");
    if (!last.at("tool_calls").items().empty() || !last.at("function_call").absent())
        throw bad_field("continue_final_message", "must come with a last message that calls no tools");
}

void read_reasoning(const Node& body, engine::ChatRequest& request) {
    // Efforts are nothing that a template could be told in general, but none is: do not.
    if (body.at("reasoning_effort").text() == "none") request.thinking = false;
    if (body.at("reasoning_format").text() == "none") request.extract_reasoning = false;
    const Node arguments = body.at("chat_template_kwargs").object();
    if (!arguments.absent()) request.template_arguments = to_text(arguments.json());
}

}  // namespace

Json read_content(const Node& content, std::initializer_list<std::string_view> text_types) {
    if (content.is_string()) return content.json();
    if (!content.is_array()) content.refuse("must be a string or an array of parts");
    Json parts = Json::array();
    for (const Node& part : content.items()) {
        if (!part.is_object()) part.refuse("must be an object");
        const Node type = part.at("type");
        if (type.absent()) type.miss();
        const auto found =
            std::find_if(text_types.begin(), text_types.end(), [&](std::string_view one) { return type.json() == one; });
        if (found == text_types.end())
            type.refuse(fmt::format("must be \"{}\": images, audio and files can't be read", *text_types.begin()));
        const Node text = part.at(*found == "refusal" ? "refusal" : "text");
        if (text.absent()) text.miss();
        parts.push_back({{"type", "text"}, {"text", *text.text()}});
    }
    return parts;
}

void check_arguments(const Node& arguments) {
    const auto text = arguments.text();
    if (text && !text->empty() && !Json::accept(*text)) arguments.refuse("must be JSON");
}

std::string read_messages(const Node& messages) {
    if (messages.absent()) messages.miss();
    Json all = Json::array();
    for (const Node& message : messages.items()) all.push_back(read_message(message));
    if (all.empty()) throw bad_field(messages.path(), "must have at least one message");
    return to_text(all);
}

std::string schema_text(const Node& schema, std::set<std::string>& lost) {
    if (!schema.is_object()) schema.refuse("must be an object");
    const auto keywords = unenforced_keywords(schema);
    lost.insert(keywords.begin(), keywords.end());
    return to_text(schema.json());
}

std::string read_response_format(const Node& body, std::set<std::string>& lost) {
    const Node format = body.at("response_format").object();
    const Node bare = body.at("json_schema");  // llama-server's
    if (format.absent()) return bare.absent() ? std::string() : schema_text(bare, lost);
    const Node type = format.at("type");
    if (type.absent()) type.miss();
    const auto kind = *type.word({"text", "json_object", "json_schema"});
    if (kind == "text") return bare.absent() ? std::string() : schema_text(bare, lost);
    if (kind == "json_object") {
        const Node schema = format.at("schema");  // llama-server's
        return schema.absent() ? std::string("{}") : schema_text(schema, lost);
    }
    const Node described = format.at("json_schema").object();
    if (described.absent()) described.miss();
    if (described.at("schema").absent()) described.at("schema").miss();
    return schema_text(described.at("schema"), lost);
}

const char* schema_field(const Node& body) {
    const Node type = body.at("response_format").at("type");
    return type.absent() || type.json() == "text" ? "json_schema" : "response_format";
}

std::string constraint_of(const engine::ChatRequest& request, const char* schema) {
    const bool tools = !request.tools.empty() && request.tool_choice.kind != engine::ToolChoice::Kind::none;
    if (request.grammar.empty()) return !request.json_schema.empty() ? schema : tools ? "tools" : "";
    if (!request.json_schema.empty()) throw bad_field("grammar", fmt::format("can't be used together with {}", schema));
    if (tools) throw bad_field("grammar", "can't be used together with tools");
    return "grammar";
}

void check_function(const Node& function, std::string_view parameters, std::vector<std::string>& names,
                    std::set<std::string>& lost) {
    const auto name = function.at("name").text();
    if (!name || name->empty()) function.at("name").miss();
    if (std::find(names.begin(), names.end(), *name) != names.end())
        function.at("name").refuse("must be a name that no tool before has");
    names.push_back(*name);
    (void)function.at("description").text();
    const Node schema = function.at(parameters).object();
    const bool strict = function.at("strict").boolean().value_or(false);
    const auto keywords = strict ? unenforced_keywords(schema) : lost_keywords(schema);
    lost.insert(keywords.begin(), keywords.end());
}

engine::ToolChoice read_tool_choice(const Node& choice) {
    using Kind = engine::ToolChoice::Kind;
    if (choice.absent()) return {};
    if (choice.is_string()) {
        const auto word = choice.word({"auto", "none", "required"});
        return {*word == "auto" ? Kind::automatic : *word == "none" ? Kind::none : Kind::required, {}};
    }
    if (!choice.is_object()) choice.refuse("must be \"auto\", \"none\", \"required\" or an object that names a function");
    if (choice.at("type").absent()) choice.at("type").miss();
    (void)choice.at("type").word({"function"});
    const Node name = choice.at("function").object().at("name");
    if (name.absent()) name.miss();
    return {Kind::function, *name.text()};
}

void check_tool_choice(const engine::ToolChoice& choice, const std::vector<std::string>& names, const Node& field) {
    using Kind = engine::ToolChoice::Kind;
    if (choice.kind == Kind::required && names.empty()) throw bad_field(field.path(), "asks for a call, and there are no tools");
    if (choice.kind != Kind::function) return;
    if (std::find(names.begin(), names.end(), choice.function) != names.end()) return;
    throw bad_field(field.path(), "names a function that is not among the tools: " + Json(shown(choice.function)).dump());
}

ChatFields read_chat(const Node& body) {
    if (!body.at("functions").items().empty()) throw bad_field("functions", "is not supported, tools are");
    ChatFields chat;
    engine::ChatRequest& request = chat.request;
    std::set<std::string> lost;
    request.messages = read_messages(body.at("messages"));
    std::vector<std::string> names;
    const Json tools = read_tools(body.at("tools"), names, lost);
    if (!tools.empty()) request.tools = to_text(tools);
    request.tool_choice = read_tool_choice(body.at("tool_choice"));
    check_tool_choice(request.tool_choice, names, body.at("tool_choice"));
    request.parallel_tool_calls = body.at("parallel_tool_calls").boolean();
    request.json_schema = read_response_format(body, lost);
    request.grammar = body.at("grammar").text().value_or("");
    read_reasoning(body, request);
    request.add_generation_prompt = body.at("add_generation_prompt").boolean().value_or(true);
    request.continue_final_message = body.at("continue_final_message").boolean().value_or(false);
    if (request.continue_final_message) check_continuation(body);
    chat.constraint = constraint_of(request, schema_field(body));
    chat.schema_ignored.assign(lost.begin(), lost.end());
    return chat;
}

}  // namespace hlg::api
