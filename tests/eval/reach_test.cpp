// The nearest prefix against trying every one, its bounds against many slopes, and the controls.
#include "eval/reach.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "eval/expand.hpp"
#include "eval/rules.hpp"

namespace hlg::eval {
namespace {

Ranking ranking_for(const SamplerPointer& rule, const std::vector<float>& logits, double temperature) {
    const Context context = make_context(logits);
    const Candidates left = rule->candidates(context);
    Distribution distribution;
    heat(left, temperature, distribution);
    SamplerState state = rule->start();
    rule->finish(context, left, state, distribution);
    return ranking_of(context, left, distribution);
}

std::vector<std::vector<float>> some_logits() {
    std::vector<float> equal(60);
    for (std::size_t i = 0; i < equal.size(); ++i) {
        const std::size_t step = i / 7;  // seven alike on each
        equal[i] = -static_cast<float>(step);
    }
    return {random_logits(80, 1.5, 4, 1), random_logits(150, 0.8, 0, 2), random_logits(100, 3, 1, 3), equal};
}

std::vector<SamplerPointer> some_rules() {
    return {quadratic_rule(0.3, 1), hlg_rule({Pivot::entropy, 1.5, 1, 0.3, 1.2, ToeShape::fade}), xtc_rule(0.05, 0.5),
            typical_rule(0.7)};
}

/** Every prefix, one after the other. */
PrefixFit by_trying(const Ranking& ranking, double slope) {
    double tokens = 0.0;
    for (const double count : ranking.count) tokens += count;
    PrefixFit best{2.0, 0.0};
    for (std::size_t n = 1; n <= static_cast<std::size_t>(tokens); ++n) {
        const auto k = static_cast<double>(n);
        const double distance = distance_to_prefix(ranking, k, slope);
        if (distance < best.distance) best = {distance, k};
    }
    return best;
}

TEST(Reach, DistanceByHand) {
    // q = .5, .3, .2 beside .75, .25, 0: .25.
    const Ranking ranking{{0.0, -std::log(3.0), -2.0}, {1, 1, 1}, {0.5, 0.3, 0.2}};
    EXPECT_NEAR(distance_to_prefix(ranking, 2, 1.0), 0.25, 1e-12);
    EXPECT_NEAR(distance_to_prefix(ranking, 1, 1.0), 0.5, 1e-12);
}

TEST(Reach, TheWalkIsExact) {
    for (const std::vector<float>& logits : some_logits())
        for (const SamplerPointer& rule : some_rules()) {
            const Ranking ranking = ranking_for(rule, logits, 1.1);
            for (const double slope : {0.0, 0.4, 1.0, 1.7, 5.0}) {
                const PrefixFit expected = by_trying(ranking, slope);
                const PrefixFit found = nearest_prefix(ranking, slope);
                ASSERT_NEAR(found.distance, expected.distance, 1e-10) << slope;
                ASSERT_NEAR(distance_to_prefix(ranking, found.tokens, slope), expected.distance, 1e-10);
            }
        }
}

TEST(Reach, NoSlopeOfAnIntervalIsBelowItsBound) {
    for (const std::vector<float>& logits : some_logits())
        for (const SamplerPointer& rule : some_rules()) {
            const Ranking ranking = ranking_for(rule, logits, 0.9);
            for (const auto& [low, high] : {std::pair(0.5, 0.52), std::pair(0.8, 1.2), std::pair(0.0, 3.0)}) {
                const double bound = least_distance(ranking, low, high);
                for (int i = 0; i <= 20; ++i)
                    ASSERT_LE(bound, nearest_prefix(ranking, low + (high - low) * i / 20.0).distance + 1e-10) << low;
            }
            ASSERT_LE(least_distance(ranking, 20, no_slope_is_steeper), nearest_prefix(ranking, 60).distance + 1e-10);
        }
}

TEST(Reach, CertifiesTheMinimum) {
    for (const std::vector<float>& logits : some_logits())
        for (const SamplerPointer& rule : some_rules()) {
            const Ranking ranking = ranking_for(rule, logits, 1.0);
            const Reach reach = reach_of(ranking, 1.0, 2e-3);
            EXPECT_LE(reach.error, 2e-3);
            EXPECT_NEAR(distance_to_prefix(ranking, reach.tokens, reach.slope), reach.distance, 1e-10);
            for (int i = 0; i <= 400; ++i) ASSERT_GE(nearest_prefix(ranking, 0.01 * i).distance, reach.distance - 2e-3 - 1e-10);
        }
}

TEST(Reach, TemperatureWithAnyCutIsWithinReach) {
    for (const std::vector<float>& logits : some_logits())
        for (const double temperature : {0.6, 1.0, 1.9})
            for (const SamplerPointer& rule : {temperature_rule(), top_k_rule(7), top_p_rule(0.8), min_p_rule(0.05),
                                               top_n_sigma_rule(1.5), dynamic_temperature_rule(0.02, 0.5, 1)}) {
                const Candidates left = rule->candidates(make_context(logits));
                const Reach reach = reach_of(ranking_for(rule, logits, temperature), 1.0 / (temperature * left.factor));
                EXPECT_NEAR(reach.distance, 0.0, 1e-9);
                EXPECT_NEAR(reach.error, 0.0, 1e-9);
            }
}

TEST(Reach, QuadraticSmoothingIsOutOfReach) {
    const Reach reach = reach_of(ranking_for(quadratic_rule(0.3, 1), random_logits(150, 0.8, 0, 2), 1.0), 1.0);
    EXPECT_GT(reach.distance - reach.error, 0.01);
}

}  // namespace
}  // namespace hlg::eval
