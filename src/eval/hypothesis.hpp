// SPDX-License-Identifier: MIT
//
// Tests of hypotheses: p-values, and what becomes of them when there are many. The distributions are Boost.Math's.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace hlg::eval {

/** p-values adjusted for how many there are (Holm 1979), in the order given: reject where one is below the level. */
std::vector<double> holm(std::span<const double> p_values);

/** An estimate of a difference, with its standard error and the degrees of freedom of that. */
struct Estimate {
    double value = 0.0;
    double standard_error = 0.0;
    double degrees = 0.0;
};

/** p of the hypothesis that the difference is 0, two-sided, Student's t. */
double t_test(const Estimate& difference);

/** p of the hypothesis that the difference lies outside low..high: two one-sided t tests (Schuirmann 1987). Small = equivalent.
 */
double tost(const Estimate& difference, double low, double high);

/** A paired difference from values and the weight of each, clusters being what is independent: the weighted mean with its
    cluster-robust standard error (CR1), degrees = clusters - 1. Throws std::invalid_argument below two clusters. */
Estimate paired_difference(std::span<const double> differences, std::span<const double> weights,
                           std::span<const std::size_t> cluster_of);

struct ChiSquareResult {
    double statistic = 0.0;
    double degrees = 0.0;
    double p_value = 1.0;
};

/** Pearson's test of counts against expected counts, of which `fitted` parameters came from the counts. Throws
    std::invalid_argument for other sizes than equal ones, and where nothing is expected. */
ChiSquareResult chi_square_fit(std::span<const double> observed, std::span<const double> expected, std::size_t fitted = 0);

/** Pearson's test that rows of a table of counts, row after row, [rows * columns], have the same shares. Columns and rows without
   a count are left out. */
ChiSquareResult chi_square_homogeneity(std::span<const double> counts, std::size_t columns);

}  // namespace hlg::eval
