// The ends of every range, and input that is wrong: errors are values, never a quiet wrong token.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>

#include "sample/core.hpp"
#include "support/logits.hpp"
#include "support/reference.hpp"

namespace hlg::test {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

SamplerParams with_curve(std::optional<CurveParams> curve, double temperature = 1) { return {temperature, 1, 0, 0, 1, curve}; }

// Settings of every way to draw.
std::vector<SamplerParams> ways() {
    return {{1, 1, 0, 0, 1, {}},
            {0, 1, 0, 0, 1, {}},
            {1, 0.9, 0, 0, 1, {}},
            {1, 1, 3, 0, 1, {}},
            {1, 1, 0, 0.1, 1, {}},
            with_curve(CurveParams{}),
            with_curve(find_preset("balanced")->params),
            with_curve(CurveParams{Pivot::median, {}, 1, 1, 1, ToeShape::fade})};
}

// What every call answers to this step, which must be the same.
void expect_status(const Step& step, Status status) {
    for (const SamplerParams& params : ways()) {
        Sampler sampler(params);
        std::vector<float> shaped(step.logits.size(), 7);
        std::vector<double> p(step.logits.size(), 7);
        std::vector<std::int32_t> tokens(3, 7);
        Statistics statistics;
        const Draw draw = sampler.draw(step, {});
        EXPECT_EQ(draw.status, status);
        EXPECT_EQ(draw.token, -1);
        EXPECT_EQ(sampler.draw_many(step, {}, tokens), status);
        EXPECT_EQ(sampler.probabilities(step, p), status);
        EXPECT_EQ(sampler.shape(step, shaped), status);
        EXPECT_EQ(sampler.statistics(step, -10, statistics), status);
        // Outputs stay as they were.
        EXPECT_EQ(tokens, std::vector<std::int32_t>(3, 7));
        EXPECT_EQ(p, std::vector<double>(p.size(), 7));
        EXPECT_EQ(shaped, std::vector<float>(shaped.size(), 7));
    }
}

TEST(Degenerate, NoVocabulary) { expect_status({}, Status::empty); }

TEST(Degenerate, OneToken) {
    for (const float logit : {0.0F, -0.0F, 1e30F, -3e38F, 1e-44F}) {
        const std::vector<float> logits{logit};
        for (const SamplerParams& params : ways()) {
            Sampler sampler(params);
            for (std::uint64_t i = 0; i < 10; ++i) EXPECT_EQ(sampler.draw({.logits = logits}, {.index = i}).token, 0);
            double p = 0;
            EXPECT_EQ(sampler.probabilities({.logits = logits}, {&p, 1}), Status::ok);
            EXPECT_EQ(p, 1);
        }
    }
}

TEST(Degenerate, NanAnywhereIsAnError) {
    for (const std::size_t vocab : {1U, 2U, 17U, 128U, 129U, 257U, 1000U})
        for (std::size_t at = 0; at < vocab; at += 1 + vocab / 16)
            for (const float nan : {kNan, -kNan, std::bit_cast<float>(0x7F800001U), std::bit_cast<float>(0xFFFFFFFFU)})
                for (const sample::Kernels* kernels : sample::available_kernels()) {
                    std::vector<float> logits = synthetic(Shape::open, vocab, vocab);
                    logits[at] = nan;
                    sample::Core core({}, *kernels);
                    EXPECT_EQ(core.prepare({.logits = logits}), Status::nan) << vocab << ' ' << at << ' ' << kernels->name;
                    logits[vocab - 1] = nan;
                    EXPECT_EQ(core.prepare({.logits = logits}), Status::nan) << vocab << ' ' << at << ' ' << kernels->name;
                }
}

TEST(Degenerate, NanWinsOverEverythingElse) {
    const std::vector<float> logits{kInfinity, kNan, -kInfinity, 3e38F, 3e38F};
    const std::vector<Edit> ban{{1, -kInfinity}};
    const std::vector<std::uint32_t> others{0b11101};
    expect_status({.logits = logits}, Status::nan);
    expect_status({.logits = logits, .edits = ban}, Status::nan);
    expect_status({.logits = logits, .allowed = others}, Status::nan);
}

TEST(Degenerate, PlusInfinityIsAnError) {
    for (const std::size_t vocab : {1U, 5U, 128U, 300U})
        for (const std::size_t at : {std::size_t{0}, vocab / 2, vocab - 1}) {
            std::vector<float> logits = synthetic(Shape::open, vocab, vocab);
            logits[at] = kInfinity;
            expect_status({.logits = logits}, Status::infinite);
        }
}

TEST(Degenerate, SumsThatOverflowAreNotNan) {
    // 3e38 + 3e38 is +inf in float32, and +inf with -inf NaN: neither says anything about the logits.
    std::vector<float> logits(1000, 3e38F);
    for (std::size_t i = 0; i < logits.size(); i += 3) logits[i] = i % 2 == 0 ? -kInfinity : -3e38F;
    for (const SamplerParams& params : ways())
        for (const sample::Kernels* kernels : sample::available_kernels()) {
            sample::Core core(params, *kernels);
            ASSERT_EQ(core.prepare({.logits = logits}), Status::ok);
            EXPECT_EQ(logits[static_cast<std::size_t>(core.sample({}))], 3e38F);
        }
}

TEST(Degenerate, NothingLeftIsAnError) {
    const std::vector<float> logits{1, 2, 3, -1e30F};
    const std::vector<Edit> all{{0, -kInfinity}, {1, -kInfinity}, {2, -kInfinity}};
    const std::vector<std::uint32_t> none{0};
    const std::vector<std::uint32_t> masked{0b1000};
    const std::vector<std::uint32_t> banned{0b1};
    expect_status({.logits = logits, .edits = all}, Status::no_token);
    expect_status({.logits = logits, .allowed = none}, Status::no_token);
    expect_status({.logits = logits, .allowed = masked}, Status::no_token);
    expect_status({.logits = logits, .edits = {all.data(), 1}, .allowed = banned}, Status::no_token);
    const std::vector<float> blank(200, -kInfinity);
    expect_status({.logits = blank}, Status::no_token);
    const std::vector<Edit> lift{{5, 1e9F}};
    expect_status({.logits = blank, .edits = lift}, Status::no_token);
}

TEST(Degenerate, WrongEditsAreErrors) {
    const std::vector<float> logits{1, 2, -1e30F};
    const auto expect_edit_error = [&](std::vector<Edit> edits) {
        expect_status({.logits = logits, .edits = edits}, Status::edit);
    };
    expect_edit_error({{3, 0}});
    expect_edit_error({{-1, 0}});
    expect_edit_error({{std::numeric_limits<std::int32_t>::max(), -kInfinity}});
    expect_edit_error({{0, kNan}});
    expect_edit_error({{2, kNan}});
    expect_edit_error({{0, kInfinity}});
    expect_edit_error({{0, 3e38F}, {1, 0}, {0, 3e38F}});
}

TEST(Degenerate, DeltasOfOneTokenAddUp) {
    const std::vector<float> logits{0, 0};
    const std::vector<Edit> apart{{1, 2}, {0, 1}, {1, -0.5F}};
    const std::vector<Edit> together{{0, 1}, {1, 1.5F}};
    for (const SamplerParams& params : ways()) {
        Sampler sampler(params);
        std::vector<double> a(2), b(2);
        ASSERT_EQ(sampler.probabilities({.logits = logits, .edits = apart}, a), Status::ok);
        ASSERT_EQ(sampler.probabilities({.logits = logits, .edits = together}, b), Status::ok);
        EXPECT_EQ(a, b);
    }
}

TEST(Degenerate, ABanOutweighsAnyBias) {
    const std::vector<float> logits{0, 5};
    const std::vector<Edit> edits{{1, 3e38F}, {1, -kInfinity}, {1, 3e38F}};
    for (const SamplerParams& params : ways()) {
        Sampler sampler(params);
        for (std::uint64_t i = 0; i < 50; ++i) EXPECT_EQ(sampler.draw({.logits = logits, .edits = edits}, {.index = i}).token, 0);
    }
}

TEST(Degenerate, WrongLengthsAreErrors) {
    const std::vector<float> logits(33, 1);
    Sampler sampler{SamplerParams{}};
    std::vector<double> p(32);
    std::vector<float> shaped(34);
    Statistics statistics;
    const std::vector<std::uint32_t> short_mask{~0U};
    EXPECT_EQ(sampler.probabilities({.logits = logits}, p), Status::argument);
    EXPECT_EQ(sampler.shape({.logits = logits}, shaped), Status::argument);
    EXPECT_EQ(sampler.draw({.logits = logits, .allowed = short_mask}, {}).status, Status::argument);
    EXPECT_EQ(sampler.statistics({.logits = logits}, std::nan(""), statistics), Status::argument);
    EXPECT_EQ(sampler.draw({.logits = logits}, {.attempt = 1U << 24}).status, Status::argument);
    EXPECT_EQ(sampler.draw({.logits = logits}, {.attempt = (1U << 24) - 1}).status, Status::ok);
    EXPECT_EQ(sampler.draw_many({.logits = logits}, {}, {}), Status::ok);
}

TEST(Degenerate, MoreTokensThanAnInt32Counts) {
    // A span that is never read: the length alone decides.
    const float one = 1;
    const std::span<const float> endless(&one, std::size_t{1} << 31);
    Sampler sampler{SamplerParams{}};
    EXPECT_EQ(sampler.draw({.logits = endless}, {}).status, Status::too_large);
}

// A fade that leaves float32 is not a mask: tokens stay, and stay in order.
TEST(Degenerate, AFadeBeyondFloat32KeepsItsTokens) {
    const std::vector<float> logits{1, 0, 5};
    Sampler below({1, 1, 0, 0, 1, CurveParams{Pivot::top, -10.0, 0, 1, 1e-38, ToeShape::fade}});
    EXPECT_EQ(below.draw({.logits = logits}, {}).status, Status::ok);
    // The top at the pivot, all others beyond: greedy in effect, and far from temperature.
    Sampler at({1, 1, 0, 0, 1, CurveParams{Pivot::top, 0.0, 0, 1, 1e-300, ToeShape::fade}});
    Statistics statistics;
    const std::vector<float> three{0, -0.5F, -1};
    ASSERT_EQ(at.statistics({.logits = three}, 0, statistics), Status::ok);
    EXPECT_EQ(statistics.top1, 1);
    EXPECT_NEAR(statistics.kl, std::log(1 + std::exp(-0.5) + std::exp(-1.0)), 1e-9);
}

TEST(Degenerate, NearlyCertainIsNearlyGreedy) {
    // The favourite holds 1 - 1e-7.
    std::vector<float> logits(100000, 0);
    logits[54321] = static_cast<float>(std::log(1e5 / 1e-7));
    sample::Core core({});
    ASSERT_EQ(core.prepare({.logits = logits}), Status::ok);
    std::size_t others = 0;
    for (std::uint64_t i = 0; i < 1'000'000; ++i) others += core.sample({.index = i}) == 54321 ? 0 : 1;
    EXPECT_LE(others, 6U);  // 0.1 expected; seven or more: p < 1e-11
    EXPECT_LE(core.proposals(), 2'000'000U);
}

TEST(Degenerate, HugeSpreadsDrawTheTop) {
    for (const float spread : {100.0F, 9999.0F, 1e5F, 1e30F, 3e38F}) {
        std::vector<float> logits(1000, -spread);
        logits[999] = spread / 100;
        for (const SamplerParams& params : ways()) {
            Sampler sampler(params);
            // The log toe is a power law: its tail keeps weight whatever the distance.
            if (params.hlg && params.hlg->toe_shape == ToeShape::log) continue;
            for (std::uint64_t i = 0; i < 20; ++i) EXPECT_EQ(sampler.draw({.logits = logits}, {.index = i}).token, 999) << spread;
        }
    }
}

TEST(Degenerate, TheMaskBeginsBeyondTenThousandNats) {
    std::vector<float> logits(300, -kInfinity);
    logits[0] = 10000;
    logits[1] = 0;          // exactly 1e4 below: drawn
    logits[2] = -0.001F;    // beyond
    logits[299] = -1e-11F;  // beyond by a few ulps of the float64 difference
    const SamplerParams params = with_curve(CurveParams{Pivot::top, {}, 0, 1, 1e-3, ToeShape::log});
    Sampler sampler(params);
    std::vector<double> p(300);
    ASSERT_EQ(sampler.probabilities({.logits = logits}, p), Status::ok);
    EXPECT_GT(p[1], 0);
    EXPECT_EQ(p[2], 0);
    EXPECT_EQ(p[299], 0);
    sample::Core core(params);
    ASSERT_EQ(core.prepare({.logits = logits}), Status::ok);
    for (std::uint64_t i = 0; i < 20000; ++i) ASSERT_LE(core.sample({.index = i}), 1);
}

TEST(Degenerate, GreedyEndsAtOneHundredThousandth) {
    const std::vector<float> logits{1, 1.00001F, 1};  // a gain of 1e5 leaves them about one nat apart
    std::vector<double> p(3);
    ASSERT_EQ(Sampler(with_curve({}, 1e-5)).probabilities({.logits = logits}, p), Status::ok);
    EXPECT_GT(p[0], 0);
    EXPECT_NEAR(p[0], reference(with_curve({}, 1e-5), {.logits = logits}).probabilities[0], 1e-12);
    ASSERT_EQ(Sampler(with_curve({}, std::nextafter(1e-5, 0))).probabilities({.logits = logits}, p), Status::ok);
    EXPECT_EQ(p, (std::vector<double>{0, 1, 0}));
}

TEST(Degenerate, GreedyReadsTheEdits) {
    const std::vector<float> logits{3, 5, 5, 4};
    Sampler greedy({0, 1, 0, 0, 0, CurveParams{}});
    const auto token = [&](std::vector<Edit> edits, std::vector<std::uint32_t> allowed = {}) {
        return greedy.draw({.logits = logits, .edits = edits, .allowed = allowed}, {}).token;
    };
    EXPECT_EQ(token({}), 1);
    EXPECT_EQ(token({{1, -kInfinity}}), 2);
    EXPECT_EQ(token({{0, 2}}), 0);  // three at 5: the lowest id
    EXPECT_EQ(token({{3, 1}}), 1);
    EXPECT_EQ(token({{3, 1.5F}}), 3);
    EXPECT_EQ(token({}, {0b1001}), 3);
    EXPECT_EQ(token({{2, 1}}), 2);
}

TEST(Degenerate, ChoicesAndAttemptsOfOneSeedDiffer) {
    const std::vector<float> logits = synthetic(Shape::open, 50000, 3);
    Sampler sampler(with_curve(CurveParams{}));
    std::vector<std::vector<std::int32_t>> sequences;
    for (const auto& [choice, attempt] : {std::pair(0U, 0U), std::pair(1U, 0U), std::pair(2U, 0U), std::pair(0U, 1U)}) {
        std::vector<std::int32_t> tokens(100);
        ASSERT_EQ(sampler.draw_many({.logits = logits}, {.choice = choice, .attempt = attempt}, tokens), Status::ok);
        for (const auto& other : sequences) {
            std::size_t equal = 0;
            for (std::size_t i = 0; i < tokens.size(); ++i) equal += tokens[i] == other[i] ? 1 : 0;
            EXPECT_LT(equal, 20U);
        }
        sequences.push_back(tokens);
    }
}

TEST(Degenerate, LargePositionsWork) {
    const std::vector<float> logits = synthetic(Shape::open, 1000, 3);
    Sampler sampler{SamplerParams{}};
    for (const std::uint64_t index : {1ULL << 32, 1ULL << 63, ~0ULL}) {
        const Draw draw = sampler.draw({.logits = logits}, {.index = index, .choice = ~0U, .attempt = (1U << 24) - 1});
        EXPECT_EQ(draw.status, Status::ok);
    }
}

}  // namespace
}  // namespace hlg::test
