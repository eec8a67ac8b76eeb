// SPDX-License-Identifier: MIT
//
// What is a letter, and which are capitals, in any script: the C library's tables, read under a UTF-8 locale of our own, so that
// the user's locale changes nothing. Texts are UTF-8; bytes that are not become U+FFFD.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace hlg::eval::capability {

std::u32string characters(std::string_view text);
std::string utf8(std::u32string_view text);

bool is_letter(char32_t character);
bool is_letter_or_digit(char32_t character);

/** In lower case, character by character. */
std::string lower_case(std::string_view text);

/** Whether there are letters that have cases, and all of those are capitals. */
bool all_capitals(std::string_view text);

/** Whether there are letters that have cases, and none of those is a capital. */
bool no_capitals(std::string_view text);

/** Runs of letters, digits and underscores. */
std::vector<std::string> word_runs(std::string_view text);

/** Without white space at both ends. */
std::string_view stripped(std::string_view text);

/** The pieces between the separators, empty ones too; at least one. */
std::vector<std::string_view> split(std::string_view text, std::string_view separator);

}  // namespace hlg::eval::capability
