// Contexts, their near-duplicates and their weights, by hand.
#include "eval/context.hpp"

#include <cmath>
#include <stdexcept>

#include <gtest/gtest.h>

#include "eval/corpus.hpp"
#include "eval/duplicates.hpp"
#include "eval/expand.hpp"
#include "eval/random.hpp"

namespace hlg::eval {
namespace {

TEST(Context, GroupsEqualLogits) {
    const std::vector<float> logits{1.0F, 3.0F, 1.0F, -HUGE_VALF, 3.0F, 3.0F, -2e4F};
    const Context context = make_context(logits, {}, 2);
    EXPECT_EQ(context.logit, (std::vector<double>{0.0, -2.0}));
    EXPECT_EQ(context.count, (std::vector<double>{3.0, 2.0}));
    EXPECT_EQ(context.vocabulary, 7U);
    ASSERT_TRUE(context.next);
    EXPECT_EQ(context.next->group, 1U);
    EXPECT_EQ(context.next->rank, 1.0);  // token 0 has the same logit and a lower id
    const double sum = 3.0 + 2.0 * std::exp(-2.0);
    EXPECT_NEAR(context.p[0], 1.0 / sum, 1e-15);
    EXPECT_NEAR(context.p[1], std::exp(-2.0) / sum, 1e-15);
    const double entropy = -3.0 * context.p[0] * std::log(context.p[0]) - 2.0 * context.p[1] * std::log(context.p[1]);
    EXPECT_NEAR(context.entropy, entropy, 1e-14);
}

TEST(Context, AnchorsAreThePivots) {
    const Context context = make_context(logits_of({0.4, 0.3, 0.2, 0.1}));
    EXPECT_EQ(context.anchor(Pivot::top), 0.0);
    EXPECT_NEAR(context.anchor(Pivot::entropy), -context.entropy - std::log(0.4), 1e-7);
    EXPECT_NEAR(context.anchor(Pivot::median), std::log(0.3 / 0.4), 1e-7);  // .4 is less than one half, .4 + .3 is more
}

TEST(Context, ClassesByEntropy) {
    EXPECT_EQ(make_context(logits_of({0.99, 0.01})).kind(), Class::confident);  // .056 nats
    EXPECT_EQ(make_context(logits_of({0.5, 0.5})).kind(), Class::mid);          // .69
    EXPECT_EQ(make_context(std::vector<float>(5)).kind(), Class::open);         // ln 5 = 1.61
}

TEST(Context, DeepTailIsOutsideTheNucleusAndImprobable) {
    // .9 + .0899 + .0095 reaches .99; then come tokens of 3e-4, 9e-5 and 2e-5, and some of 5e-7.
    const Context context = make_context(logits_of({0.9, 0.0899, 0.0095, 3e-4, 9e-5, 2e-5, 5e-7, 5e-7}));
    EXPECT_EQ(context.tail_from[0], 4U);
    EXPECT_EQ(context.tail_from[1], 6U);
    EXPECT_EQ(context.tail_from[2], 6U);
    // Where everything is improbable, the nucleus still is none of the tail.
    const Context flat = make_context(std::vector<float>(20000));
    EXPECT_EQ(flat.tail_from[0], 1U);  // one group, which holds the nucleus
}

TEST(Context, KindsAreShares) {
    const std::vector<std::uint8_t> kinds{control_token, plain_token, foreign_token, byte_token | foreign_token};
    const Context context = make_context(std::vector<float>{2.0F, 1.0F, 1.0F, 0.0F}, kinds);
    EXPECT_EQ(context.kinds[0], (std::vector<float>{1.0F, 0.0F, 0.0F}));
    EXPECT_EQ(context.kinds[1], (std::vector<float>{0.0F, 0.0F, 1.0F}));
    EXPECT_EQ(context.kinds[2], (std::vector<float>{0.0F, 0.5F, 1.0F}));
}

TEST(Context, RefusesWhatIsNoDistribution) {
    EXPECT_THROW(make_context(std::vector<float>{1.0F, NAN}), std::invalid_argument);
    EXPECT_THROW(make_context(std::vector<float>{1.0F, HUGE_VALF}), std::invalid_argument);
    EXPECT_THROW(make_context(std::vector<float>(3, -HUGE_VALF)), std::invalid_argument);
    EXPECT_THROW(make_context(std::vector<float>(3), {}, 3), std::invalid_argument);
}

TEST(TotalVariation, ByHand) {
    EXPECT_FLOAT_EQ(
        static_cast<float>(total_variation(std::vector<float>{0.5F, 0.5F, 0.0F}, std::vector<float>{0.25F, 0.5F, 0.25F})), 0.25F);
    EXPECT_EQ(total_variation(std::vector<float>{1.0F, 0.0F}, std::vector<float>{0.0F, 1.0F}), 1.0);
}

TEST(Duplicates, JoinTheFirstFounderThatIsClose) {
    DuplicateFinder finder;
    EXPECT_EQ(finder.cluster_of(logits_of({0.5, 0.3, 0.2})), 0U);
    EXPECT_EQ(finder.cluster_of(logits_of({0.6, 0.25, 0.15})), 0U);  // .1 away
    EXPECT_EQ(finder.cluster_of(logits_of({0.7, 0.2, 0.1})), 1U);    // .2 away from the founder, though .1 from the second
    EXPECT_EQ(finder.cluster_of(logits_of({0.1, 0.1, 0.8})), 2U);
    EXPECT_EQ(finder.clusters(), 3U);
}

Corpus corpus_of(const std::vector<std::pair<std::size_t, std::size_t>>& source_and_cluster) {
    Corpus corpus;
    for (const auto& [source, cluster] : source_and_cluster) {
        corpus.sources.resize(std::max(corpus.sources.size(), source + 1));
        corpus.contexts.push_back(make_context(std::vector<float>{1.0F, 0.0F}));
        corpus.contexts.back().source = source;
        corpus.contexts.back().cluster = cluster;
    }
    return corpus;
}

TEST(Weights, AClusterCountsOneAndASourceIfAsked) {
    const Corpus corpus = corpus_of({{0, 0}, {0, 0}, {0, 1}, {1, 0}});
    EXPECT_EQ(weights(corpus, Weighing::contexts), (std::vector<double>{1 / 6.0, 1 / 6.0, 1 / 3.0, 1 / 3.0}));
    EXPECT_EQ(weights(corpus, Weighing::sources), (std::vector<double>{0.125, 0.125, 0.25, 0.5}));
}

TEST(Corpus, SubsetsAndSums) {
    const Corpus corpus = corpus_of({{0, 0}, {1, 0}, {1, 1}, {2, 0}});
    const Corpus part = subset(corpus, {2, 1});
    ASSERT_EQ(part.contexts.size(), 3U);
    EXPECT_EQ(part.contexts[0].source, 0U);
    EXPECT_EQ(part.contexts[2].source, 1U);
    Corpus both = subset(corpus, {0});
    append(both, part);
    EXPECT_EQ(both.sources.size(), 3U);
    EXPECT_EQ(both.contexts.back().source, 2U);
}

}  // namespace
}  // namespace hlg::eval
