// The classic truncations against the reference: which tokens survive, and with what probability.
#include "sample/truncation.hpp"

#include <cmath>

#include "sample/cases.hpp"
#include "support/properties.hpp"
#include "support/reference.hpp"

namespace hlg::test {
namespace {

std::vector<double> probabilities(const SamplerParams& params, const Step& step) {
    std::vector<double> p(step.logits.size());
    EXPECT_EQ(Sampler(params).probabilities(step, p), Status::ok);
    return p;
}

// The library sums its mass in float32 blocks, good to 1e-5 of it; a top_p that falls so close to a token's edge that this
// decides is no test.
bool on_an_edge(const SamplerParams& params, const Step& step) {
    SamplerParams lower = params;
    SamplerParams higher = params;
    lower.top_p = params.top_p * (1 - 2e-5);
    higher.top_p = std::min(1.0, params.top_p * (1 + 2e-5));
    return reference(lower, step).probabilities != reference(higher, step).probabilities;
}

void expect_survivors(const SamplerParams& params, const Step& step) {
    if (params.top_p < 1 && on_an_edge(params, step)) return;
    const std::vector<double> found = probabilities(params, step);
    const std::vector<double> expected = reference(params, step).probabilities;
    for (std::size_t i = 0; i < found.size(); ++i) ASSERT_NEAR(found[i], expected[i], 1e-12) << "token " << i;
}

TEST(Truncation, AgreesWithTheReferenceOnEveryShape) {
    for (const std::size_t vocab : {1U, 2U, 17U, 512U, 32000U})
        for (const Shape shape : {Shape::certain, Shape::confident, Shape::open, Shape::flat})
            for (const double top_p : {1.0, 0.999, 0.9, 0.3, 0.0})
                for (const std::int64_t top_k : {0L, 1L, 40L, 100000L})
                    for (const double min_p : {0.0, 0.001, 0.1, 1.0}) {
                        const std::vector<float> logits = synthetic(shape, vocab, vocab);
                        SCOPED_TRACE(testing::PrintToString(std::tuple(vocab, to_string(shape), top_p, top_k, min_p)));
                        if (vocab == 32000 && top_k == 1) continue;
                        expect_survivors({0.7, top_p, top_k, min_p, 0, {}}, {.logits = logits});
                    }
}

TEST(Truncation, EditsAndMasksComeFirst) {
    for (const Plan& plan : changed_plans()) {
        if (plan.vocab > 32000) continue;
        SCOPED_TRACE(plan.name());
        Case made = make(plan);
        made.params.hlg.reset();
        for (const auto& [top_p, top_k, min_p] :
             {std::tuple(0.9, 0, 0.0), std::tuple(1.0, 20, 0.0), std::tuple(1.0, 0, 0.05), std::tuple(0.99, 300, 0.001)}) {
            made.params.top_p = top_p;
            made.params.top_k = top_k;
            made.params.min_p = min_p;
            expect_survivors(made.params, made.step());
        }
    }
}

TEST(Truncation, OfEqualsTheLowestIdsAreKept) {
    const std::vector<float> logits(1000, 1);
    std::vector<double> p = probabilities({1, 1, 7, 0, 0, {}}, {.logits = logits});
    for (std::size_t i = 0; i < p.size(); ++i) EXPECT_EQ(p[i] > 0, i < 7);
    p = probabilities({1, 0.0995, 0, 0, 0, {}}, {.logits = logits});
    for (std::size_t i = 0; i < p.size(); ++i) EXPECT_EQ(p[i] > 0, i < 100);
    p = probabilities({1, 1, 0, 1, 0, {}}, {.logits = logits});
    for (const double q : p) EXPECT_EQ(q, 1e-3);
}

// So many survivors that no list of them is made.
TEST(Truncation, FlatDistributions) {
    for (const std::size_t vocab : {700U, 5000U, 32000U, 151936U})
        for (const double deviation : {0.3, 1.0, 2.0}) {
            Random random(vocab);
            std::vector<float> logits(vocab);
            for (float& x : logits) x = static_cast<float>(deviation * random.normal());
            std::vector<Edit> edits;
            for (std::size_t i = 0; i < vocab; i += 61)
                edits.push_back({static_cast<std::int32_t>(i), i % 2 == 0 ? 1.5F : -1.5F});
            edits.push_back({static_cast<std::int32_t>(vocab - 1), kMinusInfinity});
            for (const auto& [top_p, top_k, min_p] :
                 {std::tuple(0.95, 0, 0.0), std::tuple(0.5, 0, 0.0), std::tuple(0.9, 600, 0.0), std::tuple(0.99, 0, 0.1),
                  std::tuple(0.5, 0, 0.01), std::tuple(1.0, 0, 0.05), std::tuple(1.0, 600, 0.0), std::tuple(1.0, 5000, 0.01)}) {
                SCOPED_TRACE(testing::PrintToString(std::tuple(vocab, deviation, top_p, top_k, min_p)));
                expect_survivors({0.9, top_p, top_k, min_p, 0, {}}, {.logits = logits});
                expect_survivors({0.9, top_p, top_k, min_p, 0, {}}, {.logits = logits, .edits = edits});
            }
        }
}

// Of a thousand ties some are kept: the lowest ids, whether edited or not.
TEST(Truncation, TiesAcrossTheCut) {
    for (const std::size_t vocab : {1000U, 40000U}) {
        std::vector<float> logits(vocab, 0.0F);
        for (std::size_t i = 0; i < vocab; i += 3) logits[i] = i % 2 == 0 ? 1.0F : -1.0F;
        std::vector<Edit> edits;
        for (std::size_t i = 0; i < vocab; i += 10) edits.push_back({static_cast<std::int32_t>(i), -logits[i]});
        for (const double top_p : {0.2995, 0.6003, 0.8001, 0.97}) {
            SCOPED_TRACE(testing::PrintToString(std::tuple(vocab, top_p)));
            const std::vector<double> p = probabilities({1, top_p, 0, 0, 0, {}}, {.logits = logits, .edits = edits});
            double mass = 0;
            std::vector<double> weights(vocab);
            for (std::size_t i = 0; i < vocab; ++i)
                mass += weights[i] = std::exp(static_cast<double>(i % 10 == 0 ? 0.0F : logits[i]));
            double kept = 0;
            for (std::size_t i = 0; i < vocab; ++i) kept += p[i] > 0 ? weights[i] / mass : 0.0;
            EXPECT_NEAR(kept, top_p, 1e-5 + 3 / mass);
            for (const double weight : {std::exp(1.0), 1.0, std::exp(-1.0)}) {
                bool ended = false;
                for (std::size_t i = 0; i < vocab; ++i) {
                    if (weights[i] != weight) continue;
                    EXPECT_FALSE(ended && p[i] > 0) << i;
                    ended = ended || p[i] == 0;
                }
            }
        }
    }
}

TEST(Truncation, OneTokenIsAlwaysKept) {
    const std::vector<float> logits{1, 3, 2};
    for (const auto& [top_p, top_k, min_p] :
         {std::tuple(0.0, 0, 0.0), std::tuple(1.0, 1, 0.0), std::tuple(1.0, 0, 1.0), std::tuple(1e-300, 1, 1.0)})
        EXPECT_EQ(probabilities({5, top_p, top_k, min_p, 0, {}}, {.logits = logits}), (std::vector<double>{0, 1, 0}));
}

TEST(Truncation, OffValuesAreOff) {
    EXPECT_FALSE(sample::Truncation::active({}, 100));
    EXPECT_FALSE(sample::Truncation::active({1, 1, -1, 0, 0, {}}, 100));
    EXPECT_TRUE(sample::Truncation::active({1, 0.5, 0, 0, 0, {}}, 100));
    EXPECT_TRUE(sample::Truncation::active({1, 1, 1, 0, 0, {}}, 100));
    EXPECT_TRUE(sample::Truncation::active({1, 1, 0, 0.5, 0, {}}, 100));
}

TEST(Truncation, KeepingEveryTokenIsOff) {
    EXPECT_TRUE(sample::Truncation::active({1, 1, 99, 0, 0, {}}, 100));
    EXPECT_FALSE(sample::Truncation::active({1, 1, 100, 0, 0, {}}, 100));
}

// The mask is measured from the raw top, and on raw logits alone: edits may take a token as far down as they like.
TEST(Truncation, TokensEditedFarDownAreNotMasked) {
    const std::vector<float> logits{1, 0};
    const std::vector<Edit> edits{{0, -20000}, {1, -20000}};
    const Step step{.logits = logits, .edits = edits};
    expect_survivors({1, 1, 2, 0.01, 0, {}}, step);
    EXPECT_NEAR(probabilities({1, 1, 2, 0.01, 0, {}}, step)[1], 1 / (1 + std::exp(1.0)), 1e-12);
}

TEST(Truncation, MaskedTokensStayMaskedWhenTheTopIsBanned) {
    const std::vector<Edit> ban{{0, -std::numeric_limits<float>::infinity()}};
    // -9999.9004 lies below 0.1F - 1e4, but not below that limit rounded to float32.
    const auto limit = static_cast<float>(static_cast<double>(0.1F) - 1e4);
    const float masked = static_cast<double>(limit) < static_cast<double>(0.1F) - 1e4 ? limit : std::nextafter(limit, -1e30F);
    const std::vector<float> edge{0.1F, masked, masked + 0.5F};
    EXPECT_EQ(probabilities({1, 1, 2, 0.001, 0, {}}, {.logits = edge, .edits = ban}), (std::vector<double>{0, 0, 1}));
    // Two hundred masked tokens would hold most of the mass that top_p is taken of.
    std::vector<float> many(203, -10000.5F);
    many[0] = 0;
    many[1] = -9999;
    many[2] = -9999.5F;
    const std::vector<double> p = probabilities({1, 0.5, 0, 0, 0, {}}, {.logits = many, .edits = ban});
    EXPECT_EQ(p[1], 1);
}

TEST(Truncation, RealLogits) {
    for (const RealLogits& real : real_logits(17)) {
        SCOPED_TRACE(real.name);
        for (const auto& [top_p, top_k, min_p] :
             {std::tuple(0.95, 0, 0.0), std::tuple(1.0, 40, 0.0), std::tuple(1.0, 0, 0.01), std::tuple(0.95, 40, 0.05)})
            expect_survivors({0.8, top_p, top_k, min_p, 0, {}}, {.logits = real.logits});
    }
}

RC_GTEST_PROP(TruncationProperty, AgreesWithTheReference, ()) {
    const std::vector<float> x = *logits();
    SamplerParams params;
    params.temperature = *between(0.1, 5);
    params.top_p = *rc::gen::oneOf(rc::gen::just(1.0), between(0, 1));
    params.top_k = *rc::gen::inRange<std::int64_t>(-1, 20);
    params.min_p = *rc::gen::oneOf(rc::gen::just(0.0), between(0, 0.3));
    const Step step{.logits = x};
    RC_PRE(params.top_p == 1 || !on_an_edge(params, step));
    const std::vector<double> found = probabilities(params, step);
    const std::vector<double> expected = reference(params, step).probabilities;
    for (std::size_t i = 0; i < x.size(); ++i) RC_ASSERT(std::abs(found[i] - expected[i]) <= 1e-12);
}

}  // namespace
}  // namespace hlg::test
