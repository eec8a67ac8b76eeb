// Measures by hand, and the temperature that gives an entropy.
#include "eval/measures.hpp"

#include <atomic>
#include <cmath>
#include <stdexcept>
#include <thread>

#include <gtest/gtest.h>

#include "eval/expand.hpp"
#include "eval/match.hpp"
#include "eval/parallel.hpp"
#include "eval/rules.hpp"

namespace hlg::eval {
namespace {

Corpus corpus_of(const std::vector<std::vector<float>>& all, std::optional<std::size_t> next = {}) {
    Corpus corpus;
    corpus.sources.push_back({.id = "made", .kind = "logits", .vocabulary = all.front().size(), .texts = {"t"}, .sha256 = {}});
    for (const std::vector<float>& logits : all) {
        corpus.contexts.push_back(make_context(logits, {}, next));
        corpus.contexts.back().cluster = corpus.contexts.size();
    }
    return corpus;
}

Row row_of(const SamplerPointer& rule, const std::vector<float>& logits, double temperature,
           std::optional<std::size_t> next = {}) {
    const Corpus corpus = corpus_of({logits}, next);
    return Applied(corpus, rule).rows(temperature).front();
}

TEST(Measures, TemperatureOneByHand) {
    const Row row = row_of(temperature_rule(), logits_of({0.5, 0.25, 0.25}), 1.0);
    EXPECT_NEAR(at(row, Measure::entropy), 1.5 * std::log(2.0), 1e-7);
    EXPECT_NEAR(at(row, Measure::surprisal), 1.5 * std::log(2.0), 1e-7);
    EXPECT_NEAR(at(row, Measure::collision), 0.375, 1e-7);
    EXPECT_NEAR(at(row, Measure::top1), 0.5, 1e-7);
    EXPECT_NEAR(at(row, Measure::kl), 0.0, 1e-12);
    EXPECT_TRUE(std::isnan(at(row, Measure::control)));
    EXPECT_TRUE(std::isnan(at(row, Measure::impossible)));
}

TEST(Measures, ACutByHand) {
    // top_k 2 at T = 1/2 of .5, .25, .25: .8 and .2, against .5, .25, .25 squared: 2/3, 1/6, 1/6.
    const Row row = row_of(top_k_rule(2), logits_of({0.5, 0.25, 0.25}), 0.5, 2);
    EXPECT_NEAR(at(row, Measure::entropy), -0.8 * std::log(0.8) - 0.2 * std::log(0.2), 1e-7);
    EXPECT_NEAR(at(row, Measure::surprisal), 0.8 * std::log(2.0) + 0.2 * std::log(4.0), 1e-7);
    EXPECT_NEAR(at(row, Measure::kl), 0.8 * std::log(0.8 * 1.5) + 0.2 * std::log(0.2 * 6.0), 1e-7);
    EXPECT_NEAR(at(row, Measure::collision), 0.68, 1e-7);
    EXPECT_NEAR(at(row, Measure::top1), 0.8, 1e-7);
    EXPECT_EQ(at(row, Measure::impossible), 1.0);
    EXPECT_TRUE(std::isnan(at(row, Measure::next)));
    EXPECT_EQ(at(row, Measure::next_tail), 0.0);
}

TEST(Measures, NextTokenAmongEquals) {
    const std::vector<float> equal{0, 1, 1, 1};
    EXPECT_EQ(at(row_of(top_k_rule(2), equal, 1.0, 2), Measure::impossible), 0.0);
    EXPECT_NEAR(at(row_of(top_k_rule(2), equal, 1.0, 2), Measure::next), std::log(2.0), 1e-12);
    EXPECT_EQ(at(row_of(top_k_rule(2), equal, 1.0, 3), Measure::impossible), 1.0);
    const Row split = row_of(xtc_rule(0.2, 1.0), equal, 1.0, 3);  // of the three, the last stays
    EXPECT_EQ(at(split, Measure::impossible), 0.0);
    EXPECT_EQ(at(split, Measure::top1), 0.0);
    EXPECT_EQ(at(row_of(xtc_rule(0.2, 1.0), equal, 1.0, 1), Measure::impossible), 1.0);
}

TEST(Measures, TailsByHand) {
    const std::vector<float> logits = logits_of({0.9, 0.0899, 0.0095, 3e-4, 9e-5, 2e-5, 5e-7, 5e-7});
    const Row row = row_of(temperature_rule(), logits, 1.0, 5);
    const double sum = 0.9 + 0.0899 + 0.0095 + 3e-4 + 9e-5 + 2e-5 + 1e-6;
    EXPECT_NEAR(at(row, Measure::tail4), (9e-5 + 2e-5 + 1e-6) / sum, 1e-10);
    EXPECT_NEAR(at(row, Measure::tail5), 1e-6 / sum, 1e-12);
    EXPECT_NEAR(at(row, Measure::tail6), 1e-6 / sum, 1e-12);
    EXPECT_EQ(at(row, Measure::next_tail), 1.0);
}

TEST(Measures, KindsOfTokens) {
    Corpus corpus = corpus_of({logits_of({0.5, 0.25, 0.25})});
    corpus.contexts[0] =
        make_context(logits_of({0.5, 0.25, 0.25}), std::vector<std::uint8_t>{plain_token, foreign_token, control_token});
    const Row row = Applied(corpus, temperature_rule()).rows(0.5).front();
    EXPECT_NEAR(at(row, Measure::control), 1 / 6.0, 1e-7);  // equal logits share: half of a third
    EXPECT_NEAR(at(row, Measure::foreign), 1 / 6.0, 1e-7);
    EXPECT_EQ(at(row, Measure::byte), 0.0);
}

TEST(Measures, AgreeWithAPlainLoop) {
    const std::vector<float> logits = random_logits(3000, 2, 6, 5);
    const std::vector<double> p = drawn_from(*temperature_rule(), logits, 1.0);
    const std::vector<double> warm = drawn_from(*temperature_rule(), logits, 1.3);
    const SamplerPointer rule = hlg_rule({Pivot::entropy, 1.7, 1.6, 0.6, 2.0, ToeShape::fade});
    const std::vector<double> q = drawn_from(*rule, logits, 1.3);
    Row expected{};
    for (std::size_t i = 0; i < q.size(); ++i) {
        if (q[i] == 0) continue;
        at(expected, Measure::entropy) -= q[i] * std::log(q[i]);
        at(expected, Measure::surprisal) -= q[i] * std::log(p[i]);
        at(expected, Measure::kl) += q[i] * std::log(q[i] / warm[i]);
        at(expected, Measure::collision) += q[i] * q[i];
    }
    const Row found = row_of(rule, logits, 1.3);
    for (const Measure measure : {Measure::entropy, Measure::surprisal, Measure::kl, Measure::collision})
        EXPECT_NEAR(at(found, measure), at(expected, measure), 1e-9) << text_of(measure).key;
}

TEST(Match, TemperatureOfAKnownEntropy) {
    // Two tokens a nat apart at temperature T: p = 1 / (1 + e^(-1/T)). At T = 1/2 that is .8808, entropy .3653.
    const std::vector<float> logits{1, 0};
    const Corpus corpus = corpus_of({logits});
    const double p = 1.0 / (1.0 + std::exp(-2.0));
    const double entropy = -p * std::log(p) - (1 - p) * std::log(1 - p);
    const std::vector<double> one{1.0};
    const std::optional<double> found = match_entropy(Applied(corpus, temperature_rule()), one, entropy);
    ASSERT_TRUE(found);
    EXPECT_NEAR(*found, 0.5, 1e-6);
    EXPECT_FALSE(match_entropy(Applied(corpus, temperature_rule()), one, 0.7));  // ln 2 = .693 is all there is
    EXPECT_FALSE(match_entropy(Applied(corpus, top_k_rule(1)), one, 0.1));
    const std::optional<Heated> plain = temperature_with_entropy(corpus.contexts[0], entropy);
    ASSERT_TRUE(plain);
    EXPECT_NEAR(plain->temperature, 0.5, 1e-6);
    EXPECT_NEAR(plain->surprisal, (1 - p) + std::log(1 + std::exp(-1.0)), 1e-6);
}

TEST(Match, PriceIsTheMeanDivergenceAndNeverNegative) {
    const std::vector<std::vector<float>> logits{random_logits(500, 2, 6, 1), random_logits(500, 1, 1, 2),
                                                 random_logits(500, 2, 0, 3)};
    const Corpus corpus = corpus_of(logits);
    const std::vector<double> weight = weights(corpus, Weighing::contexts);
    double target = 0.0;
    for (const Context& context : corpus.contexts) target += context.entropy / 3.0;
    for (const SamplerPointer& rule :
         {top_p_rule(0.9), quadratic_rule(0.2, 1), hlg_rule({Pivot::top, 5, 1, 2, 2, ToeShape::fade})}) {
        const Applied applied(corpus, rule);
        const std::optional<double> temperature = match_entropy(applied, weight, target);
        ASSERT_TRUE(temperature);
        const std::vector<Row> rows = applied.rows(*temperature);
        EXPECT_NEAR(weighted_mean(column(rows, Measure::entropy), weight), target, 1e-6);
        const double price = weighted_mean(column(rows, Measure::surprisal), weight) - target;
        EXPECT_GT(price, 1e-4);
        for (std::size_t i = 0; i < rows.size(); ++i) EXPECT_GE(own_price(corpus.contexts[i], rows[i]), -1e-9);
        EXPECT_LE(own_price(corpus.contexts[0], rows[0]), at(rows[0], Measure::surprisal));
    }
}

TEST(WeightedMean, LeavesOutWhatIsNotKnown) {
    EXPECT_DOUBLE_EQ(weighted_mean(std::vector<double>{1, NAN, 4}, std::vector<double>{1, 5, 2}), 3.0);
    EXPECT_TRUE(std::isnan(weighted_mean(std::vector<double>{NAN}, std::vector<double>{1})));
}

TEST(Parallel, EveryItemOnceAndErrorsCome) {
    std::vector<std::atomic<int>> times(1000);
    parallel_for(times.size(), [&](std::size_t i) { ++times[i]; });
    for (const auto& one : times) ASSERT_EQ(one, 1);
    parallel_for(0, [](std::size_t) { FAIL(); });
    EXPECT_THROW(parallel_for(100,
                              [](std::size_t i) {
                                  if (i == 37) throw std::runtime_error("37");
                              }),
                 std::runtime_error);
    EXPECT_THROW(
        parallel_for(
            100, [](std::size_t) { std::this_thread::sleep_for(std::chrono::milliseconds(2)); }, [](double) { return false; }),
        Stopped);
}

}  // namespace
}  // namespace hlg::eval
