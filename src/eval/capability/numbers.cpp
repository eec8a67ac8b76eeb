// SPDX-License-Identifier: MIT
#include "eval/capability/numbers.hpp"

#include <cctype>
#include <cstddef>

namespace hlg::eval::capability {
namespace {

bool digit(std::string_view text, std::size_t at) {
    return at < text.size() && std::isdigit(static_cast<unsigned char>(text[at])) != 0;
}

bool letter_or_digit(char byte) { return std::isalnum(static_cast<unsigned char>(byte)) != 0; }

/** A comma that groups digits in threes: between digits, with exactly three behind it. */
bool grouping(std::string_view text, std::size_t at) {
    return text[at] == ',' && digit(text, at + 1) && digit(text, at + 2) && digit(text, at + 3) && !digit(text, at + 4);
}

/** Whether the number that begins there has a minus of its own: "-3", "-$3", "= -3", but not "16-3". */
bool negative(std::string_view text, std::size_t start) {
    if (start > 0 && text[start - 1] == '$') --start;
    if (start == 0 || text[start - 1] != '-') return false;
    return start == 1 || (!letter_or_digit(text[start - 2]) && text[start - 2] != ')');
}

/** The plain form of the number that begins at `at`, which moves behind it. */
std::string take_number(std::string_view text, std::size_t& at) {
    std::string number = negative(text, at) ? "-" : "";
    const std::size_t sign = number.size();
    while (at < text.size() && (digit(text, at) || grouping(text, at))) {
        if (text[at] != ',') number += text[at];
        ++at;
    }
    while (number.size() > sign + 1 && number[sign] == '0') number.erase(sign, 1);
    if (at < text.size() && text[at] == '.' && digit(text, at + 1)) {
        number += text[at++];
        while (digit(text, at)) number += text[at++];
        while (number.back() == '0') number.pop_back();
        if (number.back() == '.') number.pop_back();
    }
    return number == "-0" ? "0" : number;
}

/** Where a number next begins, at or behind `at`: a digit, or a point with digits behind it is not one's beginning. */
std::size_t next_number(std::string_view text, std::size_t at) {
    while (at < text.size() && !digit(text, at)) ++at;
    return at;
}

}  // namespace

std::optional<std::string> last_number(std::string_view text) {
    std::optional<std::string> found;
    for (std::size_t at = next_number(text, 0); at < text.size(); at = next_number(text, at)) found = take_number(text, at);
    return found;
}

std::optional<std::string> first_number(std::string_view text) {
    std::size_t at = next_number(text, 0);
    if (at >= text.size()) return std::nullopt;
    return take_number(text, at);
}

}  // namespace hlg::eval::capability
