// The reference against numbers worked out by hand, so that a slip in it is not taken for the truth.
#include "support/reference.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace hlg::test {
namespace {

const CurveParams kLog{Pivot::top, 6.0, 4.0, 4.0, 6.0, ToeShape::log};
const CurveParams kFade{Pivot::top, 6.0, 4.0, 4.0, 6.0, ToeShape::fade};

TEST(Reference, CurveByHand) {
    EXPECT_EQ(reference_h(kLog, 3), 3);
    EXPECT_NEAR(reference_h(kLog, 8), 4 + 4 * std::log(2), 1e-15);
    EXPECT_NEAR(reference_h(kLog, -10), -4 - 6 * std::log(2), 1e-14);
    EXPECT_NEAR(reference_h(kFade, -10), -4 - 6 - 3, 1e-14);
    EXPECT_EQ(reference_slope(kLog, 8), 0.5);
    EXPECT_EQ(reference_slope(kLog, -10), 0.5);
    EXPECT_EQ(reference_slope(kFade, -10), 2);
}

TEST(Reference, PivotsByHand) {
    const float ln2 = std::log(2.0F);
    const std::vector<float> logits{0, ln2, 0};  // probabilities 1/4, 1/2, 1/4
    CurveParams params = kLog;
    params.pivot_offset.reset();
    EXPECT_NEAR(reference_pivot(params, logits), static_cast<double>(ln2) - 3, 1e-15);
    params.pivot = Pivot::entropy;
    EXPECT_NEAR(reference_pivot(params, logits), static_cast<double>(ln2) / 2 - 1.7, 1e-8);
    params.pivot = Pivot::median;
    const std::vector<float> thirds{1, 1, 1, -5};
    EXPECT_EQ(reference_pivot(params, thirds), 1 - 2.5);
    params.pivot_offset = 0.5;
    const std::vector<float> lower{2, 1.9F, 1.8F};
    EXPECT_EQ(reference_pivot(params, lower), static_cast<double>(1.9F) - 0.5);
}

TEST(Reference, EditsComeAfterTheCurveAndMasksStay) {
    SamplerParams params;
    params.temperature = 0.5;
    params.hlg = kLog;
    const std::vector<float> logits{8, 0, -2, -1e30F};
    const std::vector<Edit> edits{{1, 3}, {1, -1}, {3, 100}, {2, kMinusInfinity}};
    const Reference out = reference(params, {.logits = logits, .edits = edits});
    EXPECT_EQ(out.pivot, 2);
    EXPECT_EQ(out.shaped[0], 2 * static_cast<float>(2 + 4 + 4 * std::log(1.5)));
    EXPECT_EQ(out.shaped[1], 2 * 2.0F);
    EXPECT_EQ(out.shaped[2], kMinusInfinity);
    EXPECT_EQ(out.shaped[3], kMinusInfinity);
    EXPECT_EQ(out.probabilities[3], 0);
    EXPECT_NEAR(out.probabilities[0] + out.probabilities[1], 1, 1e-15);
}

TEST(Reference, TruncationsInTheirOrder) {
    // Probabilities 0.4, 0.3, 0.2, 0.1 whatever the temperature does to them later.
    const std::vector<float> logits{std::log(4.0F), std::log(3.0F), std::log(2.0F), 0};
    const auto kept = [&](double top_p, std::int64_t top_k, double min_p) {
        const SamplerParams params{3, top_p, top_k, min_p, 0, {}};
        std::string text;
        for (const double p : reference(params, {.logits = logits}).probabilities) text += p > 0 ? 'x' : '.';
        return text;
    };
    EXPECT_EQ(kept(1, 0, 0), "xxxx");
    EXPECT_EQ(kept(0.69, 0, 0), "xx..");
    EXPECT_EQ(kept(0.71, 0, 0), "xxx.");
    EXPECT_EQ(kept(0, 0, 0), "x...");
    EXPECT_EQ(kept(1, 3, 0), "xxx.");
    EXPECT_EQ(kept(1, 0, 0.74), "xx..");
    EXPECT_EQ(kept(1, 0, 1), "x...");
    EXPECT_EQ(kept(0.95, 3, 0.74), "xx..");
}

TEST(Reference, OneTokenLeftAndNone) {
    const std::vector<float> logits{1, 2, 3};
    const std::vector<Edit> two{{1, kMinusInfinity}, {2, kMinusInfinity}};
    EXPECT_EQ(reference({}, {.logits = logits, .edits = two}).probabilities[0], 1);
    const std::vector<std::uint32_t> none{0};
    EXPECT_EQ(reference({}, {.logits = logits, .allowed = none}).status, Status::no_token);
}

}  // namespace
}  // namespace hlg::test
