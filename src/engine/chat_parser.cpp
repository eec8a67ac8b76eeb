// SPDX-License-Identifier: MIT
#include "engine/chat_parser.hpp"

#include <algorithm>
#include <exception>
#include <optional>
#include <random>

#include <chat.h>

#include "engine/chat_deltas.hpp"
#include "engine/chat_format.hpp"

namespace hlg::engine {
namespace {

// llama-common's parser recurses into JSON that the model writes; a model can be told to write brackets for ever.
constexpr std::size_t max_answer_depth = 256;

// Parsing takes time in proportion to the text. Of a long one only every 64th part is worth doing it again.
constexpr std::size_t short_text = std::size_t{16} << 10U;
constexpr std::size_t parts = 64;

ChatMessage message_of(const common_chat_msg& message) {
    ChatMessage result{message.content, message.reasoning_content, {}};
    for (const common_chat_tool_call& call : message.tool_calls)
        result.tool_calls.push_back({call.id, call.name, call.arguments});
    return result;
}

common_chat_parser_params params_of(const ChatFormat& format) {
    common_chat_parser_params params;
    params.format = static_cast<common_chat_format>(format.format);
    params.reasoning_format = format.extract_reasoning ? COMMON_REASONING_FORMAT_DEEPSEEK : COMMON_REASONING_FORMAT_NONE;
    params.generation_prompt = format.generation_prompt;
    params.parse_tool_calls = format.tools;
    params.is_continuation = format.continuation;
    if (!format.parser.empty()) params.parser.load(format.parser);
    return params;
}

}  // namespace

struct ChatParser::Impl {
    Impl(const ChatFormat& format, std::function<std::string()> make_id) : deltas(std::move(make_id)) {
        try {
            params = params_of(format);
            if (format.continuation) {
                if (const auto known = parse({}, true)) deltas.assume(*known);
            }
        } catch (const std::exception&) {  // what llama-common saved, it does not load: then all is content
            plain = true;
        }
    }

    /** What the text is so far, or in the end; nothing if it does not fit the format. */
    [[nodiscard]] std::optional<ChatMessage> parse(const std::string& answer, bool partial) const {
        try {
            return message_of(common_chat_parse(answer, partial, params));
        } catch (const std::exception&) {
            return std::nullopt;
        }
    }

    /** Where the format's parser stopped, in the text; its end if the parser got there. */
    [[nodiscard]] std::size_t stop() const {
        try {
            common_peg_parse_context context(params.generation_prompt + text, COMMON_PEG_PARSE_FLAG_LENIENT);
            const auto result = params.parser.parse(context);
            if (!result.fail()) return text.size();
            return std::min(std::max(result.end, params.generation_prompt.size()) - params.generation_prompt.size(), text.size());
        } catch (const std::exception&) {
            return 0;
        }
    }

    void watch_depth(std::string_view added) {
        for (const char c : added) {
            if (c == '[' || c == '{') ++depth;
            if ((c == ']' || c == '}') && depth > 0) --depth;
            if (depth > max_answer_depth) plain = true;
        }
    }

    std::vector<ChatDelta> push(std::string_view added) {
        if (plain) return deltas.content(added);
        watch_depth(added);
        text += added;
        if (plain) return give_up(false);
        if (text.size() > short_text && text.size() - parsed < text.size() / parts) return {};
        parsed = text.size();
        const auto known = parse(text, true);
        return known ? deltas.towards(*known, false) : std::vector<ChatDelta>();
    }

    std::vector<ChatDelta> finish() {
        if (plain) return {};
        if (const auto known = parse(text, false)) return deltas.towards(*known, true);
        return give_up(true);
    }

    /** The text does not fit the format. What comes before the misfit is told as it is meant, the rest as content. */
    std::vector<ChatDelta> give_up(bool may_parse) {
        plain = true;
        std::size_t rest = parsed;
        std::optional<ChatMessage> known;
        if (may_parse) {
            rest = stop();
            known = parse(text.substr(0, rest), false);
        }
        const auto content_only = [](const ChatMessage& message) {
            return message.reasoning.empty() && message.tool_calls.empty();
        };
        const ChatMessage& told = deltas.told();
        if (content_only(told) && (!known || content_only(*known)) && text.starts_with(told.content))
            return deltas.content(std::string_view(text).substr(told.content.size()));
        std::vector<ChatDelta> out;
        if (known) out = deltas.towards(*known, true);
        for (ChatDelta& delta : deltas.content(std::string_view(text).substr(rest))) out.push_back(std::move(delta));
        return out;
    }

    common_chat_parser_params params;
    ChatDeltas deltas;
    std::string text;
    std::size_t parsed = 0;  ///< bytes of the text that were parsed last
    std::size_t depth = 0;   ///< brackets open, those in strings included
    bool plain = false;      ///< whether everything from now on is content
};

ChatParser::ChatParser(const RenderedChat& chat, std::function<std::string()> make_id)
    : impl_(std::make_unique<Impl>(*chat.format, std::move(make_id))) {}
ChatParser::ChatParser(ChatParser&&) noexcept = default;
ChatParser& ChatParser::operator=(ChatParser&&) noexcept = default;
ChatParser::~ChatParser() = default;

std::vector<ChatDelta> ChatParser::push(std::string_view text) { return impl_->push(text); }
std::vector<ChatDelta> ChatParser::finish() { return impl_->finish(); }
const ChatMessage& ChatParser::message() const noexcept { return impl_->deltas.told(); }

void ChatMessage::append(const ChatDelta& delta) {
    if (delta.kind == ChatDelta::Kind::content) content += delta.text;
    if (delta.kind == ChatDelta::Kind::reasoning) reasoning += delta.text;
    if (delta.kind != ChatDelta::Kind::tool_call) return;
    if (tool_calls.size() <= delta.index) tool_calls.resize(delta.index + 1);
    ChatToolCall& call = tool_calls[delta.index];
    if (!delta.id.empty()) call.id = delta.id;
    if (!delta.name.empty()) call.name = delta.name;
    call.arguments += delta.text;
}

std::string random_tool_call_id() {
    constexpr std::string_view letters = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    thread_local std::random_device random;
    std::uniform_int_distribution<std::size_t> which(0, letters.size() - 1);
    std::string id = "call_";
    for (int i = 0; i < 24; ++i) id += letters[which(random)];
    return id;
}

}  // namespace hlg::engine
