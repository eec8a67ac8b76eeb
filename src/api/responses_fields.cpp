// SPDX-License-Identifier: MIT
#include "api/responses_fields.hpp"

#include "api/chat_fields.hpp"
#include "api/function_tools.hpp"
#include "api/responses_input.hpp"
#include "api/sampling_fields.hpp"

namespace hlg::api {
namespace {

void refuse_stored(const Node& body) {
    for (const char* name : {"previous_response_id", "conversation", "prompt"}) {
        if (!body.at(name).absent())
            throw bad_field(name, "is not supported, for nothing is stored here: send the whole conversation as input");
    }
    if (body.at("background").boolean().value_or(false)) throw bad_field("background", "must be false: nothing is stored here");
}

FunctionTools read_tools(const Node& tools) {
    FunctionTools read;
    for (const Node& tool : tools.items()) {
        if (!tool.is_object()) tool.refuse("must be an object");
        const Node type = tool.at("type");
        if (type.absent()) type.miss();
        if (type.json() != "function") type.refuse("must be \"function\": tools that a server runs are not here");
        read.add(tool, "parameters");
    }
    return read;
}

engine::ToolChoice read_choice(const Node& choice) {
    if (!choice.is_object()) return read_tool_choice(choice);
    if (choice.at("type").absent()) choice.at("type").miss();
    (void)choice.at("type").word({"function"});
    if (choice.at("name").absent()) choice.at("name").miss();
    return {engine::ToolChoice::Kind::function, *choice.at("name").text()};
}

/** text.format: the schema that the answer must keep to; "" for none. */
std::string read_format(const Node& format, std::set<std::string>& lost) {
    if (format.object().absent()) return {};
    if (format.at("type").absent()) format.at("type").miss();
    const std::string type = *format.at("type").word({"text", "json_object", "json_schema"});
    if (type == "text") return {};
    if (type == "json_object") return "{}";
    if (format.at("schema").absent()) format.at("schema").miss();
    return schema_text(format.at("schema"), lost);
}

std::optional<std::size_t> read_log_probabilities(const Node& body) {
    constexpr std::int64_t most_rivals = 20;
    bool wanted = false;
    for (const Node& one : body.at("include").items())
        if (one.text() == "message.output_text.logprobs") wanted = true;
    const auto rivals = body.at("top_logprobs").integer(0, most_rivals).value_or(0);
    if (rivals > 0 && !wanted) throw bad_field("top_logprobs", "must come with \"message.output_text.logprobs\" in include");
    return wanted ? std::optional(static_cast<std::size_t>(rivals)) : std::nullopt;
}

Json or_else(const Node& node, const Json& otherwise) { return node.absent() ? otherwise : node.json(); }

Json tools_told(const Node& tools) {
    Json all = Json::array();
    for (const Node& tool : tools.items())
        all.push_back({{"type", "function"},
                       {"name", tool.at("name").json()},
                       {"description", tool.at("description").json()},
                       {"parameters", tool.at("parameters").json()},
                       {"strict", or_else(tool.at("strict"), false)}});
    return all;
}

/** What of the request the reply repeats, with OpenAI's defaults. Its types have been checked. */
Json told(const Node& body) {
    const Node reasoning = body.at("reasoning");
    const Node text = body.at("text");
    const auto limit = read_limit(body.at("max_output_tokens"), 1);
    Json members{
        {"background", false},
        {"instructions", body.at("instructions").json()},
        {"max_output_tokens", limit ? Json(*limit) : Json()},
        {"max_tool_calls", nullptr},
        {"metadata", or_else(body.at("metadata").object(), Json::object())},
        {"parallel_tool_calls", or_else(body.at("parallel_tool_calls"), true)},
        {"previous_response_id", nullptr},
        {"reasoning", {{"effort", reasoning.at("effort").json()}, {"summary", nullptr}}},
        {"service_tier", "default"},
        {"store", false},
        {"text",
         {{"format", or_else(text.at("format"), {{"type", "text"}})}, {"verbosity", or_else(text.at("verbosity"), "medium")}}},
        {"tool_choice", or_else(body.at("tool_choice"), "auto")},
        {"tools", tools_told(body.at("tools"))},
        {"top_logprobs", or_else(body.at("top_logprobs"), 0)},
        {"truncation", or_else(body.at("truncation"), "disabled")}};
    for (const char* name : {"user", "safety_identifier", "prompt_cache_key"})
        if (const auto given = body.at(name).text()) members[name] = *given;
    return members;
}

void read_answer(const Node& body, engine::ChatRequest& request, std::set<std::string>& lost) {
    const Node text = body.at("text").object();
    request.json_schema = read_format(text.at("format"), lost);
    (void)text.at("verbosity").text();
    request.grammar = body.at("grammar").text().value_or("");
    // As with chat completions: an effort is nothing that a template could be told, but for none.
    if (body.at("reasoning").object().at("effort").text() == "none") request.thinking = false;
}

}  // namespace

ResponsesFields read_responses_fields(const Node& body) {
    refuse_stored(body);
    ResponsesFields fields;
    engine::ChatRequest& request = fields.request;
    request.messages = read_items(body.at("instructions"), body.at("input")).text();
    FunctionTools tools = read_tools(body.at("tools"));
    request.tools = tools.text();
    request.tool_choice = read_choice(body.at("tool_choice"));
    check_tool_choice(request.tool_choice, tools.names(), body.at("tool_choice"));
    request.parallel_tool_calls = body.at("parallel_tool_calls").boolean();
    read_answer(body, request, tools.lost());
    fields.constraint = constraint_of(request, "text.format");
    fields.log_probabilities = read_log_probabilities(body);
    if (body.at("truncation").word({"auto", "disabled"}) == "auto") fields.ignored.emplace_back("truncation");
    fields.schema_ignored.assign(tools.lost().begin(), tools.lost().end());
    fields.told = told(body);
    return fields;
}

}  // namespace hlg::api
