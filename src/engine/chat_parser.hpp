// SPDX-License-Identifier: MIT
//
// From the text of an answer to its content, reasoning and tool calls, as it grows. The formats are llama-common's. Text that
// does not fit the format is passed on as content, never lost.
//
// Every push parses the whole answer so far again: a network thread's job, not the engine's. One thread uses one at a time.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/chat.hpp"

namespace hlg::engine {

/** What became known. */
struct ChatDelta {
    enum class Kind { content, reasoning, tool_call };
    Kind kind = Kind::content;
    std::string text = {};  ///< to append; of a tool call: to its arguments, JSON
    std::size_t index = 0;  ///< which tool call, from 0
    std::string id = {};    ///< in a tool call's first delta
    std::string name = {};  ///< in a tool call's first delta: whole
};

struct ChatToolCall {
    std::string id;
    std::string name;
    std::string arguments;  ///< JSON, a fragment of it where the answer was cut short

    friend bool operator==(const ChatToolCall&, const ChatToolCall&) = default;
};

struct ChatMessage {
    std::string content;
    std::string reasoning;
    std::vector<ChatToolCall> tool_calls;

    /** Takes what became known of it. */
    void append(const ChatDelta& delta);

    friend bool operator==(const ChatMessage&, const ChatMessage&) = default;
};

/** "call_" and 24 random letters and digits. */
std::string random_tool_call_id();

class ChatParser {
public:
    /** For the answer to a rendered chat. `make_id` names the calls that the format gives no id. */
    explicit ChatParser(const RenderedChat& chat, std::function<std::string()> make_id = random_tool_call_id);
    ChatParser(ChatParser&&) noexcept;
    ChatParser& operator=(ChatParser&&) noexcept;
    ~ChatParser();

    /** Takes more of the answer, whole UTF-8 characters; what of it is certain now. */
    [[nodiscard]] std::vector<ChatDelta> push(std::string_view text);

    /** At the end of the answer: the rest. */
    [[nodiscard]] std::vector<ChatDelta> finish();

    /** All deltas so far, put together, behind the text of a message that is continued. After finish: the answer. */
    [[nodiscard]] const ChatMessage& message() const noexcept;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace hlg::engine
