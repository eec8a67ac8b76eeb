// Pearson's chi-square test of drawn tokens against a distribution.
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace hlg::test {

/**
 * How tokens share bins. A token expected at least five times has a bin of its own; the others are gathered in this order
 * until a bin expects five. By probability tells a wrong tail; by token tells a wrong place.
 */
enum class Pooling { by_probability, by_token };

struct ChiSquare {
    double statistic = 0;
    std::size_t bins = 0;
    double p_value = 1;          ///< chance of a statistic at least this large if the draws are right
    std::size_t impossible = 0;  ///< draws of tokens whose probability is 0

    /** Whether the draws may come from the distribution. */
    [[nodiscard]] bool plausible() const noexcept { return impossible == 0 && p_value > kSignificance; }
    [[nodiscard]] std::string text() const;

    /** Seeds are fixed, so a test passes or fails for good; a right sampler meets this in one of a million seeds. */
    static constexpr double kSignificance = 1e-6;
};

/** counts[i] draws of a token of probability probabilities[i]. */
ChiSquare chi_square(std::span<const double> probabilities, std::span<const std::uint64_t> counts, Pooling pooling);

/** The upper tail Q(k/2, x/2) of the chi-square distribution with k degrees of freedom. */
double chi_square_tail(double x, double degrees);

}  // namespace hlg::test
