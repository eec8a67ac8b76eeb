// SPDX-License-Identifier: MIT
#include "engine/grammar_rules.hpp"

#include <algorithm>
#include <string>
#include <unordered_map>
#include <utility>

#include "engine/grammar_cursor.hpp"
#include "engine/grammar_utf8.hpp"
#include "engine/json_limits.hpp"
#include "engine/utf8.hpp"

namespace hlg::engine {
namespace {

class Reader : private GrammarCursor {
public:
    Reader(std::string_view text, std::size_t max_depth) : GrammarCursor(text), max_depth_(max_depth) {}

    Result<GrammarRules> run() {
        spaces(true);
        while (!failure_ && at_ < text_.size()) rule();
        if (!failure_) finish();
        if (failure_) return *failure_;
        return std::move(result_);
    }

private:
    /** A rule being read: the one at the start of a line, or a group in it. */
    struct Open {
        std::uint32_t rule = 0;
        std::vector<GrammarSequence> alternatives{1};
    };

    std::string_view name() {
        const std::size_t start = at_;
        while (is_name(peek())) ++at_;
        if (at_ == start) fail("a rule's name is expected");
        return text_.substr(start, at_ - start);
    }

    std::uint32_t index_of(std::string_view name) {
        const auto [found, added] = by_name_.try_emplace(name, static_cast<std::uint32_t>(result_.rules.size()));
        if (added) result_.rules.push_back({.name = name, .line = line_, .alternatives = {}});
        return found->second;
    }

    /** NAME ::= alternatives, up to the end of its last line. */
    void rule() {
        const std::uint32_t index = index_of(name());
        spaces(false);
        if (!take(':') || !take(':') || !take('=')) fail("::= is expected");
        spaces(true);
        open_.assign(1, {.rule = index});
        while (!failure_ && step()) {
        }
        if (failure_) return;
        if (open_.size() > 1) return fail("a ) is missing");
        if (at_ < text_.size() && peek() != '\n' && peek() != '\r')
            return fail("can't go on at: " + std::string(text_.substr(at_, 1)));
        close(open_.back());
        spaces(true);
    }

    void close(Open& open) {
        GrammarRule& rule = result_.rules[open.rule];
        rule.alternatives = std::move(open.alternatives);  // a second definition replaces the first, as in llama.cpp
        rule.defined = true;
    }

    /** The next part of the innermost open rule; false where the rule ends. */
    bool step() {
        const bool nested = open_.size() > 1;
        switch (peek()) {
            case '"': literal(); break;
            case '[': set(); break;
            case '<':
            case '!': token(); break;
            case '.': any(); break;
            case '(': group(); return true;
            case ')':
                if (!nested) return false;
                end_group();
                break;
            case '|':
                ++at_;
                open_.back().alternatives.emplace_back();
                spaces(true);
                return true;
            case '*':
            case '+':
            case '?':
            case '{': repetition(); break;
            default:
                if (!is_name(peek())) return false;
                push({.kind = GrammarItem::Kind::rule, .first = index_of(name())});
        }
        spaces(open_.size() > 1);
        return true;
    }

    void push(GrammarItem item) { open_.back().alternatives.back().push_back(item); }

    void literal() {
        ++at_;
        const auto first = static_cast<std::uint32_t>(result_.bytes.size());
        while (!failure_ && peek() != '"') append_utf8(character(), result_.bytes);
        ++at_;
        push({.kind = GrammarItem::Kind::literal,
              .first = first,
              .count = static_cast<std::uint32_t>(result_.bytes.size()) - first});
    }

    void set() {
        ++at_;
        const bool negated = take('^');
        const auto first = static_cast<std::uint32_t>(result_.ranges.size());
        while (!failure_ && peek() != ']') {
            GrammarRange range;
            range.low = range.high = character();
            if (peek() == '-' && peek(1) != ']') {
                ++at_;
                range.high = character();
            }
            result_.ranges.push_back(range);
        }
        ++at_;
        push_set(negated, first);
    }

    void push_set(bool negated, std::uint32_t first) {
        const auto count = static_cast<std::uint32_t>(result_.ranges.size()) - first;
        if (count == 0) return push({});  // llama.cpp takes an empty set for nothing at all
        push({.kind = GrammarItem::Kind::set, .negated = negated, .first = first, .count = count});
    }

    void any() {
        ++at_;
        result_.ranges.push_back({0, 0x10FFFF});
        push_set(false, static_cast<std::uint32_t>(result_.ranges.size()) - 1);
    }

    /** <name> or <[id]>, or one of them behind a !. */
    void token() {
        const bool negated = take('!');
        const std::size_t start = at_;
        const std::size_t end = text_.find('>', at_);
        if (!take('<') || end == std::string_view::npos) return fail("a token is written <name> or <[id]>");
        at_ = end + 1;
        result_.tokens.push_back(text_.substr(start, at_ - start));
        push({.kind = GrammarItem::Kind::token,
              .negated = negated,
              .first = static_cast<std::uint32_t>(result_.tokens.size()) - 1});
    }

    void group() {
        ++at_;
        if (open_.size() > max_depth_) {
            failure_ = over_limit("the grammar", "has a nesting depth of at least", open_.size(), max_depth_);
            return;
        }
        open_.push_back({.rule = anonymous({})});
        spaces(true);
    }

    void end_group() {
        ++at_;
        close(open_.back());
        const std::uint32_t index = open_.back().rule;
        open_.pop_back();
        push({.kind = GrammarItem::Kind::rule, .first = index});
    }

    std::uint32_t anonymous(std::vector<GrammarSequence> alternatives) {
        const std::uint32_t outer = open_.front().rule;
        result_.rules.push_back(
            {.name = result_.rules[outer].name, .line = line_, .defined = true, .alternatives = std::move(alternatives)});
        return static_cast<std::uint32_t>(result_.rules.size() - 1);
    }

    void repeat(std::uint32_t min, std::uint32_t max) {
        GrammarSequence& sequence = open_.back().alternatives.back();
        if (sequence.empty()) return fail("nothing stands before a repetition");
        if (min > max_repetitions) return fail("more than " + std::to_string(max_repetitions) + " repetitions");
        if (min > max) return fail("a repetition's minimum is above its maximum");
        if (max > max_repetitions) max = GrammarItem::unlimited;
        if (sequence.back().min != 1 || sequence.back().max != 1) {  // a repetition of a repetition
            const GrammarItem inner = sequence.back();
            sequence.back() = {.kind = GrammarItem::Kind::rule, .first = anonymous({{inner}})};
        }
        sequence.back().min = min;
        sequence.back().max = max;
    }

    std::uint32_t number() {
        std::uint64_t value = 0;
        if (!is_digit(peek())) fail("a number is expected");
        for (; is_digit(peek()); ++at_)
            value = std::min<std::uint64_t>(value * 10 + static_cast<std::uint64_t>(peek() - '0'), 1'000'000'000);
        spaces(open_.size() > 1);
        return static_cast<std::uint32_t>(value);
    }

    /** *, +, ? or a count. */
    void repetition() {
        if (take('*')) return repeat(0, GrammarItem::unlimited);
        if (take('+')) return repeat(1, GrammarItem::unlimited);
        if (take('?')) return repeat(0, 1);
        counted();
    }

    /** {n}, {n,} or {n,m}. */
    void counted() {
        ++at_;
        spaces(open_.size() > 1);
        const std::uint32_t min = number();
        std::uint32_t max = min;
        if (take(',')) {
            spaces(open_.size() > 1);
            max = is_digit(peek()) ? number() : GrammarItem::unlimited;
        }
        if (!take('}')) fail("a } is expected");
        if (!failure_) repeat(min, max);
    }

    void finish() {
        const auto root = by_name_.find("root");
        if (root == by_name_.end() || !result_.rules[root->second].defined) return fail("there is no rule named root");
        result_.root = root->second;
        for (const GrammarRule& rule : result_.rules) {
            if (rule.defined) continue;
            line_ = rule.line;
            return fail("the rule " + std::string(rule.name) + " is not defined");
        }
    }

    std::size_t max_depth_;
    std::vector<Open> open_;
    std::unordered_map<std::string_view, std::uint32_t> by_name_;
    GrammarRules result_;
};

}  // namespace

Result<GrammarRules> read_grammar(std::string_view text, const GrammarLimits& limits) {
    if (text.size() > limits.bytes) return over_limit("the grammar", "has a size in bytes of", text.size(), limits.bytes);
    if (text.find('\0') != std::string_view::npos) return Error{ErrorCode::bad_request, "the grammar has a zero byte"};
    if (const auto bad = first_invalid_utf8(text))
        return Error{ErrorCode::bad_request, "the grammar is not UTF-8 at byte " + std::to_string(*bad)};
    return Reader(text, limits.depth).run();
}

}  // namespace hlg::engine
