// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace hlg::eval {

/** A text's words: runs of letters (beyond ASCII of everything but common punctuation) with apostrophes inside, ASCII letters in
   lower case. */
using Words = std::vector<std::string>;
Words words_of(std::string_view text);

/** The words of what goes on with a prompt: a first word that continues the prompt's last one is joined with it, and of a text
   that a limit has cut, a last word that may be torn is left out. */
Words continuation_words(std::string_view prompt, std::string_view text, bool cut);

/** The words that there are, as far as a list knows. */
class WordList {
public:
    /** One word a line, case ignored. */
    static WordList parse(std::string_view lines);

    /** The same from a file. Throws std::runtime_error if it can't be read or has no words. */
    static WordList read(const std::string& path);

    /** Whether the list has a word of words_of(), or has it without a final 's. */
    [[nodiscard]] bool has(const std::string& word) const;

    [[nodiscard]] std::size_t size() const noexcept { return words_.size(); }

private:
    std::unordered_set<std::string> words_;
};

}  // namespace hlg::eval
