// SPDX-License-Identifier: MIT
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"  // g++ 12 with a sanitizer, inside std::regex
#endif

#include "engine/grammar_trigger.hpp"

#include <algorithm>
#include <exception>
#include <regex>

#include "engine/json_limits.hpp"

namespace hlg::engine {

struct TriggerSet {
    struct Pattern {
        std::regex expression;
        bool from_start = false;  ///< begins with ^: holds only for the very beginning of what was generated
    };
    std::vector<std::string> words;
    std::vector<Pattern> patterns;
    std::string reasoning_start;
    std::vector<std::string> reasoning_ends;
};

namespace {

// Bytes. The longest trigger of llama-common's formats is below 100.
constexpr std::size_t max_window = 1024;

/** Where the grammar begins in a match: at the first group that matched something, else at the match. */
std::size_t beginning(const std::smatch& match) {
    for (std::size_t i = 1; i < match.size(); ++i) {
        if (match.length(i) > 0) return static_cast<std::size_t>(match.position(i));
    }
    return static_cast<std::size_t>(match.position(0));
}

}  // namespace

Result<std::shared_ptr<const TriggerSet>> make_triggers(const GrammarSpec& spec) {
    auto set = std::make_shared<TriggerSet>();
    set->reasoning_start = spec.reasoning_start;
    for (const std::string& end : spec.reasoning_ends) {
        if (!end.empty()) set->reasoning_ends.push_back(end);
    }
    try {
        for (const GrammarTrigger& trigger : spec.triggers) {
            if (trigger.text.empty()) continue;
            if (trigger.pattern) {
                set->patterns.push_back({std::regex(trigger.text), trigger.text.front() == '^'});
            } else {
                set->words.push_back(trigger.text);
            }
        }
    } catch (const std::exception& error) {
        return Error{ErrorCode::bad_request, "the grammar has a trigger that is no pattern: " + one_line(error.what())};
    }
    if (set->words.empty() && set->patterns.empty())
        return Error{ErrorCode::bad_request, "the grammar is lazy and has no trigger"};
    return std::shared_ptr<const TriggerSet>(std::move(set));
}

std::string escape_expression(std::string_view text) {
    std::string escaped;
    for (const char c : text) {
        if (std::string_view(".^$|()*+?[]{}\\").find(c) != std::string_view::npos) escaped += '\\';
        escaped += c;
    }
    return escaped;
}

std::vector<TokenText> TriggerWatch::push(Token token, std::string_view text) {
    window_ += text;
    tokens_.emplace_back(token, text.size());
    while (true) {  // each turn drops text, or is the last
        if (reasoning_) {
            const std::size_t end = find_reasoning_end();
            if (end == std::string::npos) break;
            drop_before(end);
            from_start_ = true;
            reasoning_ = false;
        }
        const std::size_t trigger = find_trigger();
        const std::size_t start = set_->reasoning_start.empty() ? std::string::npos : window_.find(set_->reasoning_start);
        if (trigger != std::string::npos && trigger <= start) {
            drop_before(trigger);
            return rest();
        }
        if (start == std::string::npos) break;
        drop_before(start + set_->reasoning_start.size());
        reasoning_ = true;
    }
    if (window_.size() > max_window) {
        drop_before(window_.size() - max_window);
        from_start_ = false;
    }
    return {};
}

std::size_t TriggerWatch::find_trigger() const {
    std::size_t first = std::string::npos;
    for (const std::string& word : set_->words) first = std::min(first, window_.find(word));
    for (const TriggerSet::Pattern& pattern : set_->patterns) {
        std::smatch match;
        if (pattern.from_start && !from_start_) continue;
        if (std::regex_search(window_, match, pattern.expression)) first = std::min(first, beginning(match));
    }
    return first;
}

std::vector<TokenText> TriggerWatch::rest() const {
    std::vector<TokenText> tokens;
    std::size_t at = 0;
    for (const auto& [token, size] : tokens_) {
        tokens.push_back({token, window_.substr(at, size)});
        at += size;
    }
    return tokens;
}

std::size_t TriggerWatch::find_reasoning_end() const {
    std::size_t first = std::string::npos;
    for (const std::string& end : set_->reasoning_ends) first = std::min(first, window_.find(end));
    return first;
}

/** Drops the text before the position, and the tokens that end there. */
void TriggerWatch::drop_before(std::size_t position) {
    window_.erase(0, position);
    while (!tokens_.empty() && tokens_.front().second <= position) {
        position -= tokens_.front().second;
        tokens_.pop_front();
    }
    if (!tokens_.empty()) tokens_.front().second -= position;
}

}  // namespace hlg::engine
