// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "eval/token_trace.hpp"

namespace hlg::cli {

/** A text with a title. */
struct TitledTrace {
    std::string title;
    const eval::Trace* trace;
};

/**
 * Texts next to each other, each in a column of its own, broken between words; `columns` characters wide in all. With colours a
 * token shows where on the curve it came from, and is bold where the sampler moved its probability by more than a factor of 2.
 * Where a column would be narrower than 24 characters they stand one below the other.
 */
std::string side_by_side(const std::vector<TitledTrace>& texts, int columns, bool colour);

/** What the colours mean, a line; empty without them. */
std::string colour_key(bool colour);

}  // namespace hlg::cli
