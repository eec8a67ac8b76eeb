// SPDX-License-Identifier: MIT
#include "eval/bootstrap.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace hlg::eval {
namespace {

// With fewer series, drawing among them says more about the few than about the many they stand for.
constexpr std::size_t least_series = 4;

/** The value that a share of the sorted values lies below, between neighbours by a straight line. */
double quantile(const std::vector<double>& sorted, double share) {
    const double place = share * static_cast<double>(sorted.size() - 1);
    const auto below = static_cast<std::size_t>(place);
    const std::size_t above = std::min(below + 1, sorted.size() - 1);
    return sorted[below] + (place - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

void add_blocks(const std::vector<std::size_t>& series, std::size_t length, Random& random, std::span<double> times) {
    const std::size_t block = std::min(std::max<std::size_t>(length, 1), series.size());
    for (std::size_t taken = 0; taken < series.size();) {
        const std::size_t start = random.below(series.size() - block + 1);
        for (std::size_t i = 0; i < block && taken < series.size(); ++i, ++taken) times[series[start + i]] += 1.0;
    }
}

/** The percentile interval of what the resamples gave. */
Interval interval_of(double estimate, std::vector<double>& found, const BootstrapOptions& options) {
    constexpr double nothing = std::numeric_limits<double>::quiet_NaN();
    if (found.empty() || 2 * found.size() < options.resamples || std::isnan(estimate)) return {estimate, nothing, nothing};
    std::sort(found.begin(), found.end());
    return {estimate, quantile(found, (1.0 - options.level) / 2.0), quantile(found, (1.0 + options.level) / 2.0)};
}

}  // namespace

Resampling Resampling::independent(std::size_t n) {
    Resampling made;
    made.observations_ = n;
    made.series_.resize(1);
    made.series_.front().resize(n);
    std::iota(made.series_.front().begin(), made.series_.front().end(), std::size_t{0});
    return made;
}

Resampling Resampling::clustered(std::span<const std::size_t> cluster_of) {
    Resampling made;
    made.observations_ = cluster_of.size();
    made.draw_series_ = made.whole_series_ = true;
    for (std::size_t i = 0; i < cluster_of.size(); ++i) {
        made.series_.resize(std::max(made.series_.size(), cluster_of[i] + 1));
        made.series_[cluster_of[i]].push_back(i);
    }
    std::erase_if(made.series_, [](const auto& cluster) { return cluster.empty(); });
    return made;
}

Resampling Resampling::blocks(std::vector<std::vector<std::size_t>> series, std::size_t length) {
    Resampling made;
    std::erase_if(series, [](const auto& one) { return one.empty(); });
    for (const auto& one : series) made.observations_ += one.size();
    made.draw_series_ = series.size() >= least_series;
    made.series_ = std::move(series);
    made.length_ = length;
    return made;
}

void Resampling::draw(Random& random, std::span<double> times) const {
    std::fill(times.begin(), times.end(), 0.0);
    for (std::size_t i = 0; i < series_.size(); ++i) {
        const std::vector<std::size_t>& one = series_[draw_series_ ? random.below(series_.size()) : i];
        if (!whole_series_) {
            add_blocks(one, length_, random, times);
            continue;
        }
        for (const std::size_t observation : one) times[observation] += 1.0;
    }
}

Interval bootstrap(const Resampling& resampling, const Statistic& statistic, const BootstrapOptions& options) {
    const auto one = [&](std::span<const double> times, std::span<double> values) { values.front() = statistic(times); };
    return bootstrap(resampling, one, 1, options).front();
}

std::vector<Interval> bootstrap(const Resampling& resampling, const Statistics& statistics, std::size_t count,
                                const BootstrapOptions& options) {
    std::vector<double> times(resampling.observations(), 1.0);
    std::vector<double> values(count);
    statistics(times, values);
    const std::vector<double> estimates = values;
    std::vector<std::vector<double>> found(count);
    Random random(options.seed);
    for (std::size_t i = 0; i < options.resamples; ++i) {
        resampling.draw(random, times);
        statistics(times, values);
        for (std::size_t k = 0; k < count; ++k)
            if (!std::isnan(values[k])) found[k].push_back(values[k]);
    }
    std::vector<Interval> intervals;
    intervals.reserve(count);
    for (std::size_t k = 0; k < count; ++k) intervals.push_back(interval_of(estimates[k], found[k], options));
    return intervals;
}

}  // namespace hlg::eval
