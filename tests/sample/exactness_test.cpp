// A million draws against the float64 reference, cell by cell of the matrix; see cases.hpp.
#include <gtest/gtest.h>

#include "sample/cases.hpp"
#include "sample/core.hpp"
#include "support/chi_square.hpp"
#include "support/reference.hpp"

namespace hlg::test {
namespace {

void expect_exact(const std::vector<double>& probabilities, const std::vector<std::uint64_t>& counts) {
    const ChiSquare result = worst_chi_square(probabilities, counts);
    EXPECT_TRUE(result.plausible()) << result.text();
}

class Exactness : public testing::TestWithParam<Plan> {};

TEST_P(Exactness, DrawsFollowTheReference) {
    const Case made = make(GetParam());
    sample::Core core(made.params);
    ASSERT_EQ(core.prepare(made.step()), Status::ok);
    EXPECT_EQ(core.way(), sample::Core::Way::envelope);
    std::vector<std::uint64_t> counts(made.logits.size());
    const std::size_t n = draws(1'000'000);
    for (std::uint64_t i = 0; i < n; ++i) ++counts[static_cast<std::size_t>(core.sample({.index = i}))];
    expect_exact(reference(made.params, made.step()).probabilities, counts);
    EXPECT_LE(core.proposals(), 2 * n) << static_cast<double>(core.proposals()) / static_cast<double>(n) << " rounds a draw";
}

const auto plan_name = [](const testing::TestParamInfo<Plan>& info) { return info.param.name(); };
INSTANTIATE_TEST_SUITE_P(Plain, Exactness, testing::ValuesIn(plain_plans()), plan_name);
INSTANTIATE_TEST_SUITE_P(Changed, Exactness, testing::ValuesIn(changed_plans()), plan_name);

// The public path, which prepares each draw afresh.
class PublicDraw : public testing::TestWithParam<Plan> {};

TEST_P(PublicDraw, FollowsTheReference) {
    const Case made = make(GetParam());
    Sampler sampler(made.params);
    std::vector<std::uint64_t> counts(made.logits.size());
    const std::size_t n = draws(20'000);
    for (std::uint64_t i = 0; i < n; ++i) {
        const Draw draw = sampler.draw(made.step(), {.index = i});
        ASSERT_EQ(draw.status, Status::ok);
        ++counts[static_cast<std::size_t>(draw.token)];
    }
    expect_exact(reference(made.params, made.step()).probabilities, counts);
    EXPECT_LE(sampler.proposals(), 2 * n);
}

INSTANTIATE_TEST_SUITE_P(All, PublicDraw,
                         testing::Values(Plan{17, Shape::open, 1, 1.0, Change::none},
                                         Plan{512, Shape::open, 2, 0.7, Change::penalties},
                                         Plan{512, Shape::confident, 5, 1.6, Change::allowed_mask},
                                         Plan{32000, Shape::open, 4, 1.0, Change::tail_lifted},
                                         Plan{32000, Shape::confident, 6, 2.5, Change::half_masked},
                                         Plan{151936, Shape::open, 0, 0.7, Change::none},
                                         Plan{262144, Shape::confident, 4, 1.0, Change::top_banned}),
                         plan_name);

// Truncations that leave few tokens draw from a list; their draws are judged in the same way.
TEST(Exactness, TruncatedDrawsFollowTheReference) {
    const std::vector<float> logits = synthetic(Shape::open, 32000, 5);
    const std::vector<Edit> edits{{3, 1.5F}, {100, -1e30F}, {31999, 12}};
    for (const auto& [top_p, top_k, min_p] : {std::tuple(0.6, 0, 0.0), std::tuple(1.0, 40, 0.0), std::tuple(1.0, 0, 0.01),
                                              std::tuple(0.95, 200, 0.003), std::tuple(0.0, 0, 0.0)}) {
        const SamplerParams params{0.8, top_p, top_k, min_p, 99, {}};
        const Step step{.logits = logits, .edits = edits};
        sample::Core core(params);
        ASSERT_EQ(core.prepare(step), Status::ok);
        EXPECT_EQ(core.way(), sample::Core::Way::list);
        std::vector<std::uint64_t> counts(logits.size());
        for (std::uint64_t i = 0; i < draws(1'000'000); ++i) ++counts[static_cast<std::size_t>(core.sample({.index = i}))];
        expect_exact(reference(params, step).probabilities, counts);
    }
}

// Of a flat distribution too many survive for a list: all are proposed, and those that do not survive are refused.
TEST(Exactness, ManySurvivorsFollowTheReference) {
    const std::vector<float> logits = synthetic(Shape::flat, 3000, 5);
    const std::vector<Edit> edits{{3, 1.5F}, {100, -1e30F}, {2999, 3}};
    for (const auto& [temperature, top_p, min_p] :
         {std::tuple(0.8, 0.6, 0.0), std::tuple(1.0, 0.95, 0.0), std::tuple(5.0, 0.9, 0.0), std::tuple(1.0, 0.99, 0.02),
          std::tuple(2.0, 1.0, 0.02)}) {
        const SamplerParams params{temperature, top_p, 0, min_p, 99, {}};
        const Step step{.logits = logits, .edits = edits};
        sample::Core core(params);
        ASSERT_EQ(core.prepare(step), Status::ok);
        EXPECT_EQ(core.way(), sample::Core::Way::envelope);
        EXPECT_TRUE(core.survivors().empty());
        std::vector<std::uint64_t> counts(logits.size());
        for (std::uint64_t i = 0; i < draws(1'000'000); ++i) ++counts[static_cast<std::size_t>(core.sample({.index = i}))];
        expect_exact(reference(params, step).probabilities, counts);
    }
}

void expect_exact_full_pass(const SamplerParams& params, const Step& step) {
    sample::Core core(params);
    ASSERT_EQ(core.prepare(step), Status::ok);
    EXPECT_EQ(core.way(), sample::Core::Way::full);
    std::vector<std::uint64_t> counts(step.logits.size());
    for (std::uint64_t i = 0; i < draws(50'000); ++i) ++counts[static_cast<std::size_t>(core.sample({.index = i}))];
    expect_exact(reference(params, step).probabilities, counts);
}

// A bias of a million forces its tokens; no pass over the others is needed for that.
TEST(Exactness, ForcedTokensFollowTheReference) {
    const std::vector<float> logits = synthetic(Shape::open, 300, 6);
    const std::vector<Edit> bias{{5, 2e6F}, {7, 2e6F}, {8, 1999999}, {6, kMinusInfinity}};
    const SamplerParams params{1, 1, 0, 0, 7, {}};
    const Step step{.logits = logits, .edits = bias};
    sample::Core core(params);
    ASSERT_EQ(core.prepare(step), Status::ok);
    EXPECT_EQ(core.way(), sample::Core::Way::envelope);
    std::vector<std::uint64_t> counts(logits.size());
    for (std::uint64_t i = 0; i < 50'000; ++i) ++counts[static_cast<std::size_t>(core.sample({.index = i}))];
    expect_exact(reference(params, step).probabilities, counts);
}

// One block holds what there is, all others lie in one far plateau: a table with equal bins is no envelope worth its name there.
// At four million tokens its units would not even add up in 32 bits.
TEST(Exactness, OneBlockAboveAPlateau) {
    for (const auto& [vocab, temperature, near, far] :
         {std::tuple(std::size_t{262144}, 0.05, -10.0F, -2000.0F), std::tuple(std::size_t{262144}, 0.5, -8.0F, -2500.0F),
          std::tuple(std::size_t{4194304}, 0.05, 0.0F, -2000.0F)}) {
        std::vector<float> logits(vocab, far);
        for (std::size_t i = 0; i < sample::kBlock; ++i) logits[5 * sample::kBlock + i] = near;
        logits[5 * sample::kBlock] = 0;
        CurveParams curve{Pivot::top, 0.0, 0, off, temperature, ToeShape::log};
        const SamplerParams params{temperature, 1, 0, 0, 3, curve};
        sample::Core core(params);
        ASSERT_EQ(core.prepare({.logits = logits}), Status::ok);
        std::vector<std::uint64_t> counts(vocab);
        const std::uint64_t n = 20'000;
        for (std::uint64_t i = 0; i < n; ++i) ++counts[static_cast<std::size_t>(core.sample({.index = i}))];
        expect_exact(reference(params, {.logits = logits}).probabilities, counts);
        EXPECT_LE(core.proposals(), 2 * n);
    }
}

// Gains and pivots in the thousands are beyond the float32 envelope: the full pass draws.
TEST(Exactness, TheFullPassFollowsTheReference) {
    std::vector<float> logits = synthetic(Shape::open, 300, 6);
    for (float& x : logits) x = 3000 + x / 4096;  // so that a gain of 4096 leaves an open distribution
    const std::vector<Edit> edits{{5, 1e-3F}, {6, kMinusInfinity}};
    for (const ToeShape shape : {ToeShape::log, ToeShape::fade})
        expect_exact_full_pass({1.0 / 4096, 1, 0, 0, 7, CurveParams{Pivot::top, 3.0, 1, 2, 4, shape}},
                               {.logits = logits, .edits = edits});
}

TEST(Exactness, RealLogitsFollowTheReference) {
    const auto all = real_logits(9);
    if (all.empty()) GTEST_SKIP() << "no real logits beside the repository";
    std::size_t turn = 0;
    for (const RealLogits& real : all) {
        const CurveChoice& choice = curve_choices()[turn++ % curve_choices().size()];
        SCOPED_TRACE(real.name + " " + choice.name);
        const SamplerParams params{0.8, 1, 0, 0, turn, choice.params};
        sample::Core core(params);
        ASSERT_EQ(core.prepare({.logits = real.logits}), Status::ok);
        std::vector<std::uint64_t> counts(real.logits.size());
        const std::size_t n = draws(1'000'000);
        for (std::uint64_t i = 0; i < n; ++i) ++counts[static_cast<std::size_t>(core.sample({.index = i}))];
        expect_exact(reference(params, {.logits = real.logits}).probabilities, counts);
        EXPECT_LE(core.proposals(), 2 * n);
    }
}

}  // namespace
}  // namespace hlg::test
