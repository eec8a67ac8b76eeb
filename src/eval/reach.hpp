// SPDX-License-Identifier: MIT
//
// What can a sampler do that no truncation can? The smallest total variation distance between its distribution and temperature on
// any prefix of the ranking, at any temperature: what top-k, top-p, min-p, top-n-sigma or epsilon could do at best, each context
// by itself.
//
// A prefix k at slope s gives r_i = w_i / Z_k with w_i = exp(s x_i), and TV = sum of (r_i - q_i)+. As the prefix grows, Z_k
// grows, and a token passes from over q to under it once, where Z_k passes w_i / q_i. So one walk down the ranking with a heap of
// these thresholds gives the distance of all prefixes: O(n log n). Over an interval of slopes, s1 to s2, weights and sums lie
// between those of its ends (x_i <= 0), which bounds TV from below by the same walk; dividing intervals until the bounds meet
// certifies the minimum.
#pragma once

#include <cstddef>
#include <limits>
#include <vector>

#include "eval/sampler.hpp"

namespace hlg::eval {

/** The whole ranking: tokens that share a logit and a probability, the largest logit first. */
struct Ranking {
    std::vector<double> logit;  ///< [runs] relative to the largest, <= 0
    std::vector<double> count;  ///< [runs] tokens
    std::vector<double> q;      ///< [runs] of one token
};
Ranking ranking_of(const Context& context, const Candidates& left, const Distribution& distribution);

inline constexpr double no_slope_is_steeper = std::numeric_limits<double>::infinity();

/** A prefix and its distance. */
struct PrefixFit {
    double distance = 1.0;
    double tokens = 1.0;
};

/** The nearest prefix at this slope, exactly. */
PrefixFit nearest_prefix(const Ranking& ranking, double slope);

/** No prefix at any slope from `low` to `high` (infinite: greedy) is nearer than this; equal to nearest_prefix where they are
 * equal. */
double least_distance(const Ranking& ranking, double low, double high);

/** The distance of one prefix at one slope. */
double distance_to_prefix(const Ranking& ranking, double tokens, double slope);

struct Reach {
    double distance = 1.0;  ///< of the nearest one found
    double error = 1.0;     ///< none is nearer than distance - error
    double slope = 1.0;
    double tokens = 1.0;
};

/** Over all slopes from 0 on. `hint` is a slope to begin with: the sampler's own. Stops at an error of `tolerance`, or after
 * `rounds`. */
Reach reach_of(const Ranking& ranking, double hint, double tolerance = 1e-3, std::size_t rounds = 2000);

}  // namespace hlg::eval
