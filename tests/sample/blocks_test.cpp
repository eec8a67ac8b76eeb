// The block index: maxima with and without the edited tokens, what lies above a threshold, the mass of everything present.
#include "sample/blocks.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "support/logits.hpp"
#include "support/reference.hpp"

namespace hlg::test {
namespace {

// Every 37th token, and the first of the second block.
std::vector<Edit> some_edits(std::size_t vocab) {
    std::vector<Edit> edits;
    for (std::size_t i = 5; i < vocab; i += 37) edits.push_back({static_cast<std::int32_t>(i), 1.0F});
    if (vocab > 128) edits.push_back({128, kMinusInfinity});
    return edits;
}

// The logits that remain, absent ones as -inf: what the index should stand for.
std::vector<float> present(const std::vector<float>& logits, const std::vector<Edit>& edits) {
    std::vector<float> left = logits;
    for (const Edit& edit : edits) left[static_cast<std::size_t>(edit.token)] = kMinusInfinity;
    return left;
}

class BlocksTest : public testing::TestWithParam<std::size_t> {
protected:
    void SetUp() override {
        ASSERT_EQ(edits_.assign(list_, logits_.size()), Status::ok);
        ASSERT_EQ(blocks_.scan(logits_), Status::ok);
    }

    std::vector<float> logits_ = synthetic(Shape::open, GetParam(), GetParam());
    std::vector<Edit> list_ = some_edits(GetParam());
    std::vector<float> left_ = present(logits_, list_);
    sample::Edits edits_;
    sample::Blocks blocks_{*sample::available_kernels().front()};
};

TEST_P(BlocksTest, RemovedTokensAreGone) {
    EXPECT_EQ(blocks_.top(), *std::max_element(logits_.begin(), logits_.end()));
    blocks_.remove(edits_);
    EXPECT_EQ(blocks_.top(), *std::max_element(left_.begin(), left_.end()));
    sample::BlockBuffer buffer;
    for (std::size_t i = 0; i < blocks_.maxima().size(); ++i) {
        const auto block = blocks_.block(i, buffer);
        ASSERT_TRUE(std::equal(block.begin(), block.end(), left_.begin() + static_cast<std::ptrdiff_t>(i * sample::kBlock)));
        EXPECT_EQ(blocks_.maxima()[i], *std::max_element(block.begin(), block.end()));
    }
}

TEST_P(BlocksTest, GatherFindsWhatReachesTheThreshold) {
    blocks_.remove(edits_);
    for (const float threshold : {100.0F, blocks_.top(), blocks_.top() - 3, -100.0F}) {
        std::vector<std::uint32_t> expected{7, 7};
        for (std::size_t i = 0; i < left_.size(); ++i)
            if (left_[i] >= threshold) expected.push_back(static_cast<std::uint32_t>(i));
        std::vector<std::uint32_t> found{7, 7};
        blocks_.gather(threshold, found);
        EXPECT_EQ(found, expected);
    }
}

TEST_P(BlocksTest, FirstWithIsTheLowestId) {
    blocks_.remove(edits_);
    const auto expected = std::max_element(left_.begin(), left_.end()) - left_.begin();
    EXPECT_EQ(blocks_.first_with(blocks_.top()), static_cast<std::size_t>(expected));
}

TEST_P(BlocksTest, MassIsTheSumOfWeights) {
    for (int removed = 0; removed < 2; ++removed) {
        const auto top = static_cast<double>(blocks_.top());
        double weight = 0;
        double moment = 0;
        for (const float x : removed != 0 ? left_ : logits_) {
            const double depth = top - static_cast<double>(x);
            weight += std::exp(-depth);
            if (std::isfinite(depth)) moment += depth * std::exp(-depth);
        }
        const sample::Mass found = blocks_.mass();
        EXPECT_NEAR(found.weight, weight, 1e-5 * weight);
        EXPECT_NEAR(found.moment, moment, 1e-5 * weight);
        blocks_.remove(edits_);
    }
}

// Weighed on the way or afterwards, wherever the top comes: rising logits move the base with every block.
TEST_P(BlocksTest, WeighingOnTheWayGivesTheSame) {
    std::vector<float> rising = logits_;
    std::sort(rising.begin(), rising.end());
    const std::vector<float> falling(rising.rbegin(), rising.rend());
    std::vector<float> late(logits_.size(), kMinusInfinity);
    late.back() = 3;
    for (const std::vector<float>& logits : {logits_, rising, falling, late})
        for (const sample::Kernels* kernels : sample::available_kernels()) {
            sample::Blocks before(*kernels);
            sample::Blocks after(*kernels);
            ASSERT_EQ(before.scan_and_weigh(logits), Status::ok);
            ASSERT_EQ(after.scan(logits), Status::ok);
            EXPECT_EQ(before.top(), after.top());
            EXPECT_TRUE(std::ranges::equal(before.maxima(), after.maxima()));
            EXPECT_TRUE(
                std::ranges::equal(before.lane_maxima(after.maxima().size() - 1), after.lane_maxima(after.maxima().size() - 1)));
            EXPECT_NEAR(before.mass().weight, after.mass().weight, 1e-5 * after.mass().weight);
            EXPECT_NEAR(before.mass().moment, after.mass().moment, 1e-5 * after.mass().weight);
            // What was added up on the way is of all tokens.
            before.remove(edits_);
            after.remove(edits_);
            if (before.top() > kMinusInfinity) {
                EXPECT_EQ(before.mass().weight, after.mass().weight);
            }
        }
}

TEST(Blocks, WeighingOnTheWayRefusesWhatScanningDoes) {
    sample::Blocks blocks(*sample::available_kernels().front());
    constexpr float infinity = std::numeric_limits<float>::infinity();
    for (const std::size_t at : {0U, 4095U, 4096U, 9999U}) {
        std::vector<float> logits = synthetic(Shape::open, 10000, 1);
        logits[at] = std::numeric_limits<float>::quiet_NaN();
        EXPECT_EQ(blocks.scan_and_weigh(logits), Status::nan);
        logits[at] = infinity;
        EXPECT_EQ(blocks.scan_and_weigh(logits), Status::infinite);
        logits[at] = 2e7F;  // too large for the kernel's base
        ASSERT_EQ(blocks.scan_and_weigh(logits), Status::ok);
        EXPECT_NEAR(blocks.mass().weight, 1, 1e-5);
    }
    EXPECT_EQ(blocks.scan_and_weigh(std::vector<float>(10000, kMinusInfinity)), Status::no_token);
}

INSTANTIATE_TEST_SUITE_P(Vocabularies, BlocksTest, testing::Values(1, 2, 127, 128, 129, 1000, 32000, 100001));

}  // namespace
}  // namespace hlg::test
