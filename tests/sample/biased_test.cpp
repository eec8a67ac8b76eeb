// Samplers that are wrong on purpose: the judge of the exactness tests must catch each of them.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "sample/cases.hpp"
#include "sample/core.hpp"
#include "sample/philox.hpp"
#include "support/chi_square.hpp"
#include "support/reference.hpp"

namespace hlg::test {
namespace {

const Plan kPlan{32000, Shape::open, 4, 1.0, Change::none};

// The verdict on a million draws of what `sample` makes of each.
bool plausible(const Case& made, const std::function<std::int32_t(std::uint64_t index)>& sample) {
    std::vector<std::uint64_t> counts(made.logits.size());
    for (std::uint64_t i = 0; i < 1'000'000; ++i) ++counts[static_cast<std::size_t>(sample(i))];
    return worst_chi_square(reference(made.params, made.step()).probabilities, counts).plausible();
}

class Biased : public testing::Test {
protected:
    void SetUp() override { ASSERT_EQ(core_.prepare(made_.step()), Status::ok); }

    Case made_ = make(kPlan);
    sample::Core core_{made_.params};
};

TEST_F(Biased, TheRightOnePasses) {
    EXPECT_TRUE(plausible(made_, [&](std::uint64_t i) { return core_.sample({.index = i}); }));
}

// Where a token is drawn often enough for its weight to show: with a favourite of a third, or among a handful.
TEST(BiasedToken, TiltedByThreePercentFails) {
    for (const Plan& plan : {Plan{32000, Shape::confident, 4, 1.0, Change::none}, Plan{17, Shape::open, 1, 1.0, Change::none}}) {
        const Case made = make(plan);
        sample::Core core(made.params);
        ASSERT_EQ(core.prepare(made.step()), Status::ok);
        const std::vector<double> p = reference(made.params, made.step()).probabilities;
        const auto favourite = static_cast<std::int32_t>(std::max_element(p.begin(), p.end()) - p.begin());
        Random random(1);
        EXPECT_TRUE(plausible(made, [&](std::uint64_t i) { return core.sample({.index = i}); }));
        EXPECT_FALSE(plausible(made, [&](std::uint64_t i) {
            const std::int32_t token = core.sample({.index = i});
            return token == favourite && random.uniform() < 0.03 ? core.sample({.index = i, .choice = 1}) : token;
        }));
    }
}

TEST_F(Biased, SkippingTheAcceptanceFails) {
    const Curve curve(*made_.params.hlg);
    sample::Blocks blocks(*sample::available_kernels().front());
    sample::Edits edits;
    ASSERT_EQ(edits.assign({}, made_.logits.size()), Status::ok);
    ASSERT_EQ(blocks.scan(made_.logits), Status::ok);
    blocks.remove(edits);
    sample::Shaper shaper = core_.shaper();
    shaper.curve = &curve;
    sample::Envelope envelope;
    ASSERT_TRUE(envelope.build(blocks, edits, shaper));
    EXPECT_FALSE(plausible(made_, [&](std::uint64_t i) {
        std::uint64_t unit = 0;
        sample::uniform_below(sample::random_bits(1, {.index = i}, 0).first, envelope.total(), unit);
        return static_cast<std::int32_t>(envelope.propose(unit).token);
    }));
}

TEST_F(Biased, ForgettingTheTailFails) {
    const std::vector<double> p = reference(made_.params, made_.step()).probabilities;
    EXPECT_FALSE(plausible(made_, [&](std::uint64_t i) {
        const std::int32_t token = core_.sample({.index = i});
        return p[static_cast<std::size_t>(token)] < 1e-5 ? core_.sample({.index = i, .choice = 1}) : token;
    }));
}

TEST_F(Biased, TheWrongTemperatureFails) {
    SamplerParams warmer = made_.params;
    warmer.temperature = 1.01;
    sample::Core other(warmer);
    ASSERT_EQ(other.prepare(made_.step()), Status::ok);
    EXPECT_FALSE(plausible(made_, [&](std::uint64_t i) { return other.sample({.index = i}); }));
}

TEST_F(Biased, PlainTemperatureIsNotTheCurve) {
    SamplerParams plain = made_.params;
    plain.hlg.reset();
    sample::Core other(plain);
    ASSERT_EQ(other.prepare(made_.step()), Status::ok);
    EXPECT_FALSE(plausible(made_, [&](std::uint64_t i) { return other.sample({.index = i}); }));
}

}  // namespace
}  // namespace hlg::test
