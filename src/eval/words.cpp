// SPDX-License-Identifier: MIT
#include "eval/words.hpp"

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

std::string straight(std::string_view text) {
    std::string plain(text);
    for (std::size_t at = 0; (at = plain.find(curly, at)) != std::string::npos;) plain.replace(at, curly.size(), 1, '\'');
    return plain;
}

}  // namespace

Words words_of(std::string_view text) {
    const std::string plain = straight(text);
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
    std::size_t begin = prompt.size();
    if (!text.empty() && is_letter(text.front()))
        while (begin > 0 && is_letter(prompt[begin - 1])) --begin;
    std::string joined(prompt.substr(begin));
    joined += text;
    Words words = words_of(joined);
    if (cut && !joined.empty() && is_letter(joined.back()) && !words.empty()) words.pop_back();
    return words;
}

WordList WordList::parse(std::string_view lines) {
    WordList list;
    std::istringstream in{std::string(lines)};
    for (std::string line; std::getline(in, line);) {
        std::string word;
        for (const char c : straight(line)) word += lower(c);
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
