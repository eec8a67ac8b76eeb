// SPDX-License-Identifier: MIT
#include "eval/words.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include <fmt/core.h>

namespace hlg::eval {
namespace {

constexpr std::string_view curly = "\xE2\x80\x99";  // the apostrophe of typeset text

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || static_cast<unsigned char>(c) >= 0x80U; }

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

/** Whether bytes are a punctuation mark beyond ASCII, as far as texts commonly have them: U+00A0 to U+00BF but for the letters
    there, U+2000 to U+203F (dashes, quotes), U+3000 to U+303F. */
std::size_t mark_at(std::string_view text, std::size_t at) {
    const auto byte = [&](std::size_t i) -> unsigned {
        return at + i < text.size() ? static_cast<unsigned char>(text[at + i]) : 0U;
    };
    const bool letter = byte(1) == 0xAAU || byte(1) == 0xB5U || byte(1) == 0xBAU;
    if (byte(0) == 0xC2U && byte(1) >= 0xA0U && !letter) return 2;
    if (byte(1) == 0x80U && (byte(0) == 0xE2U || byte(0) == 0xE3U)) return 3;
    return 0;
}

/** Apostrophes as ASCII has them, other marks beyond ASCII as spaces. */
std::string plain_text(std::string_view text) {
    std::string plain;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t mark = mark_at(text, at);
        plain += mark == 0 ? text[at] : text.substr(at, mark) == curly ? '\'' : ' ';
        at += std::max<std::size_t>(mark, 1);
    }
    return plain;
}

}  // namespace

Words words_of(std::string_view text) {
    const std::string plain = plain_text(text);
    Words words;
    std::string word;
    for (std::size_t i = 0; i <= plain.size(); ++i) {
        const bool letter = i < plain.size() && is_letter(plain[i]);
        const bool inside =
            i > 0 && i + 1 < plain.size() && plain[i] == '\'' && is_letter(plain[i - 1]) && is_letter(plain[i + 1]);
        if (letter || inside) {
            word += lower(plain[i]);
        } else if (!word.empty()) {
            words.push_back(std::move(word));
            word.clear();
        }
    }
    return words;
}

Words continuation_words(std::string_view prompt, std::string_view text, bool cut) {
    const std::string before = plain_text(prompt);
    const std::string after = plain_text(text);
    std::size_t begin = before.size();
    if (!after.empty() && is_letter(after.front()))
        while (begin > 0 && is_letter(before[begin - 1])) --begin;
    const std::string joined = before.substr(begin) + after;
    Words words = words_of(joined);
    if (cut && !joined.empty() && is_letter(joined.back()) && !words.empty()) words.pop_back();
    return words;
}

WordList WordList::parse(std::string_view lines) {
    WordList list;
    std::istringstream in{std::string(lines)};
    for (std::string line; std::getline(in, line);) {
        std::string word;
        for (const char c : plain_text(line)) word += lower(c);
        if (!word.empty()) list.words_.insert(std::move(word));
    }
    return list;
}

WordList WordList::read(const std::string& path) {
    std::ifstream in(path);
    if (!in) throw std::runtime_error(fmt::format("can't read the list of words {}: {}", path, std::strerror(errno)));
    std::ostringstream text;
    text << in.rdbuf();
    WordList list = parse(text.str());
    if (list.size() == 0) throw std::runtime_error(fmt::format("the list of words {} is empty", path));
    return list;
}

bool WordList::has(const std::string& word) const {
    if (words_.count(word) != 0) return true;
    constexpr std::string_view possessive = "'s";
    return word.size() > possessive.size() && word.compare(word.size() - possessive.size(), possessive.size(), possessive) == 0 &&
           words_.count(word.substr(0, word.size() - possessive.size())) != 0;
}

}  // namespace hlg::eval
