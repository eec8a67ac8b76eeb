// SPDX-License-Identifier: MIT
#include "api/messages_history.hpp"

#include <nlohmann/json.hpp>

#include "api/chat_fields.hpp"
#include "api/write_json.hpp"

namespace hlg::api {
namespace {

std::string required_text(const Node& node) {
    if (node.absent()) node.miss();
    return *node.text();
}

std::string type_of(const Node& block, std::initializer_list<std::string_view> known) {
    if (!block.is_object()) block.refuse("must be an object");
    const Node type = block.at("type");
    if (type.absent()) type.miss();
    return *type.word(known);
}

/** Content of one block, to say it beside others. */
Json text_part(const std::string& text) { return Json::array({{{"type", "text"}, {"text", text}}}); }

void read_system(const Node& content, ChatHistory& history) {
    const Json text = read_content(content, {"text"});
    const bool nothing = text.is_string() ? text.get_ref<const std::string&>().empty() : text.empty();
    if (!nothing) history.say("system", text);
}

/** The model must see that a call failed, and templates have no field for it. */
Json failed(Json content) {
    constexpr const char* mark = "Error: ";
    if (content.is_string()) return mark + content.get<std::string>();
    content.insert(content.begin(), text_part(mark)[0]);
    return content;
}

void read_result(const Node& block, ChatHistory& history) {
    const std::string id = required_text(block.at("tool_use_id"));
    const Node content = block.at("content");
    Json text = content.absent() ? Json("") : read_content(content, {"text"});
    const bool error = block.at("is_error").boolean().value_or(false);
    history.result(id, error ? failed(std::move(text)) : std::move(text));
}

void read_user_block(const Node& block, ChatHistory& history) {
    if (!block.is_object()) block.refuse("must be an object");
    const Node type = block.at("type");
    if (type.absent()) type.miss();
    if (type.json() == "tool_result") return read_result(block, history);
    if (type.json() != "text") type.refuse("must be text or tool_result: images and documents can't be read");
    history.say("user", text_part(required_text(block.at("text"))));
}

void read_call(const Node& block, ChatHistory& history) {
    const Node input = block.at("input").object();
    history.call(required_text(block.at("id")), required_text(block.at("name")), input.absent() ? "{}" : to_text(input.json()));
}

void read_assistant_block(const Node& block, ChatHistory& history) {
    const std::string type = type_of(block, {"text", "tool_use", "thinking", "redacted_thinking"});
    if (type == "text") history.answer(required_text(block.at("text")));
    if (type == "tool_use") read_call(block, history);
    if (type == "thinking") history.reason(required_text(block.at("thinking")));
    // What is redacted nobody can read.
}

void read_message(const Node& message, ChatHistory& history) {
    if (!message.is_object()) message.refuse("must be an object");
    if (message.at("role").absent()) message.at("role").miss();
    const std::string role = *message.at("role").word({"user", "assistant", "system"});
    const Node content = message.at("content");
    if (content.absent()) content.miss();
    if (role == "system") return read_system(content, history);
    if (!content.is_string() && !content.is_array()) content.refuse("must be a string or an array of blocks");
    if (role == "user" && content.is_string()) return history.say("user", content.json());
    if (role == "user") {
        for (const Node& block : content.items()) read_user_block(block, history);
    } else if (content.is_string()) {
        history.answer(*content.text());
    } else {
        for (const Node& block : content.items()) read_assistant_block(block, history);
    }
}

}  // namespace

ChatHistory read_blocks(const Node& system, const Node& messages) {
    ChatHistory history;
    if (!system.absent()) read_system(system, history);
    if (messages.absent()) messages.miss();
    const std::vector<Node> all = messages.items();
    if (all.empty()) throw bad_field(messages.path(), "must have at least one message");
    for (const Node& message : all) read_message(message, history);
    return history;
}

}  // namespace hlg::api
