// Pearson's chi-square test of drawn tokens against a distribution.
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace hlg::test {

/**
 * How tokens share bins. A token expected often enough has a bin of its own; the others are gathered, in some order, until a bin
 * is. Each way sees a sort of error that drowns in the noise of the others' bins.
 */
enum class Pooling {
    by_probability,  ///< five expected draws a bin, the likeliest tokens first: a wrong tail
    by_token,        ///< the same in the order of ids: a wrong place
    coarse,          ///< a twentieth of the draws a bin, the likeliest tokens first: a wrong share of the head
};

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

/** counts[i] draws of a token of probability probabilities[i], pooled in one way. */
ChiSquare chi_square(std::span<const double> probabilities, std::span<const std::uint64_t> counts, Pooling pooling);

/**
 * Each token that is expected a thousand times against all others together: a single wrong weight. The result of the worst of
 * them, its p-value multiplied by how many there are (Bonferroni).
 */
ChiSquare single_chi_square(std::span<const double> probabilities, std::span<const std::uint64_t> counts);

/** The least plausible result of all these: what the tests judge a sampler by. */
ChiSquare worst_chi_square(std::span<const double> probabilities, std::span<const std::uint64_t> counts);

/** The upper tail Q(k/2, x/2) of the chi-square distribution with k degrees of freedom. */
double chi_square_tail(double x, double degrees);

}  // namespace hlg::test
