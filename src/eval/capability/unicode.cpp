// SPDX-License-Identifier: MIT
#include "eval/capability/unicode.hpp"

#include <locale.h>
#include <array>
#include <clocale>
#include <cwctype>
#include <stdexcept>

namespace hlg::eval::capability {
namespace {

locale_t unicode() {
    static const locale_t made = [] {
        for (const char* name : {"C.UTF-8", "en_US.UTF-8", "UTF-8"})
            if (const locale_t found = newlocale(LC_CTYPE_MASK, name, nullptr)) return found;
        throw std::runtime_error("this system has no UTF-8 locale (C.UTF-8), so letters can't be told from other characters");
    }();
    return made;
}

wint_t wide(char32_t character) { return static_cast<wint_t>(character); }

bool is_capital(char32_t character) { return iswupper_l(wide(character), unicode()) != 0; }
bool is_small(char32_t character) { return iswlower_l(wide(character), unicode()) != 0; }

/** Whether the code has a character, and so many bytes are the fewest that spell it. */
bool well_formed(char32_t character, std::size_t length) {
    constexpr std::array<char32_t, 5> lowest{0, 0, 0x80, 0x800, 0x10000};
    const bool surrogate = character >= 0xd800 && character <= 0xdfff;
    return character >= lowest[length] && character <= 0x10ffff && !surrogate;
}

/** One character, of which `at` moves behind the last byte; bytes that are none become U+FFFD, one at a time. */
char32_t decode(std::string_view text, std::size_t& at) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[at + i]); };
    const unsigned char first = byte(0);
    const std::size_t length = first < 0x80 ? 1 : first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc2 ? 2 : 0;
    bool whole = length > 0 && first < 0xf5 && at + length <= text.size();
    char32_t character = length <= 1 ? first : first & (0x7fU >> length);
    for (std::size_t i = 1; whole && i < length; ++i) {
        whole = (byte(i) & 0xc0U) == 0x80;
        character = (character << 6U) | (byte(i) & 0x3fU);
    }
    whole = whole && well_formed(character, length);
    at += whole ? length : 1;
    return whole ? character : U'\ufffd';
}

void encode(char32_t character, std::string& text) {
    const auto add = [&](unsigned shift, unsigned mark, unsigned mask) {
        text += static_cast<char>(mark | ((static_cast<unsigned>(character) >> shift) & mask));
    };
    if (character < 0x80) return add(0, 0, 0x7f);
    if (character < 0x800) {
        add(6, 0xc0, 0x1f);
    } else if (character < 0x10000) {
        add(12, 0xe0, 0x0f);
        add(6, 0x80, 0x3f);
    } else {
        add(18, 0xf0, 0x07);
        add(12, 0x80, 0x3f);
        add(6, 0x80, 0x3f);
    }
    add(0, 0x80, 0x3f);
}

}  // namespace

std::u32string characters(std::string_view text) {
    std::u32string made;
    for (std::size_t at = 0; at < text.size();) made += decode(text, at);
    return made;
}

std::string utf8(std::u32string_view text) {
    std::string made;
    for (const char32_t character : text) encode(character, made);
    return made;
}

bool is_letter(char32_t character) { return iswalpha_l(wide(character), unicode()) != 0; }
bool is_letter_or_digit(char32_t character) { return iswalnum_l(wide(character), unicode()) != 0; }

std::string lower_case(std::string_view text) {
    std::string made;
    for (std::size_t at = 0; at < text.size();)
        encode(static_cast<char32_t>(towlower_l(wide(decode(text, at)), unicode())), made);
    return made;
}

bool all_capitals(std::string_view text) {
    bool capital = false;
    for (const char32_t character : characters(text)) {
        if (is_capital(character)) capital = true;
        if (is_small(character)) return false;
    }
    return capital;
}

bool no_capitals(std::string_view text) {
    bool small = false;
    for (const char32_t character : characters(text)) {
        if (is_small(character)) small = true;
        if (is_capital(character)) return false;
    }
    return small;
}

std::vector<std::string> word_runs(std::string_view text) {
    std::vector<std::string> runs;
    bool inside = false;
    for (const char32_t character : characters(text)) {
        const bool word = character == U'_' || is_letter_or_digit(character);
        if (word && !inside) runs.emplace_back();
        if (word) encode(character, runs.back());
        inside = word;
    }
    return runs;
}

std::string_view stripped(std::string_view text) {
    constexpr std::string_view white = " \t\n\r\f\v";
    const std::size_t first = text.find_first_not_of(white);
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(white) - first + 1);
}

std::vector<std::string_view> split(std::string_view text, std::string_view separator) {
    std::vector<std::string_view> pieces;
    std::size_t at = 0;
    for (std::size_t end = text.find(separator); end != std::string_view::npos; end = text.find(separator, at)) {
        pieces.push_back(text.substr(at, end - at));
        at = end + separator.size();
    }
    pieces.push_back(text.substr(at));
    return pieces;
}

}  // namespace hlg::eval::capability
