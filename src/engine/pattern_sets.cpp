// SPDX-License-Identifier: MIT
#include "engine/pattern_sets.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "engine/grammar_utf8.hpp"

namespace hlg::engine {
namespace {

constexpr char32_t last_code = 0x10FFFF;

/** What no JSON string holds as it is. */
constexpr std::array<GrammarRange, 3> unsafe = {GrammarRange{0, 0x1F}, GrammarRange{'"', '"'}, GrammarRange{'\\', '\\'}};

/** The letters of JSON's short escapes, and what they stand for; those of signs are written as the converter reads them. */
constexpr std::array<std::pair<char32_t, const char*>, 7> escapes = {
    {{'"', "\\x22"}, {'\\', "\\x5C"}, {'\b', "b"}, {'\f', "f"}, {'\n', "n"}, {'\r', "r"}, {'\t', "t"}}};

bool is_alphanumeric(char32_t code) {
    return (code >= '0' && code <= '9') || (code >= 'A' && code <= 'Z') || (code >= 'a' && code <= 'z');
}

bool holds(const CharacterSet& set, char32_t code) {
    return std::any_of(set.begin(), set.end(), [&](const GrammarRange& one) { return one.low <= code && code <= one.high; });
}

std::string two_digits(char32_t code) {
    constexpr std::string_view digits = "0123456789ABCDEF";
    return {digits[(code >> 4U) & 0xFU], digits[code & 0xFU]};
}

std::string in_class(char32_t code) {
    if (code < 0x80 && !is_alphanumeric(code)) return std::string("\\x").append(two_digits(code));
    std::string text;
    append_utf8(code, text);
    return text;
}

/** The set between brackets; halves of surrogate pairs are no characters. */
std::string bracketed(const CharacterSet& set, const char* open) {
    std::string text = open;
    for (const GrammarRange& range : set) {
        const char32_t low = range.low >= 0xD800 && range.low <= 0xDFFF ? 0xE000 : range.low;
        const char32_t high = range.high >= 0xD800 && range.high <= 0xDFFF ? 0xD7FF : range.high;
        if (low > high) continue;
        text += in_class(low);
        if (high > low) text.append("-").append(in_class(high));
    }
    return text + "]";
}

}  // namespace

CharacterSet others(const CharacterSet& set) { return normalised(set, true); }

CharacterSet class_of(char32_t letter) {
    switch (letter) {
        case 'd': return {{'0', '9'}};
        case 'w': return {{'0', '9'}, {'A', 'Z'}, {'_', '_'}, {'a', 'z'}};
        case 's':
            return {{'\t', '\r'},     {' ', ' '},       {0xA0, 0xA0},     {0x1680, 0x1680}, {0x2000, 0x200A},
                    {0x2028, 0x2029}, {0x202F, 0x202F}, {0x205F, 0x205F}, {0x3000, 0x3000}, {0xFEFF, 0xFEFF}};
        case 'D': return others(class_of('d'));
        case 'W': return others(class_of('w'));
        default: return others(class_of('s'));
    }
}

CharacterSet any_character() { return others({{'\n', '\n'}, {'\r', '\r'}, {0x2028, 0x2029}}); }

std::string json_literal(char32_t code) {
    constexpr std::string_view signs = "^$.*+?()[]{}|";
    for (const auto& [escaped, letter] : escapes)
        if (escaped == code) return std::string("(?:\\\\[").append(letter).append("])");
    if (code < 0x20) return std::string("(?:\\\\u00").append(two_digits(code)).append(")");
    std::string text;
    if (code < 0x80 && signs.find(static_cast<char>(code)) != std::string_view::npos) text = "\\";
    append_utf8(code, text);
    return text;
}

std::string json_set(const CharacterSet& set) {
    CharacterSet without = others(set);
    without.insert(without.end(), unsafe.begin(), unsafe.end());
    const CharacterSet plain = others(without);
    const bool most = !plain.empty() && plain.back().high == last_code;
    std::string itself = plain.empty() ? "" : most ? bracketed(others(plain), "[^") : bracketed(plain, "[");
    std::string letters;
    for (const auto& [escaped, letter] : escapes)
        if (holds(set, escaped)) letters += letter;
    if (letters.empty()) return itself;
    return std::string("(?:").append(itself).append(itself.empty() ? "" : "|").append("\\\\[").append(letters).append("])");
}

}  // namespace hlg::engine
