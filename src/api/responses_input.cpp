// SPDX-License-Identifier: MIT
#include "api/responses_input.hpp"

#include <nlohmann/json.hpp>

#include "api/chat_fields.hpp"

namespace hlg::api {
namespace {

std::string required_text(const Node& node) {
    if (node.absent()) node.miss();
    return *node.text();
}

Json content_of(const Node& content) {
    if (content.absent()) content.miss();
    return read_content(content, {"input_text", "text", "output_text", "refusal"});
}

std::string joined(const Json& content) {
    if (content.is_string()) return content;
    std::string text;
    for (const Json& part : content) text += part["text"].get<std::string>();
    return text;
}

void read_message(const Node& item, ChatHistory& history) {
    if (item.at("role").absent()) item.at("role").miss();
    const std::string role = *item.at("role").word({"user", "assistant", "system", "developer"});
    const Json content = content_of(item.at("content"));
    if (role == "assistant") return history.answer(joined(content));
    history.say(role == "developer" ? "system" : role, content);
}

/** The reasoning itself where it is given, else what it was summed up to; what is encrypted nobody can read. */
void read_reasoning(const Node& item, ChatHistory& history) {
    const std::vector<Node> whole = item.at("content").items();
    const std::vector<Node> summary = item.at("summary").items();
    for (const Node& part : whole.empty() ? summary : whole) {
        if (!part.is_object()) part.refuse("must be an object");
        history.reason(required_text(part.at("text")));
    }
}

void read_item(const Node& item, ChatHistory& history) {
    if (!item.is_object()) item.refuse("must be an object");
    const Node given = item.at("type");
    if (given.absent() && item.at("role").absent()) given.miss();
    const std::string type = given.word({"message", "function_call", "function_call_output", "reasoning"}).value_or("message");
    if (type == "message") read_message(item, history);
    if (type == "reasoning") read_reasoning(item, history);
    if (type == "function_call") {
        check_arguments(item.at("arguments"));
        history.call(required_text(item.at("call_id")), required_text(item.at("name")), required_text(item.at("arguments")));
    }
    if (type == "function_call_output") {
        const std::string id = required_text(item.at("call_id"));
        history.result(id, content_of(item.at("output")));
    }
}

}  // namespace

ChatHistory read_items(const Node& instructions, const Node& input) {
    ChatHistory history;
    if (const auto text = instructions.text(); text && !text->empty()) history.say("system", *text);
    if (input.absent()) input.miss();
    if (input.is_string()) {
        history.say("user", input.json());
        return history;
    }
    if (!input.is_array()) input.refuse("must be a string or an array of items");
    const std::vector<Node> items = input.items();
    if (items.empty()) throw bad_field(input.path(), "must have at least one item");
    for (const Node& item : items) read_item(item, history);
    return history;
}

}  // namespace hlg::api
