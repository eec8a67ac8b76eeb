// SPDX-License-Identifier: MIT
//
// A place in a GBNF text: its characters, blanks and lines.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "engine/result.hpp"

namespace hlg::engine {

class GrammarCursor {
public:
    explicit GrammarCursor(std::string_view text) : text_(text) {}

protected:
    /** Keeps the first mistake; the reader stops at it. */
    void fail(const std::string& what);

    [[nodiscard]] char peek(std::size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }

    /** Goes past the character if it is the next. */
    bool take(char c);

    /** Goes past blanks and comments; past line ends too where a sequence may go on behind one. */
    void spaces(bool over_lines);

    /** Goes past one character of a literal or a set, or its escape. */
    char32_t character();

    static bool is_digit(char c) { return c >= '0' && c <= '9'; }
    static bool is_name(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' || is_digit(c); }

    std::string_view text_;
    std::size_t at_ = 0;
    std::size_t line_ = 1;
    Failure failure_;

private:
    char32_t escape();
    char32_t hexadecimal(std::size_t digits);
};

}  // namespace hlg::engine
