// SPDX-License-Identifier: MIT
//
// The difference between what was told of an answer and what is known of it.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "engine/chat_parser.hpp"

namespace hlg::engine {

class ChatDeltas {
public:
    explicit ChatDeltas(std::function<std::string()> make_id) : make_id_(std::move(make_id)) {}

    /** Takes for told the text that the client knows already. A call that it began is told whole: its text names no id, and
       without a name from us nobody could make the call. */
    void assume(const ChatMessage& known) {
        told_.content = known.content;
        told_.reasoning = known.reasoning;
    }

    /** What is to be told so that the client knows all of this. While the answer grows, only what continues what was told; and a
       call only once its name is certain, that is with its first argument, the next call or the end. `last` says that this is
       all. */
    [[nodiscard]] std::vector<ChatDelta> towards(const ChatMessage& known, bool last);

    /** Tells more content. */
    [[nodiscard]] std::vector<ChatDelta> content(std::string_view text);

    [[nodiscard]] const ChatMessage& told() const noexcept { return told_; }

private:
    void grow(std::string& told, const std::string& known, bool last, ChatDelta delta, std::vector<ChatDelta>& out);
    void call(std::size_t index, const ChatToolCall& known, bool complete, bool last, std::vector<ChatDelta>& out);

    std::function<std::string()> make_id_;
    ChatMessage told_;
};

}  // namespace hlg::engine
