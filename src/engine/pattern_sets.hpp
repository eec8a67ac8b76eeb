// SPDX-License-Identifier: MIT
//
// Sets of characters in a pattern: the classes that have letters, and how a set looks in JSON text.
#pragma once

#include <string>
#include <vector>

#include "engine/grammar_rules.hpp"

namespace hlg::engine {

using CharacterSet = std::vector<GrammarRange>;

/** The set of \d, \w, \s, and of the same in upper case: all others. */
[[nodiscard]] CharacterSet class_of(char32_t letter);

/** The set of the dot: all but ends of lines. */
[[nodiscard]] CharacterSet any_character();

/** All characters that are not in the set. */
[[nodiscard]] CharacterSet others(const CharacterSet& set);

/** One character in JSON text, as a pattern that a quantifier may follow. */
[[nodiscard]] std::string json_literal(char32_t code);

/** One character of a set, likewise; control characters only where JSON has a short escape for them. "" if that leaves none. */
[[nodiscard]] std::string json_set(const CharacterSet& set);

}  // namespace hlg::engine
