// SPDX-License-Identifier: MIT
//
// Patterns of JSON schemas, made ready for llama-common's converter. It takes a pattern for one of the JSON text, which it is
// not: "^.$" would let a lone quote into a string, and "^\n$" a line feed, and what comes of that is no JSON. Nor does it know
// \d. What it can't express it takes for any string, with a line on stderr.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "engine/result.hpp"

namespace hlg::engine {

/** Groups inside one another; patterns that are deeper are beyond a grammar. */
inline constexpr std::size_t max_pattern_depth = 64;

/** A translated pattern, bytes; longer ones are beyond a grammar. */
inline constexpr std::size_t max_pattern_bytes = std::size_t{64} << 10U;

/**
 * What an ECMAScript pattern, in UTF-8, says of a string, said of that string's JSON text between the quotes. Every text that
 * fits it is JSON, and its string fits the pattern; some ways to escape a character are left out. Nothing for what is beyond a
 * grammar: what is not anchored at both ends, looks around, refers back, or names a class of Unicode's. What is no pattern is a
 * bad_request.
 */
[[nodiscard]] Result<std::optional<std::string>> json_pattern(std::string_view pattern);

}  // namespace hlg::engine
