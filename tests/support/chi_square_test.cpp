// The judge is judged first: known values, right draws, wrong draws.
#include "support/chi_square.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "support/logits.hpp"

namespace hlg::test {
namespace {

TEST(ChiSquare, TailHasThePublishedValues) {
    // Percentage points of the chi-square distribution from any table.
    EXPECT_NEAR(chi_square_tail(3.841458820694124, 1), 0.05, 1e-12);
    EXPECT_NEAR(chi_square_tail(18.30703805327515, 10), 0.05, 1e-12);
    EXPECT_NEAR(chi_square_tail(23.20925115895436, 10), 0.01, 1e-12);
    EXPECT_NEAR(chi_square_tail(124.34211340400407, 100), 0.05, 1e-12);
    // Two degrees of freedom are an exponential distribution.
    for (const double x : {0.1, 1.0, 10.0, 30.0}) EXPECT_NEAR(chi_square_tail(x, 2) / std::exp(-x / 2), 1, 1e-11);
    // Many degrees: Wilson and Hilferty's normal approximation of the cube root.
    for (const double k : {1e3, 1e5}) {
        const double x = k * std::pow(1 - 2 / (9 * k) + 4.753424 * std::sqrt(2 / (9 * k)), 3);
        EXPECT_NEAR(chi_square_tail(x, k) / 1e-6, 1, 0.05);
    }
    EXPECT_EQ(chi_square_tail(0, 5), 1);
    EXPECT_EQ(chi_square_tail(5, 0), 1);
}

std::vector<std::uint64_t> draw(const std::vector<double>& probabilities, std::size_t draws, std::uint64_t seed) {
    Random random(seed);
    std::vector<std::uint64_t> counts(probabilities.size());
    for (std::size_t i = 0; i < draws; ++i) {
        double goal = random.uniform();
        std::size_t token = 0;
        while (token + 1 < probabilities.size() && goal >= probabilities[token]) goal -= probabilities[token++];
        ++counts[token];
    }
    return counts;
}

TEST(ChiSquare, RightDrawsHaveUniformPValues) {
    const std::vector<double> p{0.5, 0.2, 0.1, 0.1, 0.05, 0.03, 0.01, 0.01};
    int below_half = 0;
    for (std::uint64_t seed = 0; seed < 400; ++seed) {
        const ChiSquare result = chi_square(p, draw(p, 2000, seed), Pooling::by_token);
        EXPECT_TRUE(result.plausible()) << result.text();
        below_half += result.p_value < 0.5 ? 1 : 0;
    }
    EXPECT_NEAR(below_half, 200, 50);  // five standard deviations
}

TEST(ChiSquare, ATiltedBinFails) {
    const std::vector<double> p(10, 0.1);
    std::vector<double> tilted = p;
    tilted[3] = 0.103;
    tilted[7] = 0.097;
    const auto counts = draw(tilted, 1'000'000, 1);
    EXPECT_FALSE(chi_square(p, counts, Pooling::by_token).plausible());
    EXPECT_FALSE(chi_square(p, counts, Pooling::by_probability).plausible());
    EXPECT_FALSE(worst_chi_square(p, counts).plausible());
}

TEST(ChiSquare, ATiltedFavouriteAmongManyFails) {
    std::vector<double> p(2001, 0.9 / 2000);
    p[0] = 0.1;
    std::vector<double> tilted = p;
    tilted[0] = 0.104;
    for (std::size_t i = 1; i <= 2000; ++i) tilted[i] = (1 - tilted[0]) / 2000;
    EXPECT_FALSE(worst_chi_square(p, draw(tilted, 200'000, 2)).plausible());
    EXPECT_TRUE(worst_chi_square(p, draw(p, 200'000, 2)).plausible());
}

TEST(ChiSquare, AnImpossibleDrawFails) {
    const std::vector<double> p{0.75, 0.25, 0};
    const std::vector<std::uint64_t> counts{750, 250, 1};
    const ChiSquare result = chi_square(p, counts, Pooling::by_token);
    EXPECT_EQ(result.impossible, 1U);
    EXPECT_FALSE(result.plausible());
}

TEST(ChiSquare, RareTokensShareBinsThatExpectFive) {
    const std::vector<double> p(1000, 0.001);
    const ChiSquare result = chi_square(p, std::vector<std::uint64_t>(1000, 1), Pooling::by_token);
    EXPECT_GE(result.bins, 166U);
    EXPECT_LE(result.bins, 200U);
}

}  // namespace
}  // namespace hlg::test
