// Where in a distribution a share of the mass is likely to be reached: an interval of logits, estimated from a sample.
#pragma once

#include <span>
#include <vector>

#include "sample/kernels.hpp"

namespace hlg::sample {

/** The logits low <= x < high. */
struct Bracket {
    float low;
    float high;
};

class Sample {
public:
    /** Begins a new one. `base` as in Kernels::weights. */
    void clear(const Kernels& kernels, float base);

    /** Adds logits that are all there are of their kind. */
    void add_all(std::span<const float> x);

    /**
     * Adds, as the last, some of x, from all over it, to stand for x. Where the maxima of its blocks are given, those have been
     * added already, and logits that reach their block's are left out.
     */
    void add_some(std::span<const float> x, std::span<const float> block_maxima);

    /** A mass to reach: so much of what the sample stands for in all, and so much besides. */
    struct Goal {
        double share;
        double mass;
    };

    /**
     * Narrows a range, which holds everything that counts, down to where the mass, sorted downwards, first reaches the goal:
     * likely, not certainly, for it comes from a sample.
     */
    [[nodiscard]] Bracket find(Goal goal, Bracket range) const;

    /** How many tokens are likely in there. */
    [[nodiscard]] double tokens(Bracket bracket) const;

private:
    struct Limits {
        double least;
        double most;
    };

    void append(std::span<const float> x);
    [[nodiscard]] Limits limits(double goal, double total, float near) const;

    const Kernels* kernels_ = nullptr;
    float base_ = 0;
    std::size_t size_ = 0;
    std::size_t some_ = 0;  ///< the last, those added by add_some()
    double each_ = 0;       ///< tokens that one of those stands for
    double variance_ = 0;   ///< of the sum of their weights
    std::vector<float> x_;
    std::vector<float> weights_;
};

}  // namespace hlg::sample
