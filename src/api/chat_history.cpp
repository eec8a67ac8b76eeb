// SPDX-License-Identifier: MIT
#include "api/chat_history.hpp"

#include "api/write_json.hpp"

namespace hlg::api {
namespace {

Json parts_of(const Json& content) {
    return content.is_string() ? Json::array({{{"type", "text"}, {"text", content}}}) : content;
}

/** Many templates only know strings. */
Json plain(const Json& content) {
    if (!content.is_array() || content.size() > 1) return content;
    return content.empty() ? Json("") : content[0]["text"];
}

void append(Json& message, const char* member, const std::string& text, const char* between) {
    if (!message.contains(member)) message[member] = "";
    auto& all = message[member].get_ref<std::string&>();
    if (!all.empty()) all += between;
    all += text;
}

}  // namespace

void ChatHistory::say(const std::string& role, const Json& content) {
    answering_ = false;
    if (role == "user" && !messages_.empty() && messages_.back()["role"] == "user") {
        Json parts = parts_of(messages_.back()["content"]);
        for (const Json& part : parts_of(content)) parts.push_back(part);
        messages_.back()["content"] = std::move(parts);
        return;
    }
    messages_.push_back({{"role", role}, {"content", plain(content)}});
}

Json& ChatHistory::assistant() {
    if (!answering_) messages_.push_back({{"role", "assistant"}, {"content", ""}});
    answering_ = true;
    return messages_.back();
}

void ChatHistory::answer(const std::string& text) { append(assistant(), "content", text, ""); }

void ChatHistory::reason(const std::string& text) { append(assistant(), "reasoning_content", text, "\n"); }

void ChatHistory::call(const std::string& id, const std::string& name, const std::string& arguments) {
    called_[id] = name;
    assistant()["tool_calls"].push_back(
        {{"type", "function"}, {"function", {{"name", name}, {"arguments", arguments}}}, {"id", id}});
}

void ChatHistory::result(const std::string& id, const Json& content) {
    answering_ = false;
    Json message{{"role", "tool"}, {"content", plain(content)}};
    if (const auto found = called_.find(id); found != called_.end()) message["name"] = found->second;
    message["tool_call_id"] = id;
    messages_.push_back(std::move(message));
}

bool ChatHistory::empty() const noexcept { return messages_.empty(); }

bool ChatHistory::ends_in_answer() const {
    if (messages_.empty() || messages_.back()["role"] != "assistant") return false;
    return !messages_.back()["content"].get_ref<const std::string&>().empty() && !messages_.back().contains("tool_calls");
}

std::string ChatHistory::text() const { return to_text(messages_); }

}  // namespace hlg::api
