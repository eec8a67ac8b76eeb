// SPDX-License-Identifier: MIT
//
// Confidence intervals by resampling. What is resampled decides what an interval means: contexts of one text are not independent,
// so they are drawn as clusters or as blocks, never one by one.
//
//     const Resampling plan = Resampling::blocks(places_of_each_text, 8);
//     const Interval interval = bootstrap(plan, [&](std::span<const double> times) { return weighted_mean(values, times); }, {});
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "eval/random.hpp"

namespace hlg::eval {

/** An estimate and its confidence interval; NaN where there is nothing to estimate from. */
struct Interval {
    double estimate = 0.0;
    double low = 0.0;
    double high = 0.0;
};

/** Which observations are drawn together. */
class Resampling {
public:
    /** n observations that know nothing of each other (Efron 1979). */
    static Resampling independent(std::size_t n);

    /** Whole clusters are drawn; observation i belongs to cluster_of[i]. */
    static Resampling clustered(std::span<const std::size_t> cluster_of);

    /**
     * Moving blocks (Kuensch 1989): each series, a list of observations in their order, is put together anew from stretches of
     * `length` of its own observations, and cut to its size. With four series or more, which series are taken is drawn first, so
     * that the interval speaks of series like these; with fewer it speaks of these alone.
     */
    static Resampling blocks(std::vector<std::vector<std::size_t>> series, std::size_t length);

    [[nodiscard]] std::size_t observations() const noexcept { return observations_; }

    /** How often each observation is in one resample, [observations]. */
    void draw(Random& random, std::span<double> times) const;

private:
    std::vector<std::vector<std::size_t>> series_;
    std::size_t length_ = 1;
    std::size_t observations_ = 0;
    bool draw_series_ = false;
    bool whole_series_ = false;
};

struct BootstrapOptions {
    std::size_t resamples = 2000;
    double level = 0.95;
    std::uint64_t seed = 1;
};

/** A number computed from observations, of which each counts so many times. NaN = not defined for such a resample. */
using Statistic = std::function<double(std::span<const double> times)>;

/** The statistic of all observations with its percentile interval. Resamples that give NaN are left out; if more than half do,
   the ends are NaN. */
Interval bootstrap(const Resampling& resampling, const Statistic& statistic, const BootstrapOptions& options);

/** Several statistics of the same resamples: `statistics` fills its second argument, [count], from the first. */
using Statistics = std::function<void(std::span<const double> times, std::span<double> values)>;
std::vector<Interval> bootstrap(const Resampling& resampling, const Statistics& statistics, std::size_t count,
                                const BootstrapOptions& options);

}  // namespace hlg::eval
