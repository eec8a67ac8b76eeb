// SPDX-License-Identifier: MIT
#include "eval/hypothesis.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <stdexcept>

#include <boost/math/distributions/chi_squared.hpp>
#include <boost/math/distributions/students_t.hpp>

namespace hlg::eval {
namespace {

/** P(t > x). */
double upper_tail(double x, double degrees) {
    if (std::isinf(x)) return x > 0 ? 0.0 : 1.0;
    return boost::math::cdf(boost::math::complement(boost::math::students_t(degrees), x));
}

/** A difference in standard errors; without any scatter it is certain. */
double scaled(double difference, double standard_error) {
    if (standard_error > 0) return difference / standard_error;
    if (difference == 0) return 0.0;
    return difference > 0 ? HUGE_VAL : -HUGE_VAL;
}

ChiSquareResult judged(double statistic, double degrees) {
    if (!(degrees > 0)) return {statistic, 0.0, 1.0};
    return {statistic, degrees, boost::math::cdf(boost::math::complement(boost::math::chi_squared(degrees), statistic))};
}

}  // namespace

std::vector<double> holm(std::span<const double> p_values) {
    std::vector<std::size_t> order(p_values.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return p_values[a] < p_values[b]; });
    std::vector<double> adjusted(p_values.size());
    double largest = 0.0;
    for (std::size_t rank = 0; rank < order.size(); ++rank) {
        largest = std::max(largest, std::min(1.0, p_values[order[rank]] * static_cast<double>(order.size() - rank)));
        adjusted[order[rank]] = largest;
    }
    return adjusted;
}

double t_test(const Estimate& difference) {
    return std::min(1.0, 2.0 * upper_tail(std::abs(scaled(difference.value, difference.standard_error)), difference.degrees));
}

double tost(const Estimate& difference, double low, double high) {
    const double above_low = upper_tail(scaled(difference.value - low, difference.standard_error), difference.degrees);
    const double below_high = upper_tail(scaled(high - difference.value, difference.standard_error), difference.degrees);
    return std::max(above_low, below_high);
}

Estimate paired_difference(std::span<const double> differences, std::span<const double> weights,
                           std::span<const std::size_t> cluster_of) {
    double total = 0.0;
    double sum = 0.0;
    for (std::size_t i = 0; i < differences.size(); ++i) {
        total += weights[i];
        sum += weights[i] * differences[i];
    }
    const double mean = sum / total;
    std::vector<double> residual;
    for (std::size_t i = 0; i < differences.size(); ++i) {
        residual.resize(std::max(residual.size(), cluster_of[i] + 1));
        residual[cluster_of[i]] += weights[i] * (differences[i] - mean);
    }
    const auto clusters = static_cast<double>(std::set<std::size_t>(cluster_of.begin(), cluster_of.end()).size());
    if (clusters < 2) throw std::invalid_argument("[paired_difference] needs two clusters");
    const double squares = std::inner_product(residual.begin(), residual.end(), residual.begin(), 0.0);
    return {mean, std::sqrt(squares * clusters / (clusters - 1)) / total, clusters - 1};
}

ChiSquareResult chi_square_fit(std::span<const double> observed, std::span<const double> expected, std::size_t fitted) {
    if (observed.size() != expected.size()) throw std::invalid_argument("[chi_square_fit] sizes differ");
    double statistic = 0.0;
    for (std::size_t i = 0; i < observed.size(); ++i) {
        if (!(expected[i] > 0)) throw std::invalid_argument("[chi_square_fit] nothing is expected in a bin");
        statistic += (observed[i] - expected[i]) * (observed[i] - expected[i]) / expected[i];
    }
    return judged(statistic, static_cast<double>(observed.size()) - 1.0 - static_cast<double>(fitted));
}

ChiSquareResult chi_square_homogeneity(std::span<const double> counts, std::size_t columns) {
    if (columns == 0 || counts.size() % columns != 0) throw std::invalid_argument("[chi_square_homogeneity] not a table");
    const std::size_t rows = counts.size() / columns;
    std::vector<double> row_sum(rows);
    std::vector<double> column_sum(columns);
    for (std::size_t i = 0; i < counts.size(); ++i) {
        row_sum[i / columns] += counts[i];
        column_sum[i % columns] += counts[i];
    }
    const double total = std::accumulate(row_sum.begin(), row_sum.end(), 0.0);
    const auto used = [](const std::vector<double>& sums) {
        return static_cast<double>(std::count_if(sums.begin(), sums.end(), [](double sum) { return sum > 0; }));
    };
    double statistic = 0.0;
    for (std::size_t i = 0; i < counts.size(); ++i) {
        const double expected = row_sum[i / columns] * column_sum[i % columns] / total;
        if (expected > 0) statistic += (counts[i] - expected) * (counts[i] - expected) / expected;
    }
    return judged(statistic, (used(row_sum) - 1) * (used(column_sum) - 1));
}

}  // namespace hlg::eval
