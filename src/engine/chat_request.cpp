// SPDX-License-Identifier: MIT
#include "engine/chat_request.hpp"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "engine/converter_schema.hpp"
#include "engine/grammar_schema.hpp"
#include "engine/json_limits.hpp"

namespace hlg::engine {
namespace {

using Json = nlohmann::ordered_json;

Error bad(const std::string& what) { return {ErrorCode::bad_request, what}; }

void drop_nulls(Json& object) {
    if (!object.is_object()) return;
    for (auto member = object.begin(); member != object.end();) {
        member = member->is_null() ? object.erase(member) : std::next(member);
    }
}

/** An array of objects. */
Result<Json> read_array(const std::string& text, const std::string& name, std::size_t max_bytes) {
    if (Failure failure = check_json(text, name, max_bytes)) return *failure;
    Json json = Json::parse(text, nullptr, false);
    if (json.is_discarded()) return bad(name + " is not JSON");
    if (!json.is_array()) return bad(name + " is not an array");
    for (std::size_t i = 0; i < json.size(); ++i) {
        if (!json[i].is_object()) return bad(name + "[" + std::to_string(i) + "] is not an object");
    }
    return json;
}

Failure clean_part(Json& part, const std::string& name) {
    if (!part.is_object()) return bad(name + " has a content part that is not an object");
    drop_nulls(part);
    if (part.value("type", Json()) == "refusal" && part.contains("refusal")) part = {{"type", "text"}, {"text", part["refusal"]}};
    const Json type = part.value("type", Json());
    if (type != "text")
        return bad(name + " has a content part of type " + type.dump().substr(0, 64) + "; only text is supported");
    if (!part.contains("text") || !part["text"].is_string()) return bad(name + " has a text part without a text");
    return std::nullopt;
}

Failure clean_call(Json& call, const std::string& name) {
    if (!call.is_object()) return bad(name + " has a tool call that is not an object");
    drop_nulls(call);
    if (!call.contains("type")) call["type"] = "function";
    if (!call.contains("function") || !call["function"].is_object()) return bad(name + " has a tool call without a function");
    Json& function = call["function"];
    drop_nulls(function);
    if (!function.contains("name") || !function["name"].is_string())
        return bad(name + " has a tool call without a function's name");
    Json& arguments = function["arguments"];
    if (arguments.is_null() || (arguments.is_string() && arguments.get_ref<const std::string&>().empty())) arguments = "{}";
    return arguments.is_string() ? check_embedded_json(arguments.get_ref<const std::string&>(), name + "'s tool call arguments")
                                 : std::nullopt;
}

/** Members that llama-common takes for strings without looking. */
Failure check_strings(const Json& message, const std::string& name) {
    for (const char* member : {"role", "name", "tool_call_id", "reasoning_content"}) {
        if (message.contains(member) && !message[member].is_string()) return bad(name + "." + member + " is not a string");
    }
    if (!message.contains("role")) return bad(name + " has no role");
    return std::nullopt;
}

Failure clean_message(Json& message, const std::string& name) {
    drop_nulls(message);
    if (Failure failure = check_strings(message, name)) return failure;
    const bool assistant = message["role"] == "assistant";
    if (message.contains("tool_calls")) {
        if (!message["tool_calls"].is_array()) return bad(name + ".tool_calls is not an array");
        if (message["tool_calls"].empty()) message.erase("tool_calls");
    }
    if (!message.contains("content")) {
        if (!assistant) return bad(name + " has no content");
        message["content"] = message.value("refusal", Json("")).is_string() ? message.value("refusal", "") : "";
    }
    Json& content = message["content"];
    if (content.is_array()) {
        for (Json& part : content) {
            if (Failure failure = clean_part(part, name)) return failure;
        }
    } else if (!content.is_string()) {
        return bad(name + ".content is neither a string nor an array of parts");
    } else if (message["role"] == "tool") {  // some formats read it as JSON
        if (Failure failure = check_embedded_json(content.get_ref<const std::string&>(), name + ".content")) return failure;
    }
    if (!message.contains("tool_calls")) return std::nullopt;
    for (Json& call : message["tool_calls"]) {
        if (Failure failure = clean_call(call, name)) return failure;
    }
    return std::nullopt;
}

Failure clean_tool(Json& tool, const std::string& name, std::size_t& work) {
    drop_nulls(tool);
    if (tool.value("type", Json()) != "function") return bad(name + ".type is not \"function\"");
    if (!tool.contains("function") || !tool["function"].is_object()) return bad(name + " has no function");
    Json& function = tool["function"];
    drop_nulls(function);
    const Json called = function.value("name", Json());
    if (!called.is_string() || called.get_ref<const std::string&>().empty()) return bad(name + ".function has no name");
    if (called.get_ref<const std::string&>().size() > max_schema_name)
        return over_limit(name, "has a function's name with a number of bytes of", called.get_ref<const std::string&>().size(),
                          max_schema_name);
    if (function.contains("description") && !function["description"].is_string())
        return bad(name + ".function.description is not a string");
    if (!function.contains("parameters")) return std::nullopt;
    const std::string parameters = function["parameters"].dump();
    if (Failure failure = check_schema(parameters, name + ".function.parameters", work)) return failure;
    function["parameters"] = Json::parse(converter_schema(parameters));
    return std::nullopt;
}

}  // namespace

Result<std::string> clean_messages(const std::string& messages) {
    auto json = read_array(messages, "messages", max_messages_bytes);
    if (!json) return json.error();
    if (json->empty()) return bad("messages is empty");
    for (std::size_t i = 0; i < json->size(); ++i) {
        if (Failure failure = clean_message((*json)[i], "messages[" + std::to_string(i) + "]")) return *failure;
    }
    return json->dump();
}

Result<std::string> clean_tools(const ChatRequest& request) {
    const bool named = request.tool_choice.kind == ToolChoice::Kind::function;
    if (request.tools.empty())
        return named ? Result<std::string>(bad("tool_choice names a function, and there are no tools")) : std::string();
    auto json = read_array(request.tools, "tools", max_schema_bytes);
    if (!json) return json.error();
    if (json->size() > max_tools) return over_limit("tools", "has a number of functions of", json->size(), max_tools);
    std::size_t work = 0;
    for (std::size_t i = 0; i < json->size(); ++i) {
        if (Failure failure = clean_tool((*json)[i], "tools[" + std::to_string(i) + "]", work)) return *failure;
    }
    if (named) {
        const auto found = std::find_if(json->begin(), json->end(), [&](const Json& tool) {
            return tool["function"]["name"] == request.tool_choice.function;
        });
        if (found == json->end())
            return bad("tool_choice names a function that is not among the tools: " + request.tool_choice.function.substr(0, 64));
        return Json::array({*found}).dump();
    }
    return json->empty() ? std::string() : json->dump();
}

Result<std::string> clean_schema(const std::string& schema) {
    if (schema.empty()) return std::string();
    if (Failure failure = check_schema(schema, "the JSON schema")) return *failure;
    if (Json::parse(schema).empty()) return std::string(R"({"type":"object"})");
    return schema;
}

}  // namespace hlg::engine
