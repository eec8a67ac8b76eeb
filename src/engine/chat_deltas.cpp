// SPDX-License-Identifier: MIT
#include "engine/chat_deltas.hpp"

#include <algorithm>

namespace hlg::engine {
namespace {

std::size_t common_prefix(std::string_view a, std::string_view b) {
    const std::size_t most = std::min(a.size(), b.size());
    return static_cast<std::size_t>(std::mismatch(a.begin(), a.begin() + static_cast<std::ptrdiff_t>(most), b.begin()).first -
                                    a.begin());
}

}  // namespace

std::vector<ChatDelta> ChatDeltas::towards(const ChatMessage& known, bool last) {
    std::vector<ChatDelta> out;
    grow(told_.reasoning, known.reasoning, last, {.kind = ChatDelta::Kind::reasoning}, out);
    grow(told_.content, known.content, last, {.kind = ChatDelta::Kind::content}, out);
    for (std::size_t i = 0; i < known.tool_calls.size(); ++i) {
        const bool complete = last || i + 1 < known.tool_calls.size();
        if (i > told_.tool_calls.size()) break;  // the one before it is not certain yet
        call(i, known.tool_calls[i], complete, last, out);
    }
    return out;
}

/** At the end, a text that differs from what was told is told from where they part: better a seam than a loss. */
void ChatDeltas::grow(std::string& told, const std::string& known, bool last, ChatDelta delta, std::vector<ChatDelta>& out) {
    const std::size_t common = common_prefix(told, known);
    if (common == known.size() || (common < told.size() && !last)) return;
    delta.text = known.substr(common);
    told += delta.text;
    out.push_back(std::move(delta));
}

void ChatDeltas::call(std::size_t index, const ChatToolCall& known, bool complete, bool last, std::vector<ChatDelta>& out) {
    ChatDelta delta{.kind = ChatDelta::Kind::tool_call, .index = index};
    if (index == told_.tool_calls.size()) {
        if (known.name.empty() || (known.arguments.empty() && !complete)) return;
        delta.id = known.id.empty() ? make_id_() : known.id;
        delta.name = known.name;
        delta.text = known.arguments;
        told_.tool_calls.push_back({delta.id, delta.name, delta.text});
        out.push_back(std::move(delta));
        return;
    }
    grow(told_.tool_calls[index].arguments, known.arguments, last, std::move(delta), out);
}

std::vector<ChatDelta> ChatDeltas::content(std::string_view text) {
    if (text.empty()) return {};
    told_.content += text;
    return {{.kind = ChatDelta::Kind::content, .text = std::string(text)}};
}

}  // namespace hlg::engine
