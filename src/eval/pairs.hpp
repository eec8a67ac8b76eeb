// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <vector>

#include "eval/comparison.hpp"

namespace hlg::eval {

/** HLG beside a rival at the price that the rival pays on held-out data. */
struct Pair {
    const Contestant* rival = nullptr;
    double price = 0.0;
    double ratio = 0.0;  ///< of the collisions
    Interval collision;  ///< difference of the relative collisions, HLG less rival
    double p = 1.0;      ///< of no difference, with the blocks of a text taken as independent; NaN with fewer than two

    [[nodiscard]] bool known() const noexcept { return !std::isnan(collision.estimate); }
};

/**
 * Every rival's contestants beside HLG's with the fade toe and the entropy pivot, which was chosen before anything was compared.
 * HLG is taken between its two contestants whose prices enclose the rival's, mixed so that it pays the same: a sampler that flips
 * a coin between two settings. A rival whose price they do not enclose is left out.
 */
std::vector<Pair> pairs_of(const Corpus& corpus, const std::vector<Contestant>& contestants, const MatchOptions& options);

}  // namespace hlg::eval
