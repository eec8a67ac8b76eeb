// Sparse edits: sorting, adding up, values after the curve, look-ups.
#include "sample/edits.hpp"

#include <gtest/gtest.h>

namespace hlg::test {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

TEST(Edits, AreSortedAndAddedUpInFloat64) {
    sample::Edits edits;
    // 1e8 + 1 - 1e8 is 0 in float32; the order must not matter.
    const std::vector<Edit> list{{7, 1}, {3, 1e8F}, {3, 1}, {0, -2}, {3, -1e8F}, {7, 0.5F}};
    ASSERT_EQ(edits.assign(list, 8), Status::ok);
    ASSERT_EQ(edits.tokens().size(), 3U);
    EXPECT_EQ(edits.tokens()[0].token, 0);
    EXPECT_EQ(edits.tokens()[0].delta, -2);
    EXPECT_EQ(edits.tokens()[1].token, 3);
    EXPECT_EQ(edits.tokens()[1].delta, 1);
    EXPECT_EQ(edits.tokens()[2].token, 7);
    EXPECT_EQ(edits.tokens()[2].delta, 1.5F);
    ASSERT_EQ(edits.assign({}, 8), Status::ok);
    EXPECT_TRUE(edits.empty());
}

TEST(Edits, LookUps) {
    sample::Edits edits;
    const std::vector<Edit> list{{1, 1}, {127, 2}, {128, 3}, {999, 4}};
    ASSERT_EQ(edits.assign(list, 1000), Status::ok);
    EXPECT_EQ(edits.find(0), nullptr);
    EXPECT_EQ(edits.find(127)->delta, 2);
    EXPECT_EQ(edits.find(999)->delta, 4);
    EXPECT_EQ(edits.between(0, 128).size(), 2U);
    EXPECT_EQ(edits.between(128, 256).front().token, 128);
    EXPECT_TRUE(edits.between(129, 999).empty());
}

TEST(Edits, ActAfterTheCurveAndNotOnMasks) {
    const Curve curve({Pivot::top, 4.0, 1, 1, 1, ToeShape::log});
    const std::vector<float> logits{10, 6, -1e30F};
    const sample::Shaper shaper{.curve = &curve, .pivot = 6, .gain = 2, .top = 10};
    sample::Edits edits;
    const std::vector<Edit> list{{0, -1}, {1, 100}, {2, 100}};
    ASSERT_EQ(edits.assign(list, 3), Status::ok);
    ASSERT_EQ(edits.shape(logits, shaper), Status::ok);
    EXPECT_EQ(edits.tokens()[0].value, static_cast<float>(6 + curve.h(4)) - 1);
    EXPECT_EQ(edits.tokens()[1].value, 106);
    EXPECT_EQ(edits.tokens()[2].value, -kInfinity);
}

TEST(Edits, WhatIsWrongIsRefused) {
    sample::Edits edits;
    for (const Edit& wrong : {Edit{-1, 0}, Edit{4, 0}, Edit{0, std::numeric_limits<float>::quiet_NaN()}, Edit{0, kInfinity}})
        EXPECT_EQ(edits.assign({&wrong, 1}, 4), Status::edit);
    const Edit ban{0, -kInfinity};
    EXPECT_EQ(edits.assign({&ban, 1}, 4), Status::ok);
}

}  // namespace
}  // namespace hlg::test
