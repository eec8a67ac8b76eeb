// Probabilities, shaped logits and statistics against the reference.
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "sample/cases.hpp"
#include "support/reference.hpp"

namespace hlg::test {
namespace {

// The library's pivot, which for `entropy` and `median` is good to 1e-5 nats; the rest is compared beyond that accuracy.
double pivot_of(const Case& made) {
    Statistics statistics;
    Sampler sampler(made.params);
    EXPECT_EQ(sampler.statistics(made.step(), -10, statistics), Status::ok);
    return statistics.pivot;
}

void expect_same_distribution(const Case& made) {
    Sampler sampler(made.params);
    std::vector<double> p(made.logits.size());
    std::vector<float> shaped(made.logits.size());
    ASSERT_EQ(sampler.probabilities(made.step(), p), Status::ok);
    ASSERT_EQ(sampler.shape(made.step(), shaped), Status::ok);
    const Reference expected = reference_at(made.params, made.step(), pivot_of(made));
    EXPECT_NEAR(std::accumulate(p.begin(), p.end(), 0.0), 1, 1e-12);
    for (std::size_t i = 0; i < p.size(); ++i) {
        if (std::isinf(expected.shaped[i])) {
            ASSERT_EQ(shaped[i], expected.shaped[i]) << i;
            ASSERT_EQ(p[i], 0) << i;
            continue;
        }
        // One float32 ulp of the value, where float64's rounding of the curve tips the scale.
        const double ulp = std::abs(static_cast<double>(expected.value[i])) * 0x1p-23 * static_cast<double>(expected.gain);
        ASSERT_NEAR(shaped[i], expected.shaped[i], 1.5 * ulp) << i;
        ASSERT_NEAR(p[i], expected.probabilities[i], (1.5 * ulp + 1e-10) * expected.probabilities[i] + 1e-300) << i;
    }
}

TEST(Distribution, AgreesWithTheReference) {
    for (const Plan& plan : plain_plans()) {
        SCOPED_TRACE(plan.name());
        expect_same_distribution(make(plan));
    }
}

TEST(Distribution, AgreesWithTheReferenceWithEditsAndMasks) {
    for (const Plan& plan : changed_plans()) {
        SCOPED_TRACE(plan.name());
        expect_same_distribution(make(plan));
    }
}

TEST(Distribution, ShapedLogitsGiveTheProbabilities) {
    for (const Plan& plan :
         {Plan{32000, Shape::open, 4, 1.0, Change::penalties}, Plan{512, Shape::confident, 2, 0.7, Change::half_masked}}) {
        const Case made = make(plan);
        Sampler sampler(made.params);
        std::vector<double> p(made.logits.size());
        std::vector<float> shaped(made.logits.size());
        ASSERT_EQ(sampler.probabilities(made.step(), p), Status::ok);
        ASSERT_EQ(sampler.shape(made.step(), shaped), Status::ok);
        const std::vector<double> q = softmax(shaped);
        for (std::size_t i = 0; i < p.size(); ++i) ASSERT_NEAR(p[i], q[i], 1e-5 * p[i] + 1e-300);
    }
}

void expect_statistics(const Case& made, double log_prob) {
    Sampler sampler(made.params);
    Statistics found;
    ASSERT_EQ(sampler.statistics(made.step(), log_prob, found), Status::ok);
    const Statistics expected = reference_statistics(made.params, made.step(), log_prob);
    EXPECT_NEAR(found.entropy, expected.entropy, 1e-4);
    EXPECT_NEAR(found.model_entropy, expected.model_entropy, 1e-9);
    EXPECT_NEAR(found.top1, expected.top1, 1e-4 * expected.top1);
    EXPECT_NEAR(found.collision, expected.collision, 1e-4 * expected.collision);
    EXPECT_NEAR(found.mass_below, expected.mass_below, 1e-4 * expected.mass_below + 1e-12);
    EXPECT_NEAR(found.kl, expected.kl, 1e-4 * (1 + expected.kl));
    EXPECT_EQ(std::isnan(found.pivot), std::isnan(expected.pivot));
    EXPECT_EQ(std::isnan(sampler.pivot()), std::isnan(expected.pivot));
    if (std::isnan(expected.pivot)) return;
    EXPECT_NEAR(found.pivot, expected.pivot, 1e-5);
    EXPECT_EQ(sampler.pivot(), found.pivot);
}

TEST(Distribution, StatisticsAgreeWithTheReference) {
    constexpr double thresholds[] = {-3, -9.21034037, -20};
    std::size_t turn = 0;
    for (const Plan& plan : plain_plans()) {
        SCOPED_TRACE(plan.name());
        expect_statistics(make(plan), thresholds[turn++ % std::size(thresholds)]);
    }
}

TEST(Distribution, StatisticsAgreeWithTheReferenceWithEditsAndMasks) {
    for (const Plan& plan : changed_plans()) {
        SCOPED_TRACE(plan.name());
        expect_statistics(make(plan), -9.21034037);
    }
}

TEST(Distribution, StatisticsOfTruncationsAndOfGreedy) {
    Case made;
    made.logits = synthetic(Shape::open, 3000, 12);
    made.edits = {{4, 2}, {9, kMinusInfinity}};
    for (const SamplerParams& params : {SamplerParams{0.8, 0.9, 0, 0, 0, {}}, SamplerParams{0.8, 1, 50, 0, 0, {}},
                                        SamplerParams{0.8, 1, 0, 0.02, 0, {}}, SamplerParams{0, 1, 0, 0, 0, CurveParams{}}}) {
        made.params = params;
        expect_statistics(made, -7);
    }
}

TEST(Distribution, StatisticsByHand) {
    const std::vector<float> logits(8, 2);
    Statistics found;
    Sampler sampler{SamplerParams{}};
    ASSERT_EQ(sampler.statistics({.logits = logits}, -2, found), Status::ok);
    EXPECT_NEAR(found.entropy, std::log(8), 1e-12);
    EXPECT_NEAR(found.model_entropy, std::log(8), 1e-12);
    EXPECT_NEAR(found.top1, 0.125, 1e-12);
    EXPECT_NEAR(found.collision, 0.125, 1e-12);
    EXPECT_NEAR(found.mass_below, 1, 1e-12);  // ln(1/8) = -2.08
    EXPECT_NEAR(found.kl, 0, 1e-12);
    EXPECT_TRUE(std::isnan(found.pivot));
}

TEST(Distribution, PlainTemperatureIsNoDistanceFromItself) {
    for (const double temperature : {0.1, 1.0, 5.0}) {
        Case made;
        made.logits = synthetic(Shape::open, 5000, 2);
        made.edits = {{1, 3}, {7, kMinusInfinity}};
        made.params.temperature = temperature;
        Statistics found;
        Sampler sampler(made.params);
        ASSERT_EQ(sampler.statistics(made.step(), -10, found), Status::ok);
        EXPECT_NEAR(found.kl, 0, 1e-11);
    }
}

}  // namespace
}  // namespace hlg::test
