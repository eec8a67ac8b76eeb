// SPDX-License-Identifier: MIT
//
// change_case:..., language:..., punctuation:... and startend:...
#include <algorithm>
#include <array>

#include "eval/capability/ifeval_check.hpp"
#include "eval/capability/language.hpp"
#include "eval/capability/unicode.hpp"

namespace hlg::eval::capability {
namespace {

/** A text without letters is in any language. */
bool is_in(const std::string& text, const std::string& language) { return language_of(text).value_or(language) == language; }

Check response_language(const Arguments& arguments) {
    return [language = arguments.text("language")](const std::string& text) { return is_in(text, language); };
}

bool english_capital(const std::string& text) { return all_capitals(text) && is_in(text, "en"); }

bool english_lowercase(const std::string& text) { return no_capitals(text) && is_in(text, "en"); }

/** How many tokens a word is for who parts "don't" into "do" and "n't": the second is counted as a capital word if it is in
 * capitals. */
std::size_t capital_parts(std::string_view word) {
    if (!all_capitals(word)) return 0;
    constexpr std::array<std::string_view, 7> endings{"N'T", "'S", "'M", "'D", "'LL", "'RE", "'VE"};
    const bool parted = std::any_of(endings.begin(), endings.end(), [&](std::string_view ending) {
        return word.size() > ending.size() && word.ends_with(ending) && all_capitals(word.substr(0, word.size() - ending.size()));
    });
    return parted ? 2 : 1;
}

/** Words in capitals: what stands between white space, and between marks that never belong to a word. */
std::size_t count_capital_words(std::string_view text) {
    constexpr std::string_view between = " \t\n\r\f\v;@#$%&?!()[]{}<>\"";
    std::size_t count = 0;
    for (std::size_t at = text.find_first_not_of(between); at != std::string_view::npos;
         at = text.find_first_not_of(between, at)) {
        const std::size_t end = std::min(text.find_first_of(between, at), text.size());
        std::string_view word = text.substr(at, end - at);
        while (!word.empty() && (word.back() == '.' || word.back() == ',' || word.back() == ':' || word.back() == '\''))
            word.remove_suffix(1);
        count += capital_parts(word);
        at = end;
    }
    return count;
}

Check capital_words(const Arguments& arguments) {
    return [bound = arguments.bound("capital_relation", "capital_frequency")](const std::string& text) {
        return bound.holds(count_capital_words(text));
    };
}

bool no_comma(const std::string& text) { return text.find(',') == std::string::npos; }

bool quotation(const std::string& text) {
    const std::string_view inside = stripped(text);
    return inside.size() > 1 && inside.front() == '"' && inside.back() == '"';
}

/** The phrase is last; quotes around the whole answer do not count. */
Check end_phrase(const Arguments& arguments) {
    const std::string phrase = arguments.text("end_phrase");
    return [ending = lower_case(stripped(phrase))](const std::string& text) {
        std::string_view whole = stripped(text);
        whole = whole.substr(0, whole.find_last_not_of('"') + 1);
        return lower_case(whole).ends_with(ending);
    };
}

}  // namespace

CheckFamily wording_checks() {
    return {{"change_case:capital_word_frequency", capital_words},
            {"change_case:english_capital", [](const Arguments&) -> Check { return english_capital; }},
            {"change_case:english_lowercase", [](const Arguments&) -> Check { return english_lowercase; }},
            {"language:response_language", response_language},
            {"punctuation:no_comma", [](const Arguments&) -> Check { return no_comma; }},
            {"startend:end_checker", end_phrase},
            {"startend:quotation", [](const Arguments&) -> Check { return quotation; }}};
}

}  // namespace hlg::eval::capability
