// SPDX-License-Identifier: MIT
//
// What hlg draw --stats says about a distribution.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/settings.hpp"
#include "hlg/sampler.hpp"

namespace hlg::cli {

/** The mass of tokens that the model gives less than `log_prob`, nats. */
struct MassBelow {
    double log_prob = 0.0;
    double mass = 0.0;
};

/** Everything there is to say about one row's distribution. */
struct DrawReport {
    std::int64_t row = 0;
    std::optional<std::uint64_t> seed;  ///< where one is worth telling
    engine::ResolvedSettings settings;
    std::span<const float> logits;
    std::span<const double> probabilities;
    std::span<const Edit> edits;
    Statistics statistics;
    std::vector<MassBelow> mass_below;
};

/** One JSON object, one line; see `hlg draw --help`. */
std::string to_json(const DrawReport& report);

}  // namespace hlg::cli
