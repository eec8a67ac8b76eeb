// The bit-exact gates: with the rolloff off the curve is plain temperature, bit for bit and token for token; in the mid it always
// is; and without HLG nothing of it acts. On every kernel set that this CPU runs.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>

#include "sample/core.hpp"
#include "sample/distribution.hpp"
#include "support/logits.hpp"
#include "support/reference.hpp"

namespace hlg::test {
namespace {

using Bits = std::vector<std::uint32_t>;

Bits bits(const std::vector<float>& x) {
    Bits out;
    for (const float value : x) out.push_back(std::bit_cast<std::uint32_t>(value));
    return out;
}

std::vector<float> shaped(sample::Core& core, const Step& step) {
    std::vector<float> out(step.logits.size());
    EXPECT_EQ(core.prepare(step), Status::ok);
    sample::shaped_logits(core, step.logits, out);
    return out;
}

// x * m, masked tokens as -inf: what the gate demands, in its own words.
std::vector<float> times_gain(const std::vector<float>& x, double temperature) {
    const auto m = static_cast<float>(1 / temperature);
    double top = -off;
    for (const float value : x) top = std::max(top, static_cast<double>(value));
    std::vector<float> out = x;
    for (float& value : out) value = top - static_cast<double>(value) > 1e4 ? kMinusInfinity : value * m;
    return out;
}

std::vector<std::int32_t> tokens(sample::Core& core, std::size_t count) {
    std::vector<std::int32_t> out;
    for (std::size_t i = 0; i < count; ++i) out.push_back(core.sample({.index = i, .choice = 3}));
    return out;
}

std::vector<CurveParams> straight_curves() {
    std::vector<CurveParams> all;
    for (const Pivot pivot : {Pivot::top, Pivot::entropy, Pivot::median})
        for (const ToeShape shape : {ToeShape::log, ToeShape::fade}) {
            all.push_back({pivot, 3.0, off, 0.1, 0.1, shape});
            all.push_back({pivot, {}, 0, off, off, shape});
        }
    return all;
}

std::vector<std::vector<float>> vectors() {
    auto all = adversarial();
    for (const Shape shape : {Shape::certain, Shape::confident, Shape::open, Shape::flat})
        all.push_back(synthetic(shape, 4000, 3));
    for (const RealLogits& real : real_logits(41)) all.push_back(real.logits);
    return all;
}

TEST(Gates, RolloffOffIsTemperatureBitForBitAndTokenForToken) {
    const std::vector<Edit> edits{{0, -0.25F}};
    for (const sample::Kernels* kernels : sample::available_kernels())
        for (const auto& logits : vectors())
            for (const double temperature : {0.1, 0.7, 1.0, 1.3, 5.0}) {
                SCOPED_TRACE(std::string(kernels->name) + " T " + std::to_string(temperature));
                sample::Core plain({temperature, 1, 0, 0, 42, {}}, *kernels);
                const Step step{.logits = logits};
                const Step edited{.logits = logits, .edits = edits};
                const Bits expected = bits(times_gain(logits, temperature));
                ASSERT_EQ(bits(shaped(plain, step)), expected);
                const auto plain_tokens = tokens(plain, 50);
                const Bits plain_edited = bits(shaped(plain, edited));
                const auto plain_edited_tokens = tokens(plain, 50);
                for (const CurveParams& curve : straight_curves()) {
                    sample::Core core({temperature, 1, 0, 0, 42, curve}, *kernels);
                    ASSERT_EQ(bits(shaped(core, step)), expected);
                    ASSERT_EQ(tokens(core, 50), plain_tokens);
                    ASSERT_EQ(bits(shaped(core, edited)), plain_edited);
                    ASSERT_EQ(tokens(core, 50), plain_edited_tokens);
                }
            }
}

void expect_bits_in_the_mid(const sample::Kernels& kernels, const SamplerParams& params, const std::vector<float>& logits) {
    sample::Core core(params, kernels);
    const Bits expected = bits(times_gain(logits, params.temperature));
    const Bits found = bits(shaped(core, {.logits = logits}));
    const double pivot = core.shaper().pivot;
    for (std::size_t i = 0; i < logits.size(); ++i) {
        if (std::abs(static_cast<double>(logits[i]) - pivot) > params.hlg->width) continue;
        ASSERT_EQ(found[i], expected[i]) << logits[i] << " pivot " << pivot;
    }
}

TEST(Gates, TheMidKeepsItsBits) {
    for (const sample::Kernels* kernels : sample::available_kernels())
        for (const auto& logits : vectors())
            for (const Pivot pivot : {Pivot::top, Pivot::entropy, Pivot::median})
                for (const ToeShape shape : {ToeShape::log, ToeShape::fade})
                    for (const double temperature : {0.3, 1.0, 2.0})
                        expect_bits_in_the_mid(*kernels, {temperature, 1, 0, 0, 0, CurveParams{pivot, 2.0, 3, 0.5, 0.5, shape}},
                                               logits);
}

TEST(Gates, WithoutHlgTheClassicPathDraws) {
    const std::vector<float> logits = synthetic(Shape::open, 5000, 8);
    const SamplerParams params{0.9, 0.8, 100, 0.01, 5, {}};
    Sampler sampler(params);
    std::vector<double> found(logits.size());
    ASSERT_EQ(sampler.probabilities({.logits = logits}, found), Status::ok);
    const std::vector<double> expected = reference(params, {.logits = logits}).probabilities;
    for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], expected[i], 1e-12);
}

TEST(Gates, WithHlgTruncationsAreNotApplied) {
    const std::vector<float> logits = synthetic(Shape::open, 5000, 8);
    for (const CurveParams& curve : {CurveParams{}, CurveParams{Pivot::top, {}, off, 1, 1, ToeShape::log}}) {
        sample::Core with({0.9, 0.1, 2, 0.5, 5, curve});
        sample::Core without({0.9, 1, 0, 0, 5, curve});
        EXPECT_EQ(bits(shaped(with, {.logits = logits})), bits(shaped(without, {.logits = logits})));
        EXPECT_EQ(tokens(with, 1000), tokens(without, 1000));
    }
}

TEST(Gates, GreedyIsGreedyWhateverTheCurve) {
    for (const auto& logits : vectors()) {
        const auto best = static_cast<std::int32_t>(std::max_element(logits.begin(), logits.end()) - logits.begin());
        for (const double temperature : {0.0, 1e-300, 9.999e-6}) {
            Sampler plain({temperature, 1, 0, 0, 1, {}});
            Sampler curved({temperature, 1, 0, 0, 1, CurveParams{}});
            EXPECT_EQ(plain.draw({.logits = logits}, {}).token, best);
            EXPECT_EQ(curved.draw({.logits = logits}, {}).token, best);
        }
    }
}

}  // namespace
}  // namespace hlg::test
