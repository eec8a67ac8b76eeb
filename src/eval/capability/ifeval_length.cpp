// SPDX-License-Identifier: MIT
//
// length_constraints:...
#include <algorithm>

#include "eval/capability/ifeval_check.hpp"
#include "eval/capability/sentences.hpp"
#include "eval/capability/unicode.hpp"

namespace hlg::eval::capability {
namespace {

Check words(const Arguments& arguments) {
    return [bound = arguments.bound("relation", "num_words")](const std::string& text) {
        return bound.holds(word_runs(text).size());
    };
}

Check sentences(const Arguments& arguments) {
    return [bound = arguments.bound("relation", "num_sentences")](const std::string& text) {
        return bound.holds(count_sentences(text));
    };
}

/** Paragraphs with "***" between them; a blank one counts as none at the ends, and spoils the rest. */
Check paragraphs(const Arguments& arguments) {
    return [wanted = arguments.number("num_paragraphs")](const std::string& text) {
        const std::vector<std::string_view> pieces = split(text, "***");
        std::size_t count = pieces.size();
        for (std::size_t i = 0; i < pieces.size(); ++i) {
            if (!stripped(pieces[i]).empty()) continue;
            if (i != 0 && i + 1 != pieces.size()) return false;
            --count;
        }
        return count == wanted;
    };
}

/** The first word of a paragraph, without quotes before it and marks behind it, in lower case. */
std::string first_word(std::string_view paragraph) {
    std::string_view word = paragraph.substr(0, paragraph.find_first_of(" \t\n\r\f\v"));
    word.remove_prefix(std::min(word.find_first_not_of('\''), word.size()));
    word.remove_prefix(std::min(word.find_first_not_of('"'), word.size()));
    return lower_case(word.substr(0, word.find_first_of(".,?!'\"")));
}

/** So many paragraphs with an empty line between them, and a given word first in one of them, counted from 1. */
Check nth_first_word(const Arguments& arguments) {
    return [wanted = arguments.number("num_paragraphs"), nth = arguments.number("nth_paragraph"),
            word = lower_case(arguments.text("first_word"))](const std::string& text) {
        const std::vector<std::string_view> pieces = split(text, "\n\n");
        const auto blank = [](std::string_view piece) { return stripped(piece).empty(); };
        const auto count = pieces.size() - static_cast<std::size_t>(std::count_if(pieces.begin(), pieces.end(), blank));
        if (nth == 0 || nth > count || blank(pieces[nth - 1])) return false;
        return count == wanted && first_word(stripped(pieces[nth - 1])) == word;
    };
}

}  // namespace

CheckFamily length_checks() {
    return {{"length_constraints:number_words", words},
            {"length_constraints:number_sentences", sentences},
            {"length_constraints:number_paragraphs", paragraphs},
            {"length_constraints:nth_paragraph_first_word", nth_first_word}};
}

}  // namespace hlg::eval::capability
