// Samplers by hand where the arithmetic is short, and against libhlg's own, which has tests of its own.
#include "eval/rules.hpp"

#include <gtest/gtest.h>

#include "eval/expand.hpp"
#include "hlg/sampler.hpp"

namespace hlg::eval {
namespace {

void expect_near(const std::vector<double>& found, const std::vector<double>& expected, double error = 1e-6) {
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], expected[i], error) << "token " << i;
}

const std::vector<float> five = logits_of({0.4, 0.3, 0.15, 0.1, 0.05});

TEST(Rules, CutsByHand) {
    expect_near(drawn_from(*top_k_rule(2), five, 1), {4 / 7.0, 3 / 7.0, 0, 0, 0});
    expect_near(drawn_from(*top_p_rule(0.75), five, 1), {8 / 17.0, 6 / 17.0, 3 / 17.0, 0, 0});
    expect_near(drawn_from(*top_p_rule(0.65), five, 1), {4 / 7.0, 3 / 7.0, 0, 0, 0});
    expect_near(drawn_from(*min_p_rule(0.3), five, 1), {8 / 17.0, 6 / 17.0, 3 / 17.0, 0, 0});
    expect_near(drawn_from(*epsilon_rule(0.2), five, 1), {4 / 7.0, 3 / 7.0, 0, 0, 0});
    expect_near(drawn_from(*epsilon_rule(0.9), five, 1), {1, 0, 0, 0, 0});
    // Temperature acts on what is left: at one half, weights are squared.
    expect_near(drawn_from(*top_k_rule(2), five, 0.5), {0.16 / 0.25, 0.09 / 0.25, 0, 0, 0});
}

TEST(Rules, CutsAmongEqualsKeepTheLowestIds) {
    const std::vector<float> equal{0, 1, 1, 1, 1};
    expect_near(drawn_from(*top_k_rule(2), equal, 1), {0, 0.5, 0.5, 0, 0});
    const double p = std::exp(1.0) / (4 * std::exp(1.0) + 1);
    expect_near(drawn_from(*top_p_rule(2.5 * p), equal, 1), {0, 1 / 3.0, 1 / 3.0, 1 / 3.0, 0});
    expect_near(drawn_from(*min_p_rule(1), equal, 1), {0, 0.25, 0.25, 0.25, 0.25});
}

TEST(Rules, XtcIsAMixture) {
    // .4, .3 and .15 have at least .12; the last of them stays.
    expect_near(drawn_from(*xtc_rule(0.12, 1.0), five, 1), {0, 0, 0.5, 1 / 3.0, 1 / 6.0});
    expect_near(drawn_from(*xtc_rule(0.12, 0.5), five, 1), {0.2, 0.15, 0.075 + 0.25, 0.05 + 1 / 6.0, 0.025 + 1 / 12.0});
    expect_near(drawn_from(*xtc_rule(0.35, 1.0), five, 1), {0.4, 0.3, 0.15, 0.1, 0.05});  // one such token: nothing to do
    const std::vector<float> equal{1, 1, 1, 0};
    const double p = std::exp(1.0) / (3 * std::exp(1.0) + 1);
    ASSERT_GT(p, 0.29);
    expect_near(drawn_from(*xtc_rule(0.29, 1.0), equal, 1), {0, 0, p / (1 - 2 * p), (1 - 3 * p) / (1 - 2 * p)});
}

TEST(Rules, QuadraticByHand) {
    const std::vector<float> logits{2, 1, 0};
    const auto weights = [](double a, double b) {
        const double sum = 1 + std::exp(a) + std::exp(b);
        return std::vector<double>{1 / sum, std::exp(a) / sum, std::exp(b) / sum};
    };
    expect_near(drawn_from(*quadratic_rule(0.3, 1), logits, 1), weights(-0.3, -1.2));        // -f d^2
    expect_near(drawn_from(*quadratic_rule(0.3, 3), logits, 1), weights(-0.3, -2.4));        // f d^3
    expect_near(drawn_from(*quadratic_rule(0.3, 2), logits, 2), weights(-0.15, -0.15 * 6));  // half of each, at T = 2
}

TEST(Rules, TopHKeepsHalfTheEntropy) {
    const Context context = make_context(five);
    // Entropies of the first one, two, three tokens by themselves: 0, .683, 1.03; of all five: 1.39.
    EXPECT_NEAR(context.entropy, 1.3921, 1e-3);
    expect_near(drawn_from(*top_h_rule(0.6), five, 1), {4 / 7.0, 3 / 7.0, 0, 0, 0});
    expect_near(drawn_from(*top_h_rule(0.4), five, 1), {1, 0, 0, 0, 0});
    expect_near(drawn_from(*top_h_rule(0.76), five, 1), {8 / 17.0, 6 / 17.0, 3 / 17.0, 0, 0});
    const std::vector<float> equal(8, 1.0F);
    expect_near(drawn_from(*top_h_rule(0.7), equal, 1), {0.25, 0.25, 0.25, 0.25, 0, 0, 0, 0});  // ln 4 = .667 ln 8
}

TEST(Rules, PLessCutsAtTheCollision) {
    // Sum of squares .16 + .09 + .0225 + .01 + .0025 = .285.
    expect_near(drawn_from(*p_less_rule(), five, 1), {4 / 7.0, 3 / 7.0, 0, 0, 0});
    expect_near(drawn_from(*p_less_rule(), std::vector<float>(5, 1.0F), 1), std::vector<double>(5, 0.2));
}

TEST(Rules, HlgIsLibhlgs) {
    const std::vector<std::vector<float>> all{five, random_logits(2000, 2, 6, 1), random_logits(512, 1, 0, 2),
                                              std::vector<float>{1, 1, 1, 0, 0}};
    for (const std::vector<float>& logits : all)
        for (const Pivot pivot : {Pivot::top, Pivot::entropy, Pivot::median})
            for (const ToeShape shape : {ToeShape::log, ToeShape::fade})
                for (const double temperature : {0.7, 1.0, 1.6}) {
                    const CurveParams params{pivot, 1.3, 0.7, 0.4, 1.5, shape};
                    hlg::Sampler sampler({.temperature = temperature, .hlg = params});
                    std::vector<double> expected(logits.size());
                    ASSERT_EQ(sampler.probabilities({.logits = logits}, expected), Status::ok);
                    const std::vector<double> found = drawn_from(*hlg_rule(params), logits, temperature);
                    for (std::size_t i = 0; i < found.size(); ++i)
                        ASSERT_NEAR(found[i], expected[i], 1e-5 * expected[i] + 1e-9) << i;
                }
}

TEST(Rules, TruncationsAreLibhlgs) {
    for (const std::vector<float>& logits : {random_logits(2000, 2, 6, 1), random_logits(512, 1, 0, 2)})
        for (const double temperature : {0.7, 1.4}) {
            const auto expect_same = [&](const SamplerPointer& rule, const SamplerParams& params) {
                std::vector<double> expected(logits.size());
                ASSERT_EQ(hlg::Sampler(params).probabilities({.logits = logits}, expected), Status::ok);
                expect_near(drawn_from(*rule, logits, temperature), expected);
            };
            expect_same(temperature_rule(), {.temperature = temperature});
            expect_same(top_k_rule(40), {.temperature = temperature, .top_k = 40});
            expect_same(top_p_rule(0.9), {.temperature = temperature, .top_p = 0.9});
            expect_same(min_p_rule(0.05), {.temperature = temperature, .min_p = 0.05});
        }
}

TEST(Rules, EntropyWithoutTheDistributionIsTheSame) {
    const std::vector<float> logits = random_logits(2000, 2, 6, 3);
    const Context context = make_context(logits);
    for (const SamplerPointer& rule :
         {temperature_rule(), top_p_rule(0.9), xtc_rule(0.05, 0.5), dynamic_temperature_rule(0.01, 0.5, 1)}) {
        const Candidates left = rule->candidates(context);
        Distribution distribution;
        heat(left, 1.2, distribution);
        double entropy = 0.0;
        for (std::size_t i = 0; i < left.cells(); ++i) entropy -= left.count[i] * distribution.q[i] * std::log(distribution.q[i]);
        EXPECT_NEAR(heated_entropy(left, 1.2), entropy, 1e-12);
    }
}

}  // namespace
}  // namespace hlg::eval
