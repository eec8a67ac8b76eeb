// SPDX-License-Identifier: MIT
//
// keywords:... Cases are never told apart. A keyword counts wherever it stands, inside a word too; a forbidden word only as a
// word.
#include <algorithm>
#include <stdexcept>

#include "eval/capability/ifeval_check.hpp"
#include "eval/capability/unicode.hpp"

namespace hlg::eval::capability {
namespace {

std::size_t occurrences(std::string_view text, std::string_view word) { return split(text, word).size() - 1; }

/** Whether a letter, digit or underscore stands at that end of the text. */
bool word_at_end(std::string_view text) {
    const std::u32string all = characters(text);
    return !all.empty() && (all.back() == U'_' || is_letter_or_digit(all.back()));
}
bool word_at_start(std::string_view text) {
    const std::u32string all = characters(text.substr(0, 4));
    return !all.empty() && (all.front() == U'_' || is_letter_or_digit(all.front()));
}

/** Whether the word stands in the text with an edge of a word at each of its ends. */
bool has_word(std::string_view text, std::string_view word) {
    for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
        // Of the bytes before, a character's last four at most matter.
        const std::string_view before = text.substr(at > 4 ? at - 4 : 0, std::min<std::size_t>(at, 4));
        if (word_at_end(before) != word_at_start(word) && word_at_end(word) != word_at_start(text.substr(at + word.size())))
            return true;
    }
    return false;
}

std::vector<std::string> in_lower_case(std::vector<std::string> words) {
    for (std::string& word : words) word = lower_case(word);
    return words;
}

Check existence(const Arguments& arguments) {
    return [words = in_lower_case(arguments.texts("keywords"))](const std::string& text) {
        const std::string lower = lower_case(text);
        return std::all_of(words.begin(), words.end(), [&](const auto& word) { return lower.find(word) != std::string::npos; });
    };
}

Check forbidden(const Arguments& arguments) {
    return [words = in_lower_case(arguments.texts("forbidden_words"))](const std::string& text) {
        const std::string lower = lower_case(text);
        return std::none_of(words.begin(), words.end(), [&](const auto& word) { return has_word(lower, word); });
    };
}

Check frequency(const Arguments& arguments) {
    return [word = lower_case(arguments.text("keyword")), bound = arguments.bound("relation", "frequency")](
               const std::string& text) { return bound.holds(occurrences(lower_case(text), word)); };
}

Check letter_frequency(const Arguments& arguments) {
    const std::string letter = lower_case(arguments.text("letter"));
    if (characters(letter).size() != 1) throw std::runtime_error("letter must be one character, got " + letter);
    return [letter, bound = arguments.bound("let_relation", "let_frequency")](const std::string& text) {
        return bound.holds(occurrences(lower_case(text), letter));
    };
}

}  // namespace

CheckFamily keyword_checks() {
    return {{"keywords:existence", existence},
            {"keywords:forbidden_words", forbidden},
            {"keywords:frequency", frequency},
            {"keywords:letter_frequency", letter_frequency}};
}

}  // namespace hlg::eval::capability
