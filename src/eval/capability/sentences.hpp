// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string_view>

namespace hlg::eval::capability {

/**
 * How many sentences a text has. One ends at a run of . ! ? (or their like in other scripts) with the brackets and quotes that
 * close behind it, before white space or the text's end; but not at a point behind a common abbreviation, a single capital, or
 * the number of a list's item, nor at one before a small letter. A line's end ends none, and what is left at the text's end is
 * one if it has a letter or a digit.
 */
std::size_t count_sentences(std::string_view text);

}  // namespace hlg::eval::capability
