// The same seed gives the same tokens on every kernel set, whatever the settings; so do the probabilities.
#include <gtest/gtest.h>

#include "sample/cases.hpp"
#include "sample/core.hpp"
#include "sample/distribution.hpp"

namespace hlg::test {
namespace {

struct Outcome {
    std::vector<std::int32_t> tokens;
    std::vector<double> probabilities;
    std::uint64_t proposals = 0;

    friend bool operator==(const Outcome&, const Outcome&) = default;
};

Outcome run(const SamplerParams& params, const Step& step, const sample::Kernels& kernels) {
    sample::Core core(params, kernels);
    Outcome out;
    EXPECT_EQ(core.prepare(step), Status::ok);
    for (std::uint64_t i = 0; i < 2000; ++i) out.tokens.push_back(core.sample({.index = i}));
    out.probabilities.resize(step.logits.size());
    sample::probabilities(core, out.probabilities);
    out.proposals = core.proposals();
    return out;
}

void expect_one_outcome(const SamplerParams& params, const Step& step) {
    const auto all = sample::available_kernels();
    const Outcome best = run(params, step, *all.front());
    for (const sample::Kernels* kernels : all.subspan(1)) EXPECT_EQ(run(params, step, *kernels), best) << kernels->name;
}

TEST(Targets, ThereIsAlwaysOneAndTheyHaveNames) {
    ASSERT_FALSE(sample::available_kernels().empty());
    for (const sample::Kernels* kernels : sample::available_kernels()) RecordProperty(kernels->name, "runs here");
}

TEST(Targets, SameTokensForEveryCurve) {
    for (const Plan& plan : plain_plans()) {
        SCOPED_TRACE(plan.name());
        const Case made = make(plan);
        expect_one_outcome(made.params, made.step());
    }
}

TEST(Targets, SameTokensWithEditsAndMasks) {
    for (const Plan& plan : changed_plans()) {
        SCOPED_TRACE(plan.name());
        const Case made = make(plan);
        expect_one_outcome(made.params, made.step());
    }
}

TEST(Targets, SameTokensForTruncations) {
    const std::vector<Edit> edits{{32000, 9}, {1, -3}};
    for (const Shape shape : {Shape::open, Shape::flat})
        for (const auto& [temperature, top_p, top_k, min_p] :
             {std::tuple(1.0, 0.9, 0, 0.0), std::tuple(0.7, 1.0, 40, 0.0), std::tuple(1.5, 0.999, 1000, 0.001),
              std::tuple(0.0, 1.0, 0, 0.0)}) {
            const std::vector<float> logits = synthetic(shape, 32001, 4);
            expect_one_outcome({temperature, top_p, top_k, min_p, 3, {}}, {.logits = logits, .edits = edits});
        }
}

TEST(Targets, SameTokensOnAdversarialLogits) {
    for (const auto& logits : adversarial())
        for (const CurveChoice& choice : curve_choices())
            expect_one_outcome({0.8, 1, 0, 0, 6, choice.params}, {.logits = logits});
}

TEST(Targets, SameTokensOnRealLogits) {
    for (const RealLogits& real : real_logits(13))
        for (const CurveChoice& choice : curve_choices()) {
            SCOPED_TRACE(real.name + " " + choice.name);
            expect_one_outcome({1, 1, 0, 0, 6, choice.params}, {.logits = real.logits});
        }
}

}  // namespace
}  // namespace hlg::test
