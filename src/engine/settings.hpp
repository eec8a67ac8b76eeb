// SPDX-License-Identifier: MIT
//
// Sampling settings as people give them: every field optional, from several places (tiers), the higher one winning.
// Resolving them yields the library's SamplerParams. The order of places is request > command line > model config > built-in.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/result.hpp"
#include "hlg/sampler.hpp"

namespace hlg::engine {

/** The curve's knobs from one tier; nats, infinity = off. */
struct HlgSettings {
    std::optional<bool> enabled;
    std::optional<std::string> preset;  ///< discards the knobs of lower tiers; this tier's own knobs change it
    std::optional<Pivot> pivot;         ///< brings its own default offset unless this tier sets one
    std::optional<double> pivot_offset;
    std::optional<double> width;
    std::optional<double> shoulder;
    std::optional<double> toe;
    std::optional<ToeShape> toe_shape;

    friend bool operator==(const HlgSettings&, const HlgSettings&) = default;
};

/** What one tier says about sampling; unset = nothing. */
struct SamplingSettings {
    std::optional<double> temperature;
    std::optional<double> top_p;
    std::optional<std::int64_t> top_k;
    std::optional<double> min_p;
    std::optional<std::uint64_t> seed;
    HlgSettings hlg;
};

/** The settings in force. */
struct ResolvedSettings {
    SamplerParams params;
    std::optional<std::string> preset;  ///< the preset that the curve started from, while HLG is on
    std::vector<std::string> ignored;   ///< set but not applied because HLG is the sampler: of top_p, top_k, min_p
};

/** Lays the tiers over the built-in defaults, lowest first, and checks every range. */
Result<ResolvedSettings> resolve(std::span<const SamplingSettings> tiers);

/** A seed nobody chose: below 2^53, so that every JSON reader can give it back exactly. */
std::uint64_t random_seed();

}  // namespace hlg::engine
