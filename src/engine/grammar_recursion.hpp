// SPDX-License-Identifier: MIT
//
// Left recursion: a rule that begins with itself and goes on behind that would push what is left to do for ever, and match
// nothing.
#pragma once

#include "engine/grammar_rules.hpp"

namespace hlg::engine {

/** Refuses a grammar with such a rule. Circles in which nothing is left to do, as in ("a"*)*, end by themselves. */
[[nodiscard]] Failure check_recursion(const GrammarRules& grammar);

}  // namespace hlg::engine
