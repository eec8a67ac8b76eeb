// SPDX-License-Identifier: MIT
//
// A sampler at equal entropy, in the few numbers by which it is judged.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "eval/match.hpp"

namespace hlg::eval {

/** What samplers are compared with: the corpus at temperature 1, and the weight of each context. The corpus must outlive it. */
struct Baseline {
    Baseline(const Corpus& corpus, Weighing weighing);

    const Corpus* corpus;
    std::vector<double> weights;  ///< [contexts], 1 in all
    std::vector<Row> rows;        ///< [contexts] of temperature 1
    double entropy = 0.0;         ///< mean, nats: what every sampler is brought to
};

/** All beside temperature 1; NaN where the corpus has no such context. */
struct Outcome {
    double price = 0.0;        ///< mean surprisal more than temperature's at the same mean entropy, nats a token
    double collision = 0.0;    ///< mean sum of q^2 on open contexts, times temperature's
    double open_top1 = 0.0;    ///< mean top-1 mass on open contexts
    double mid = 0.0;          ///< mean change of the top-1 mass on mid contexts
    double slip = 0.0;         ///< mean mass off the top one on confident contexts
    double slip_before = 0.0;  ///< the same at temperature 1
    double tail = 0.0;         ///< mean mass in the deep tail (1e-4), times temperature's
    double tail6 = 0.0;        ///< in the one of 1e-6
};

/** From rows at equal mean entropy; `times` is how often each context counts in a resample, empty = once. */
Outcome outcome_of(const Baseline& baseline, std::span<const Row> rows, std::span<const double> times = {});

/** What a setting must keep to; a limit that is not known of a corpus is no limit. */
struct Limits {
    double price = 0.1;  ///< at most, nats
    bool constrained =
        true;  ///< and: deep tail at most 1/100 of temperature's, mid top-1 at most .03 below, slip at most temperature's
};
inline constexpr double most_tail = 0.01;
inline constexpr double most_mid_loss = 0.03;

bool keeps(const Outcome& outcome, const Limits& limits);

}  // namespace hlg::eval
