// The envelope, unit by unit: that every token is proposed by as many units as its envelope says and weighs no more than it is
// all that exactness needs, and here it is counted, not drawn. And a draw takes two proposals at most, in expectation.
#include "sample/envelope.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "sample/anchor.hpp"
#include "sample/cases.hpp"
#include "support/reference.hpp"

namespace hlg::test {
namespace {

// A step prepared by hand from the room's parts.
struct Prepared {
    explicit Prepared(const Case& made, const sample::Kernels& kernels)
        : curve(made.params.hlg ? Curve(*made.params.hlg) : Curve()), logits(made.logits), blocks(kernels) {
        EXPECT_EQ(edits.assign(made.edits, logits.size()), Status::ok);
        EXPECT_EQ(blocks.scan(logits), Status::ok);
        shaper = {.curve = &curve, .gain = static_cast<float>(1 / made.params.temperature), .top = blocks.top()};
        if (!curve.identity()) shaper.pivot = anchor.pivot(curve, blocks);
        for (std::size_t i = 0; i < logits.size() && !made.allowed.empty(); ++i)
            if ((made.allowed[i / 32] >> (i % 32) & 1U) == 0) logits[i] = kMinusInfinity;
        EXPECT_EQ(blocks.scan(logits), Status::ok);
        EXPECT_EQ(edits.shape(logits, shaper), Status::ok);
        blocks.remove(edits);
        shaper.reference = shaper.value(blocks.top());
        for (const auto& edited : edits.tokens()) shaper.reference = std::max(shaper.reference, edited.value);
        built = envelope.build(blocks, edits, shaper);
    }

    Curve curve;
    std::vector<float> logits;
    sample::Blocks blocks;
    sample::Edits edits;
    sample::Anchor anchor;
    sample::Shaper shaper;
    sample::Envelope envelope;
    bool built = false;
};

// Sums over every unit what a token is accepted by; true probabilities are in proportion to that.
void expect_every_unit_in_place(const Case& made, const sample::Kernels& kernels) {
    const Prepared step(made, kernels);
    ASSERT_TRUE(step.built);
    std::vector<double> accepted(made.logits.size());
    for (std::uint64_t unit = 0; unit < step.envelope.total(); ++unit) {
        const auto proposal = step.envelope.propose(unit);
        ASSERT_LE(proposal.weight, proposal.envelope) << "token " << proposal.token << " unit " << unit;
        accepted[proposal.token] += proposal.weight / proposal.envelope;
    }
    const double sum = std::accumulate(accepted.begin(), accepted.end(), 0.0);
    const std::vector<double> p = reference_at(made.params, made.step(), step.shaper.pivot).probabilities;
    for (std::size_t i = 0; i < p.size(); ++i) ASSERT_NEAR(accepted[i] / sum, p[i], 1e-9 * p[i] + 1e-15) << "token " << i;
    EXPECT_LE(static_cast<double>(step.envelope.total()), 2 * sum);
}

// Where units are too many to visit: the edited layer comes first, the tail layer, which proposes each token once, last. Together
// they tell every token's envelope and weight, and all envelopes add up to all units.
void expect_every_envelope_above_its_weight(const Case& made, const sample::Kernels& kernels) {
    const Prepared step(made, kernels);
    ASSERT_TRUE(step.built);
    const std::uint64_t total = step.envelope.total();
    const std::size_t vocab = made.logits.size();
    std::vector<double> weight(vocab);
    std::uint64_t units = 0;
    const auto take = [&](const sample::Envelope::Proposal& proposal) {
        ASSERT_LE(proposal.weight, proposal.envelope) << "token " << proposal.token;
        units += static_cast<std::uint64_t>(proposal.envelope);
        weight[proposal.token] += proposal.weight;
    };
    for (std::size_t i = 0; i < step.edits.tokens().size(); ++i) take(step.envelope.propose(units));
    for (std::size_t token = 0; token < vocab; ++token) take(step.envelope.propose(total - vocab + token));
    EXPECT_EQ(units, total);
    const double sum = std::accumulate(weight.begin(), weight.end(), 0.0);
    EXPECT_LE(static_cast<double>(total), 2 * sum) << static_cast<double>(total) / sum << " rounds a draw";
    const std::vector<double> p = reference_at(made.params, made.step(), step.shaper.pivot).probabilities;
    for (std::size_t i = 0; i < vocab; ++i) ASSERT_NEAR(weight[i] / sum, p[i], 1e-9 * p[i] + 1e-15) << "token " << i;
}

TEST(Envelope, EveryUnitIsInPlace) {
    for (const sample::Kernels* kernels : sample::available_kernels())
        for (const std::size_t vocab : {1U, 2U, 17U, 129U})
            for (const std::size_t curve : {0U, 1U, 4U}) {
                const Plan plan{vocab, curve == 0 ? Shape::certain : Shape::open, curve, 0.8, Change::none};
                SCOPED_TRACE(plan.name() + " " + kernels->name);
                expect_every_unit_in_place(make(plan), *kernels);
            }
}

TEST(Envelope, EveryUnitIsInPlaceForEveryCurve) {
    for (std::size_t curve = 0; curve < curve_choices().size(); ++curve) {
        const Plan plan{300, curve % 2 == 0 ? Shape::flat : Shape::open, curve, 1.2, Change::none};
        SCOPED_TRACE(plan.name());
        expect_every_unit_in_place(make(plan), *sample::available_kernels().front());
    }
}

TEST(Envelope, EveryUnitIsInPlaceWithEditsAndMasks) {
    for (const Change change : {Change::top_banned, Change::head_banned, Change::tail_boosted, Change::tail_lifted,
                                Change::one_left, Change::half_masked, Change::allowed_mask, Change::penalties})
        for (const std::size_t curve : {0U, 1U, 4U}) {
            const Plan plan{500, Shape::open, curve, 0.8, change};
            SCOPED_TRACE(plan.name());
            expect_every_unit_in_place(make(plan), *sample::available_kernels().front());
        }
}

// The whole vocabulary is one block after another, each of another sort: opened, closed, below the threshold.
TEST(Envelope, NoWeightIsAboveItsEnvelope) {
    for (const Plan& plan : plain_plans())
        if (plan.vocab >= 32000) {
            SCOPED_TRACE(plan.name());
            expect_every_envelope_above_its_weight(make(plan), *sample::available_kernels().front());
        }
}

TEST(Envelope, NoWeightIsAboveItsEnvelopeWithEditsAndMasks) {
    for (const Plan& plan : changed_plans()) {
        SCOPED_TRACE(plan.name());
        expect_every_envelope_above_its_weight(make(plan), *sample::available_kernels().front());
    }
}

// Every curve with every temperature: where the threshold lies, and how coarse a kernel may be, depends on both.
TEST(Envelope, NoWeightIsAboveItsEnvelopeAtAnyTemperature) {
    for (std::size_t curve = 0; curve < curve_choices().size(); ++curve)
        for (const double temperature : {0.02, 0.1, 0.3, 1.0, 2.0, 5.0, 20.0, 100.0})
            for (const Shape shape : {Shape::confident, Shape::open, Shape::flat}) {
                const Plan plan{10000, shape, curve, temperature, Change::none};
                SCOPED_TRACE(plan.name());
                expect_every_envelope_above_its_weight(make(plan), *sample::available_kernels().back());
            }
}

TEST(Envelope, NoWeightIsAboveItsEnvelopeOnRealLogits) {
    const auto all = real_logits(9);
    if (all.empty()) GTEST_SKIP() << "no real logits beside the repository";
    for (const RealLogits& real : all)
        for (const CurveChoice& choice : curve_choices()) {
            SCOPED_TRACE(real.name + " " + choice.name);
            Case made;
            made.params.hlg = choice.params;
            made.logits = real.logits;
            expect_every_envelope_above_its_weight(made, *sample::available_kernels().front());
        }
}

// Logits on a fine grid around the places where a kernel's float32 arithmetic may differ from float64's: knots, bin ends, the
// threshold.
TEST(Envelope, NoWeightIsAboveItsEnvelopeOnAFineGrid) {
    for (std::size_t curve = 0; curve < curve_choices().size(); ++curve)
        for (const double base : {0.0, 30.0, -500.0}) {
            Case made;
            made.params.hlg = curve_choices()[curve].params;
            for (int i = 0; i < 20000; ++i) made.logits.push_back(static_cast<float>(base - i * 1e-3));
            SCOPED_TRACE(curve_choices()[curve].name + " " + std::to_string(base));
            expect_every_envelope_above_its_weight(made, *sample::available_kernels().front());
        }
}

}  // namespace
}  // namespace hlg::test
