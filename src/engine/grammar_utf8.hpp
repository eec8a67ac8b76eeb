// SPDX-License-Identifier: MIT
//
// Code points as bytes: tokens cut text at any byte, so grammars are walked byte by byte.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "engine/grammar_rules.hpp"

namespace hlg::engine {

/** Bytes from low to high, both included. */
struct ByteRange {
    std::uint8_t low = 0;
    std::uint8_t high = 0;
};

/** 1 to 4 ranges, one a byte. */
using ByteSequence = std::vector<ByteRange>;

/** Appends one character, at most U+10FFFF. */
void append_utf8(char32_t code, std::string& bytes);

/** Sorted ranges that do not overlap: the given ones, or all other code points. U+0000, which no token's text holds, is left out.
 */
std::vector<GrammarRange> normalised(std::span<const GrammarRange> ranges, bool negated);

/** The encodings of a range's code points: each of them is matched by exactly one sequence. */
std::vector<ByteSequence> byte_sequences(GrammarRange range);

}  // namespace hlg::engine
