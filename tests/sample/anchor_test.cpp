// The pivots' anchors against the reference.
#include "sample/anchor.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "sample/cases.hpp"
#include "support/reference.hpp"

namespace hlg::test {
namespace {

double anchor(Pivot pivot, const std::vector<float>& logits, const sample::Kernels& kernels) {
    sample::Blocks blocks(kernels);
    EXPECT_EQ(pivot == Pivot::entropy ? blocks.scan_and_weigh(logits) : blocks.scan(logits), Status::ok);
    return sample::Anchor().pivot(Curve({pivot, 0.0, 1, 1, 1, ToeShape::log}), blocks);
}

double expected_anchor(Pivot pivot, const std::vector<float>& logits) {
    return reference_pivot({pivot, 0.0, 1, 1, 1, ToeShape::log}, logits);
}

void expect_mean(const std::vector<float>& logits) {
    const double expected = expected_anchor(Pivot::entropy, logits);
    // Beside the documented error, an ulp of a float64 of this size.
    const double tolerance = 1e-5 + 1e-15 * std::abs(expected);
    for (const sample::Kernels* kernels : sample::available_kernels())
        EXPECT_NEAR(anchor(Pivot::entropy, logits, *kernels), expected, tolerance) << kernels->name;
}

// The float32 sums may put the half a hair to the side; the logit must be one at which the exact mass is within that hair of a
// half.
void expect_median(const std::vector<float>& logits) {
    const std::vector<double> p = softmax(logits);
    for (const sample::Kernels* kernels : sample::available_kernels()) {
        const double found = anchor(Pivot::median, logits, *kernels);
        double above = 0;
        double reached = 0;
        for (std::size_t i = 0; i < p.size(); ++i) {
            if (static_cast<double>(logits[i]) > found) above += p[i];
            if (static_cast<double>(logits[i]) >= found) reached += p[i];
        }
        EXPECT_LT(above, 0.5 + 1e-5) << kernels->name;
        EXPECT_GE(reached, 0.5 - 1e-5) << kernels->name;
    }
}

std::vector<std::vector<float>> vectors() {
    auto all = adversarial();
    for (const std::size_t vocab : {1U, 2U, 17U, 512U, 32000U, 262144U})
        for (const Shape shape : {Shape::certain, Shape::confident, Shape::open, Shape::flat})
            all.push_back(synthetic(shape, vocab, vocab + 1));
    for (const RealLogits& real : real_logits(5)) all.push_back(real.logits);
    return all;
}

TEST(Anchor, TopIsTheLargestLogit) {
    for (const auto& logits : vectors())
        for (const sample::Kernels* kernels : sample::available_kernels())
            EXPECT_EQ(anchor(Pivot::top, logits, *kernels), expected_anchor(Pivot::top, logits));
}

TEST(Anchor, EntropyIsTheMeanLogit) {
    for (const auto& logits : vectors()) expect_mean(logits);
}

TEST(Anchor, MedianIsWhereTheMassReachesOneHalf) {
    for (const auto& logits : vectors()) expect_median(logits);
}

// One weight, many times: rounding errors that do not cancel each other. And at each distance from the top.
TEST(Anchor, EntropyOfPlateaus) {
    for (const std::size_t vocab : {300U, 32000U, 262144U})
        for (const float depth : {0.5F, 0.7F, 0.95F, 1.3F, 1.8F, 2.4F, 3.3F, 4.5F, 6.2F, 8.5F, 11.6F, 15.9F, 21.8F, 29.9F})
            for (const float base : {0.0F, 17.3F, -1234.5F, 90000.0F, 5e6F}) {
                std::vector<float> logits(vocab, base - depth);
                logits[7] = base;
                SCOPED_TRACE(testing::PrintToString(std::tuple(vocab, depth, base)));
                expect_mean(logits);
                expect_median(logits);
            }
}

TEST(Anchor, MedianOfTies) {
    std::vector<float> logits(1000, 0.25F);
    expect_median(logits);
    for (std::size_t i = 0; i < 500; ++i) logits[i] = 0.5F;
    expect_median(logits);
    // The first alone holds just above, exactly, just below one half.
    for (const float first : {std::log(3.001F), std::log(3.0F), std::log(2.999F)}) expect_median({first, 0, 0, 0});
}

TEST(Anchor, OffsetsAreSubtracted) {
    const std::vector<float> logits = synthetic(Shape::open, 1000, 1);
    sample::Blocks blocks(*sample::available_kernels().front());
    for (const Pivot pivot : {Pivot::top, Pivot::entropy, Pivot::median})
        for (const double offset : {-3.0, 0.0, 2.5}) {
            ASSERT_EQ(blocks.scan(logits), Status::ok);
            const double found = sample::Anchor().pivot(Curve({pivot, offset, 1, 1, 1, ToeShape::log}), blocks);
            EXPECT_NEAR(found, expected_anchor(pivot, logits) - offset, 1e-5);
        }
}

TEST(Anchor, IsReadFromTheUnmaskedDistribution) {
    Case made;
    made.logits = synthetic(Shape::open, 1000, 1);
    for (const Pivot pivot : {Pivot::top, Pivot::entropy, Pivot::median}) {
        made.params.hlg = CurveParams{pivot, 1.0, 1, 1, 1, ToeShape::log};
        Sampler sampler(made.params);
        Statistics plain;
        Statistics changed;
        ASSERT_EQ(sampler.statistics(made.step(), -10, plain), Status::ok);
        std::vector<Edit> edits(900, {0, kMinusInfinity});
        for (std::size_t i = 0; i < edits.size(); ++i) edits[i].token = static_cast<std::int32_t>(i);
        const std::vector<std::uint32_t> allowed(32, 0xFF00FF00U);
        ASSERT_EQ(sampler.statistics({.logits = made.logits, .edits = edits, .allowed = allowed}, -10, changed), Status::ok);
        EXPECT_EQ(plain.pivot, changed.pivot);
    }
}

}  // namespace
}  // namespace hlg::test
