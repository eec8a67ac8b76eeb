// p-values against closed forms and against tails that were integrated numerically.
#include "eval/hypothesis.hpp"

#include <cmath>
#include <stdexcept>

#include <gtest/gtest.h>

#include "eval/random.hpp"

namespace hlg::eval {
namespace {

TEST(Holm, AdjustsByRank) {
    const std::vector<double> p{0.01, 0.04, 0.03, 0.005};
    const std::vector<double> expected{0.03, 0.06, 0.06, 0.02};  // 3 x .01; max(2 x .03, .04); 2 x .03; 4 x .005
    const std::vector<double> found = holm(p);
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], expected[i], 1e-15);
    EXPECT_EQ(holm(std::vector<double>{0.7, 0.8}), (std::vector<double>{1.0, 1.0}));
    EXPECT_TRUE(holm({}).empty());
}

TEST(TTest, KnownTails) {
    EXPECT_NEAR(t_test({1.0, 1.0, 3.0}), 2 * 0.1955011094778799, 1e-10);
    EXPECT_NEAR(t_test({-2.1, 1.0, 7.0}), 2 * 0.03693559810646107, 1e-10);
    EXPECT_EQ(t_test({0.0, 0.0, 3.0}), 1.0);
    EXPECT_EQ(t_test({0.5, 0.0, 3.0}), 0.0);
}

TEST(Tost, IsTheWorseOfTwoTails) {
    const Estimate small{0.1, 0.1, 20.0};
    EXPECT_NEAR(tost(small, -0.5, 0.5), 0.00035176164656413553, 1e-10);  // P(t20 > 4), the other is P(t20 > 6)
    EXPECT_GT(tost({0.6, 0.1, 20.0}, -0.5, 0.5), 0.5);                   // outside
    EXPECT_NEAR(tost({0.5, 0.1, 20.0}, -0.5, 0.5), 0.5, 1e-12);          // on the edge
    // A wide estimate is neither different from 0 nor equivalent to it.
    const Estimate wide{0.0, 1.0, 20.0};
    EXPECT_GT(t_test(wide), 0.9);
    EXPECT_GT(tost(wide, -0.5, 0.5), 0.05);
}

TEST(PairedDifference, ClusterRobustByHand) {
    const std::vector<double> differences{1, 2, 3, 4};
    const std::vector<double> ones(4, 1.0);
    const std::vector<std::size_t> clusters{0, 0, 1, 1};
    const Estimate found = paired_difference(differences, ones, clusters);
    EXPECT_DOUBLE_EQ(found.value, 2.5);
    EXPECT_DOUBLE_EQ(found.standard_error, 1.0);  // residual sums -2 and 2: sqrt(8 * 2/1) / 4
    EXPECT_DOUBLE_EQ(found.degrees, 1.0);
    EXPECT_THROW(paired_difference(differences, ones, std::vector<std::size_t>(4, 0)), std::invalid_argument);
}

TEST(PairedDifference, EachOnItsOwnIsTheStandardErrorOfTheMean) {
    const std::vector<double> differences{1, 2, 3, 6};
    const std::vector<double> ones(4, 1.0);
    const std::vector<std::size_t> clusters{0, 1, 2, 3};
    const double variance = (4.0 + 1.0 + 0.0 + 9.0) / 3.0;
    EXPECT_DOUBLE_EQ(paired_difference(differences, ones, clusters).standard_error, std::sqrt(variance / 4.0));
}

TEST(ChiSquare, FitHasItsClosedForm) {
    // With two degrees of freedom the tail is exp(-x/2), with four exp(-x/2) (1 + x/2).
    const ChiSquareResult three = chi_square_fit(std::vector<double>{10, 20, 30}, std::vector<double>{20, 20, 20});
    EXPECT_DOUBLE_EQ(three.statistic, 10.0);
    EXPECT_EQ(three.degrees, 2.0);
    EXPECT_NEAR(three.p_value, std::exp(-5.0), 1e-14);
    const std::vector<double> five{12, 8, 10, 14, 6};
    const ChiSquareResult found = chi_square_fit(five, std::vector<double>(5, 10.0));
    EXPECT_DOUBLE_EQ(found.statistic, 4.0);
    EXPECT_NEAR(found.p_value, std::exp(-2.0) * 3.0, 1e-14);
    EXPECT_EQ(chi_square_fit(five, std::vector<double>(5, 10.0), 2).degrees, 2.0);
    EXPECT_THROW(chi_square_fit(five, std::vector<double>(5, 0.0)), std::invalid_argument);
    EXPECT_THROW(chi_square_fit(five, std::vector<double>(4, 1.0)), std::invalid_argument);
}

TEST(ChiSquare, HomogeneityOfATable) {
    const ChiSquareResult found = chi_square_homogeneity(std::vector<double>{10, 20, 20, 10}, 2);
    EXPECT_DOUBLE_EQ(found.statistic, 20.0 / 3.0);
    EXPECT_EQ(found.degrees, 1.0);
    EXPECT_NEAR(found.p_value, std::erfc(std::sqrt(found.statistic / 2.0)), 1e-12);                // the square of a normal
    EXPECT_EQ(chi_square_homogeneity(std::vector<double>{10, 0, 20, 20, 0, 10}, 3).degrees, 1.0);  // an empty column
}

TEST(ChiSquare, PValuesOfATrueHypothesisAreUniform) {
    Random random(11);
    int below = 0;
    for (int i = 0; i < 1000; ++i) {
        std::vector<double> counts(6);
        for (int draw = 0; draw < 300; ++draw) counts[random.below(6)] += 1.0;
        below += chi_square_fit(counts, std::vector<double>(6, 50.0)).p_value < 0.1 ? 1 : 0;
    }
    EXPECT_NEAR(below, 100, 30);
}

}  // namespace
}  // namespace hlg::eval
