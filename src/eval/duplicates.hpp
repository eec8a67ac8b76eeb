// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace hlg::eval {

/** Contexts whose distributions lie closer than this, in total variation, count as one. */
inline constexpr double near_duplicate = 0.15;

/** Half the sum of |softmax(a) - softmax(b)|: 0 = the same, 1 = nothing in common. Of two distributions, [vocab] each. */
double total_variation(std::span<const float> p, std::span<const float> q);

/**
 * Groups near-duplicates as they come: a distribution joins the first cluster whose founder it is close to, or founds one. Only
 * founders are kept.
 */
class DuplicateFinder {
public:
    /** The cluster, from 0, of the distribution of these logits, [vocab]. All calls have the same vocabulary. */
    std::size_t cluster_of(std::span<const float> logits);

    [[nodiscard]] std::size_t clusters() const noexcept { return founders_.size(); }

private:
    struct Founder {
        std::vector<float> p;
        std::vector<std::size_t> head;  ///< its most probable tokens: where another distribution differs first
    };
    std::vector<Founder> founders_;
};

}  // namespace hlg::eval
