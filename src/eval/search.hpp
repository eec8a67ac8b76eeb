// SPDX-License-Identifier: MIT
//
// Tuning: every family gets the same number of evaluations, and each of them is a setting brought to the same mean entropy. The
// first half looks at the whole cube of knobs, evenly (Halton's points); the second half looks around the best setting found so
// far for each goal in turn, ever closer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "eval/families.hpp"
#include "eval/outcome.hpp"

namespace hlg::eval {

/** One setting that was tried. */
struct Trial {
    std::vector<double> unit;  ///< place in the cube
    std::vector<double> knobs;
    std::optional<double> temperature;  ///< nothing = cannot reach the entropy
    Outcome outcome;                    ///< without meaning there
};

/** Brings a setting to the baseline's entropy and looks at it. */
Trial try_setting(const Family& family, const Baseline& baseline, std::vector<double> unit);

/** The trial of least collision within the limits; null if none keeps them. */
const Trial* best_of(std::span<const Trial> trials, const Limits& limits);

/** Tries a setting, or knows it from before. */
using Try = std::function<Trial(std::vector<double> unit)>;

/** `evaluations` trials, or one where the family has no knob. The goals say around what the second half looks. */
std::vector<Trial> search(const Family& family, const Try& attempt, std::span<const Limits> goals, std::size_t evaluations,
                          std::uint64_t seed);

/** The i-th of Halton's points, i >= 1, [dimensions] of at most 6 (Halton 1960). */
std::vector<double> halton(std::size_t i, std::size_t dimensions);

}  // namespace hlg::eval
