// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "eval/bootstrap.hpp"
#include "eval/diversity.hpp"
#include "eval/hypothesis.hpp"

namespace hlg::eval {

/** A difference of two samplers, paired by prompt. */
struct PairedDifference {
    std::size_t prompts = 0;  ///< those where both have a value
    Interval mean = {};       ///< bootstrap over prompts
    Estimate estimate = {};   ///< for t tests on prompts
    double deviation = 0.0;   ///< standard deviation of the prompts' differences
    double p = 1.0;           ///< of no difference, two-sided
};

/** One sampler's values less the other's, [prompts] each; NaN = none. Throws std::invalid_argument below two prompts. */
PairedDifference paired_by_prompt(std::span<const double> a, std::span<const double> b, const BootstrapOptions& options);

/** A band's values of one configuration and measure, [prompts]. */
std::vector<double> values_of(const DrawnBand& band, std::size_t configuration, TextMeasure measure);

/** The two parts of the claim on one band: configuration 0 less configuration 1. */
struct Primary {
    PairedDifference dissimilarity;
    PairedDifference non_words;
    PairedDifference surprisal;
    double corrected = 0.0;   ///< difference of dissimilarity at equal surprisal, by the rival's slope
    double no_worse = 1.0;    ///< p of the non-words being worse by the margin or more
    double equivalent = 1.0;  ///< p of them being outside the margins on either side

    [[nodiscard]] bool more_diverse() const;
    [[nodiscard]] bool as_clean() const;
};

Primary primary_of(const DrawnBand& band, double rival_slope, const BootstrapOptions& options);

inline constexpr double dissimilarity_margin = 0.01;
inline constexpr double non_word_margin = 0.01;  ///< share of words

enum class Verdict { confirmed, refuted, not_shown };

/** As the plan says. */
Verdict verdict_of(const Primary& held_out, const Primary& replication);

}  // namespace hlg::eval
