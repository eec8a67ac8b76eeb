// SPDX-License-Identifier: MIT
#include "eval/capability/sentences.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "eval/capability/unicode.hpp"

namespace hlg::eval::capability {
namespace {

bool white(char32_t character) {
    return character == U' ' || (character >= U'\t' && character <= U'\r') || character == 0xa0 || character == 0x3000;
}

/** Marks that end a sentence wherever they stand: these scripts put no space behind them. */
bool wide_end(char32_t character) { return character == U'。' || character == U'！' || character == U'？'; }

bool end_mark(char32_t character) {
    return character == U'.' || character == U'!' || character == U'?' || character == U'…' || character == U'।' ||
           character == U'؟' || character == U'۔' || wide_end(character);
}

bool closing(char32_t character) { return std::u32string_view(U"\"')]}*_»”’」』").find(character) != std::u32string_view::npos; }

bool abbreviation(const std::string& word) {
    constexpr std::array<std::string_view, 31> known{
        "mr",  "mrs", "ms", "dr",  "prof", "st",  "jr", "sr", "rev", "gen", "col", "capt", "lt", "sgt",  "hon",   "gov",
        "sen", "rep", "vs", "etc", "e.g",  "i.e", "cf", "no", "vol", "fig", "inc", "ltd",  "co", "corp", "approx"};
    return std::find(known.begin(), known.end(), word) != known.end();
}

class Counter {
public:
    explicit Counter(std::string_view text) : text_(characters(text)) {}

    std::size_t count() {
        std::size_t sentences = 0;
        bool open = false;  // a letter or digit since the last end
        for (std::size_t at = 0; at < text_.size(); ++at) {
            open = open || is_letter_or_digit(text_[at]);
            if (!end_mark(text_[at])) continue;
            const std::size_t mark = at;
            while (at + 1 < text_.size() && (end_mark(text_[at + 1]) || closing(text_[at + 1]))) ++at;
            if (!open || !ends(mark, at + 1)) continue;
            ++sentences;
            open = false;
        }
        return sentences + (open ? 1 : 0);
    }

private:
    /** Whether the mark at `mark`, with what closes behind it up to `next`, ends a sentence. */
    [[nodiscard]] bool ends(std::size_t mark, std::size_t next) const {
        if (wide_end(text_[mark])) return true;
        if (next < text_.size() && !white(text_[next])) return false;
        if (text_[mark] != U'.') return true;
        if (before_small(next)) return false;
        const bool several = next > mark + 1 && end_mark(text_[mark + 1]);
        return several || !behind_short_form(mark, next);
    }

    [[nodiscard]] bool before_small(std::size_t at) const {
        while (at < text_.size() && white(text_[at])) ++at;
        return at < text_.size() && is_letter(text_[at]) && no_capitals(utf8(text_.substr(at, 1)));
    }

    /** Whether the point at `mark` belongs to an abbreviation, an initial or a list's number. What is last in a text ends it. */
    [[nodiscard]] bool behind_short_form(std::size_t mark, std::size_t next) const {
        if (std::all_of(text_.begin() + static_cast<std::ptrdiff_t>(next), text_.end(), white)) return false;
        std::size_t start = mark;
        while (start > 0 && (is_letter_or_digit(text_[start - 1]) || text_[start - 1] == U'.')) --start;
        const std::u32string word = text_.substr(start, mark - start);
        if (word.size() == 1 && is_letter(word[0]) && word[0] != U'I') return all_capitals(utf8(word));
        if (!word.empty() && std::all_of(word.begin(), word.end(), [](char32_t one) { return one >= U'0' && one <= U'9'; }))
            return begins_line(start);
        return abbreviation(lower_case(utf8(word)));
    }

    [[nodiscard]] bool begins_line(std::size_t at) const {
        while (at > 0 && text_[at - 1] != U'\n' && !is_letter_or_digit(text_[at - 1])) --at;
        return at == 0 || text_[at - 1] == U'\n';
    }

    std::u32string text_;
};

}  // namespace

std::size_t count_sentences(std::string_view text) { return Counter(text).count(); }

}  // namespace hlg::eval::capability
