// SPDX-License-Identifier: MIT
//
// Where the answers of a grammar end: before they are complete, at some length, or never.
#pragma once

#include "engine/grammar_rules.hpp"

namespace hlg::engine {

/** Takes out the alternatives that no answer can complete, such as a schema's for an integer of at least 5 and at most 3, so that
   none walks into one. What is left of a rule may be nothing at all. Linear in the grammar. */
void drop_dead_ends(GrammarRules& grammar);

/** Whether every answer is over after some length: nothing in it is repeated without bound, or refers to itself. */
[[nodiscard]] bool must_end(const GrammarRules& grammar);

}  // namespace hlg::engine
