// SPDX-License-Identifier: MIT
#include "engine/json_pattern.hpp"

#include <algorithm>

#include "engine/pattern_sets.hpp"

namespace hlg::engine {
namespace {

/** Thrown within this file: the pattern is none, or reading on is no use. */
struct Stop {
    const char* why = nullptr;  ///< null: it may be one, and is beyond a grammar
};

std::u32string characters_of(std::string_view text) {
    std::u32string codes;
    for (const char letter : text) {
        const auto byte = static_cast<unsigned char>(letter);
        if ((byte & 0xC0U) != 0x80U)
            codes += static_cast<char32_t>(byte < 0x80 ? byte : byte & (byte < 0xE0 ? 0x1FU : byte < 0xF0 ? 0x0FU : 0x07U));
        else if (!codes.empty())
            codes.back() = (codes.back() << 6U) | (byte & 0x3FU);
    }
    return codes;
}

bool is_digit(char32_t code) { return code >= '0' && code <= '9'; }

bool is_letter(char32_t code) { return (code >= 'A' && code <= 'Z') || (code >= 'a' && code <= 'z'); }

/** Reads a pattern from left to right, and gives each part back as one of JSON text. */
class Translator {
public:
    explicit Translator(std::string_view pattern) : codes_(characters_of(pattern)) {}

    /** Throws Stop. */
    std::string run() {
        const bool begins = next() == '^';
        std::string text = alternatives(0);
        if (!ended()) throw Stop{"unbalanced parentheses"};
        if (lost_ || !begins || !ends_) throw Stop{};
        return std::string("^").append(text).append("$");
    }

private:
    // Groups.

    // NOLINTNEXTLINE(misc-no-recursion): no deeper than max_pattern_depth
    std::string alternatives(std::size_t depth) {
        if (depth > max_pattern_depth) throw Stop{};
        std::string text = alternative(depth);
        while (take('|')) text.append("|").append(alternative(depth));
        return text;
    }

    // NOLINTNEXTLINE(misc-no-recursion)
    std::string alternative(std::size_t depth) {
        std::string text;
        if (depth == 0) take('^');
        while (!ended() && next() != '|' && next() != ')') {
            ends_ = depth == 0 && take('$');
            if (ends_ && !ended() && next() != '|') lost_ = true;
            if (!ends_) text += quantified(atom(depth));
            if (text.size() > max_pattern_bytes) throw Stop{};
        }
        return text;
    }

    // NOLINTNEXTLINE(misc-no-recursion)
    std::string group(std::size_t depth) {
        if (take('?')) read_kind();
        std::string inner = alternatives(depth + 1);
        if (!take(')')) throw Stop{"unbalanced parentheses"};
        return std::string("(?:").append(inner).append(")");
    }

    /** Behind "(?". Looking around is beyond a grammar; a name changes nothing. */
    void read_kind() {
        if (take(':')) return;
        const bool behind = take('<');
        if (take('=') || take('!')) {
            lost_ = true;
            return;
        }
        if (!behind) throw Stop{"an unknown kind of group"};
        while (!ended() && next() != '>') ++at_;
        if (!take('>')) throw Stop{"an unknown kind of group"};
    }

    // NOLINTNEXTLINE(misc-no-recursion)
    std::string atom(std::size_t depth) {
        const char32_t code = codes_[at_];
        if (code == '*' || code == '+' || code == '?' || is_quantifier()) throw Stop{"nothing to repeat"};
        ++at_;
        switch (code) {
            case '(': return group(depth);
            case '[': return set(bracket());
            case '.': return set(any_character());
            case '\\': return escape();
            case '^':
            case '$': return beyond();
            default: return json_literal(code);
        }
    }

    // Quantifiers. A lazy one describes the same strings.

    std::string quantified(std::string text) {
        if (take('*') || take('+') || take('?'))
            text += static_cast<char>(codes_[at_ - 1]);
        else if (is_quantifier())
            text += braces();
        else
            return text;
        take('?');
        return text;
    }

    /** Whether "{3}", "{3,}" or "{3,5}" comes; other braces mean themselves. */
    [[nodiscard]] bool is_quantifier() const {
        std::size_t at = at_;
        const auto digits = [&] {
            const std::size_t first = at;
            while (at < codes_.size() && is_digit(codes_[at])) ++at;
            return at > first;
        };
        if (ended() || codes_[at++] != '{' || !digits()) return false;
        if (at < codes_.size() && codes_[at] == ',') {
            ++at;
            static_cast<void>(digits());
        }
        return at < codes_.size() && codes_[at] == '}';
    }

    std::string braces() {
        std::string text;
        do text += static_cast<char>(codes_[at_]);
        while (codes_[at_++] != '}');
        const std::size_t comma = text.find(',');
        if (comma != std::string::npos && text[comma + 1] != '}') {
            const std::string low = plain_number(text.substr(1, comma - 1));
            const std::string high = plain_number(text.substr(comma + 1, text.size() - comma - 2));
            if (low.size() > high.size() || (low.size() == high.size() && low > high))
                throw Stop{"a repetition's minimum is above its maximum"};
        }
        return text;
    }

    static std::string plain_number(const std::string& digits) {
        return digits.substr(std::min(digits.find_first_not_of('0'), digits.size()));
    }

    // Characters.

    std::string escape() {
        const char32_t code = taken();
        if (is_class(code)) return set(class_of(code));
        if (code == 'b' || code == 'B' || code == 'k' || code == 'p' || code == 'P' || (code >= '1' && code <= '9'))
            return beyond();
        return json_literal(escaped(code));
    }

    static bool is_class(char32_t code) {
        return code == 'd' || code == 'w' || code == 's' || code == 'D' || code == 'W' || code == 'S';
    }

    /** What an escape with this letter or sign stands for. */
    char32_t escaped(char32_t code) {
        switch (code) {
            case 't': return '\t';
            case 'n': return '\n';
            case 'v': return '\v';
            case 'f': return '\f';
            case 'r': return '\r';
            case '0': return 0;
            case 'c': return taken() & 0x1FU;
            case 'x': return hexadecimal(2);
            case 'u': return take('{') ? hexadecimal(0) : hexadecimal(4);
            default: break;
        }
        if (is_letter(code) || is_digit(code)) throw Stop{};
        return code;
    }

    /** So many digits, or those before "}". */
    char32_t hexadecimal(std::size_t digits) {
        char32_t code = 0;
        for (std::size_t i = 0; digits == 0 ? !take('}') : i < digits; ++i) {
            const char32_t digit = taken();
            const char32_t lower = digit | 0x20U;
            if (!is_digit(digit) && !(lower >= 'a' && lower <= 'f')) throw Stop{};
            code = code * 16 + (is_digit(digit) ? digit - '0' : lower - 'a' + 10);
            if (code > 0x10FFFF) throw Stop{"an escape of no character"};
        }
        if (code >= 0xD800 && code <= 0xDFFF) throw Stop{};
        return code;
    }

    /** Behind "[". */
    CharacterSet bracket() {
        const bool negated = take('^');
        CharacterSet all;
        while (!take(']')) {
            const CharacterSet low = member();
            if (next() == '-' && at_ + 1 < codes_.size() && codes_[at_ + 1] != ']' && is_one(low)) {
                ++at_;
                add_range(low, member(), all);
            } else {
                all.insert(all.end(), low.begin(), low.end());
            }
        }
        return negated ? others(all) : all;
    }

    static bool is_one(const CharacterSet& set) { return set.size() == 1 && set[0].low == set[0].high; }

    static void add_range(const CharacterSet& low, const CharacterSet& high, CharacterSet& all) {
        if (is_one(high)) {
            if (low[0].low > high[0].low) throw Stop{"a range out of order"};
            all.push_back({low[0].low, high[0].low});
            return;
        }
        all.push_back(low[0]);  // "a-\d": the sign means itself
        all.push_back({'-', '-'});
        all.insert(all.end(), high.begin(), high.end());
    }

    CharacterSet member() {
        if (ended()) throw Stop{"an unterminated character class"};
        const char32_t code = codes_[at_++];
        if (code != '\\') return {{code, code}};
        const char32_t letter = taken();
        if (is_class(letter)) return class_of(letter);
        const char32_t one = letter == 'b' ? U'\b' : escaped(letter);
        return {{one, one}};
    }

    std::string set(const CharacterSet& all) {
        std::string text = json_set(all);
        return text.empty() ? beyond() : text;
    }

    std::string beyond() {
        lost_ = true;
        return {};
    }

    [[nodiscard]] bool ended() const { return at_ >= codes_.size(); }
    [[nodiscard]] char32_t next() const { return ended() ? 0 : codes_[at_]; }

    bool take(char32_t code) {
        if (ended() || next() != code) return false;
        ++at_;
        return true;
    }

    char32_t taken() {
        if (ended()) throw Stop{"an escape that is cut off"};
        return codes_[at_++];
    }

    std::u32string codes_;
    std::size_t at_ = 0;
    bool ends_ = false;  ///< whether what was read last is the end of the string
    bool lost_ = false;  ///< whether something is beyond a grammar; reading goes on for what is wrong
};

}  // namespace

Result<std::optional<std::string>> json_pattern(std::string_view pattern) {
    try {
        return std::optional(Translator(pattern).run());
    } catch (const Stop& stop) {
        if (stop.why != nullptr) return Error{ErrorCode::bad_request, stop.why};
        return std::optional<std::string>();
    }
}

}  // namespace hlg::engine
