// SPDX-License-Identifier: MIT
//
// Reads GBNF, the grammar notation of llama.cpp. Its own reader recurses once a parenthesis, turns {5,2} into 2^64 rules, and
// says what is wrong on stderr only; this one says it to the client.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "engine/result.hpp"

namespace hlg::engine {

/** A part of a sequence, once or repeated. */
struct GrammarItem {
    enum class Kind : std::uint8_t {
        rule,     ///< first = the rule's index
        literal,  ///< first, count = place in GrammarRules::bytes
        set,      ///< first, count = place in GrammarRules::ranges
        token,    ///< first = place in GrammarRules::tokens
    };
    static constexpr std::uint32_t unlimited = std::numeric_limits<std::uint32_t>::max();

    Kind kind = Kind::literal;
    bool negated = false;  ///< of a set or token: all others
    std::uint32_t first = 0;
    std::uint32_t count = 0;
    std::uint32_t min = 1;
    std::uint32_t max = 1;
};

using GrammarSequence = std::vector<GrammarItem>;

/** A rule of the text, or one that stands for a group in it. */
struct GrammarRule {
    std::string_view name;  ///< a group's is that of the rule it stands in
    std::size_t line = 0;
    bool defined = false;
    std::vector<GrammarSequence> alternatives;
};

/** Code points, both ends included. */
struct GrammarRange {
    char32_t low = 0;
    char32_t high = 0;
};

struct GrammarRules {
    std::vector<GrammarRule> rules;
    std::uint32_t root = 0;
    std::string bytes;  ///< of all literals, UTF-8
    std::vector<GrammarRange> ranges;
    std::vector<std::string_view> tokens;  ///< as they are written: <name> or <[id]>
};

struct GrammarLimits {
    std::size_t bytes = 0;
    std::size_t depth = 0;  ///< groups inside one another
};

/** For a grammar that a request brings. */
inline constexpr GrammarLimits request_limits{std::size_t{256} << 10U, 64};

/** For a grammar made from schemas that were within their own limits: keys that must not be certain names nest once a letter. */
inline constexpr GrammarLimits converted_limits{std::size_t{4} << 20U, 1024};

/** A minimum above this is refused; a maximum above it counts as none, as no answer is that long. */
inline constexpr std::uint32_t max_repetitions = 10'000;

/** Reads GBNF; every rule referred to is defined, `root` among them. Errors name the line or the limit. No recursion. The text
   must outlive the result. */
Result<GrammarRules> read_grammar(std::string_view text, const GrammarLimits& limits = request_limits);

}  // namespace hlg::engine
