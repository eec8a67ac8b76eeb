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
    std::optional<bool> enabled = {};
    std::optional<std::string> preset = {};  ///< discards the knobs of lower tiers; this tier's own knobs change it
    std::optional<Pivot> pivot = {};         ///< brings its own default offset unless this tier sets one
    std::optional<double> pivot_offset = {};
    std::optional<double> width = {};
    std::optional<double> shoulder = {};
    std::optional<double> toe = {};
    std::optional<ToeShape> toe_shape = {};

    friend bool operator==(const HlgSettings&, const HlgSettings&) = default;
};

/** Penalties on tokens that the text already has; they act on scores after the curve, like every edit. */
struct Penalties {
    double repeat = 1.0;       ///< divides a positive logit, multiplies a negative one; 1 = off
    double presence = 0.0;     ///< taken off once for each generated token, nats before the gain
    double frequency = 0.0;    ///< taken off for each time that it was generated
    std::int64_t last_n = 64;  ///< how many tokens back, of prompt and text, `repeat` looks; -1 = all, 0 = off

    [[nodiscard]] bool off() const noexcept { return (repeat == 1.0 || last_n == 0) && presence == 0.0 && frequency == 0.0; }
    friend bool operator==(const Penalties&, const Penalties&) = default;
};

/** What one tier says about sampling; unset = nothing. */
struct SamplingSettings {
    std::optional<double> temperature = {};
    std::optional<double> top_p = {};
    std::optional<std::int64_t> top_k = {};
    std::optional<double> min_p = {};
    std::optional<std::uint64_t> seed = {};
    std::optional<double> repeat_penalty = {};    ///< see Penalties; 0.01 to 100
    std::optional<double> presence_penalty = {};  ///< -100 to 100
    std::optional<double> frequency_penalty = {};
    std::optional<std::int64_t> repeat_last_n = {};
    std::optional<std::vector<Edit>> logit_bias = {};  ///< deltas, -inf = banned; a tier's list replaces a lower one's
    HlgSettings hlg = {};
};

/** The settings in force. */
struct ResolvedSettings {
    SamplerParams params = {};
    Penalties penalties = {};
    std::vector<Edit> logit_bias = {};
    std::optional<std::string> preset = {};  ///< the preset that the curve started from, while HLG is on
    std::vector<std::string> ignored = {};   ///< set but not applied because HLG is the sampler: of top_p, top_k, min_p
};

/** Lays the tiers over the built-in defaults, lowest first, and checks every range. */
Result<ResolvedSettings> resolve(std::span<const SamplingSettings> tiers);

/** A seed nobody chose: below 2^53, so that every JSON reader can give it back exactly. */
std::uint64_t random_seed();

}  // namespace hlg::engine
