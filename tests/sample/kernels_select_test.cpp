// The kernels that select by mass: the same bits on every set that runs here, and the accuracy that kernels.hpp states.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numeric>

#include "sample/kernels.hpp"
#include "support/logits.hpp"

namespace hlg::test {
namespace {

using sample::Kernels;
using sample::SplitSums;

constexpr float kMinusInfinity = -std::numeric_limits<float>::infinity();

constexpr double kWeightError = 4e-6;

// Lengths around every vector's width, every short sum's end and every buffer's.
std::vector<std::vector<float>> arrays() {
    std::vector<std::vector<float>> all;
    for (const auto& x : adversarial())
        if (std::abs(*std::max_element(x.begin(), x.end())) <= 1e6F) all.push_back(x);
    for (const std::size_t n : {1U, 3U, 4U, 8U, 15U, 16U, 17U, 31U, 33U, 63U, 64U, 65U, 511U, 512U, 513U, 5000U})
        for (const Shape shape : {Shape::confident, Shape::flat}) all.push_back(synthetic(shape, n, n));
    return all;
}

float base_of(const std::vector<float>& x) { return std::round(*std::max_element(x.begin(), x.end()) * sample::kOctavesPerNat); }

double exact_weight(float x, float base) {
    const double octaves = static_cast<double>(sample::kOctavesPerNat) * static_cast<double>(x) - static_cast<double>(base);
    return std::exp2(std::max(octaves, -100.0));
}

using Bits = std::vector<std::uint64_t>;

Bits bits(std::span<const double> values) {
    Bits out;
    for (const double value : values) out.push_back(std::bit_cast<std::uint64_t>(value));
    return out;
}

struct Split {
    SplitSums sums;
    std::vector<float> inside;
};

Split split(const Kernels& kernels, const std::vector<float>& x, float low, float high) {
    Split out;
    out.inside.resize(x.size() + sample::kLanes);
    out.inside.resize(kernels.split(x.data(), x.size(), base_of(x), low, high, out.inside.data(), out.sums));
    return out;
}

// Some places to cut at: between the logits, at them, around all of them.
std::vector<std::pair<float, float>> cuts(const std::vector<float>& x) {
    const float top = *std::max_element(x.begin(), x.end());
    return {{top - 1, top}, {x[x.size() / 2], top + 1}, {top - 100, top - 0.5F}, {top - 2, top - 2}, {top + 1, top + 2}};
}

TEST(KernelsSelect, SplitKeepsWhatLiesInside) {
    for (const auto& x : arrays())
        for (const auto& [low, high] : cuts(x)) {
            if (std::isinf(low)) continue;
            std::vector<float> expected;
            std::copy_if(x.begin(), x.end(), std::back_inserter(expected),
                         [low = low, high = high](float value) { return value >= low && value < high; });
            const auto above = std::count_if(x.begin(), x.end(), [high = high](float value) { return value >= high; });
            for (const Kernels* kernels : sample::available_kernels()) {
                const Split found = split(*kernels, x, low, high);
                EXPECT_EQ(found.inside, expected) << kernels->name;
                EXPECT_EQ(found.sums.above_count, static_cast<std::size_t>(above)) << kernels->name;
                std::vector<float> collected(x.size() + sample::kLanes);
                collected.resize(kernels->collect(x.data(), x.size(), low, high, collected.data()));
                EXPECT_EQ(collected, expected) << kernels->name;
            }
        }
}

TEST(KernelsSelect, SumsAreThoseOfTheWeights) {
    for (const auto& x : arrays())
        for (const auto& [low, high] : cuts(x)) {
            if (std::isinf(low)) continue;
            const Split found = split(*sample::available_kernels().front(), x, low, high);
            double total = 0;
            double above = 0;
            for (const float value : x) {
                total += exact_weight(value, base_of(x));
                if (value >= high) above += exact_weight(value, base_of(x));
            }
            const auto sum = [](const double(&lanes)[sample::kLanes]) {
                return std::accumulate(lanes, lanes + sample::kLanes, 0.0);
            };
            EXPECT_NEAR(sum(found.sums.total), total, kWeightError * total);
            EXPECT_NEAR(sum(found.sums.above), above, kWeightError * above);
            double alone[sample::kLanes] = {};
            sample::available_kernels().front()->weight_sums(x.data(), x.size(), base_of(x), false, alone);
            EXPECT_EQ(bits(alone), bits(found.sums.total));
            double coarse[sample::kLanes] = {};
            sample::available_kernels().front()->weight_sums(x.data(), x.size(), base_of(x), true, coarse);
            EXPECT_NEAR(sum(coarse), total, 1.2e-4 * total);
        }
}

TEST(KernelsSelect, TheSameBitsOnEverySet) {
    for (const auto& x : arrays()) {
        const auto [low, high] = cuts(x).front();
        const Split expected = split(*sample::available_kernels().front(), x, low, high);
        std::vector<float> weights(x.size() + sample::kPadding);
        sample::available_kernels().front()->weights(x.data(), x.size(), base_of(x), weights.data());
        for (const Kernels* kernels : sample::available_kernels().subspan(1)) {
            const Split found = split(*kernels, x, low, high);
            EXPECT_EQ(bits(found.sums.total), bits(expected.sums.total)) << kernels->name;
            EXPECT_EQ(bits(found.sums.above), bits(expected.sums.above)) << kernels->name;
            std::vector<float> others(x.size() + sample::kPadding);
            kernels->weights(x.data(), x.size(), base_of(x), others.data());
            EXPECT_TRUE(std::equal(others.begin(), others.begin() + static_cast<std::ptrdiff_t>(x.size()), weights.begin()));
        }
    }
}

// One logit at a time, so that no error hides behind another's.
TEST(KernelsSelect, WeightsHaveTheStatedAccuracy) {
    for (const float base : {0.0F, 40.0F, -333.0F, 1400000.0F}) {
        double worst = 0;
        for (int hundredths = -50; hundredths < 12000; ++hundredths) {
            const double octaves = static_cast<double>(base) - 1e-2 * hundredths;
            const auto x = static_cast<float>(octaves / static_cast<double>(sample::kOctavesPerNat));
            if (exact_weight(x, base) < 0x1p-99) continue;
            float weights[sample::kPadding];
            sample::available_kernels().front()->weights(&x, 1, base, weights);
            worst = std::max(worst, std::abs(static_cast<double>(weights[0]) / exact_weight(x, base) - 1));
        }
        EXPECT_LE(worst, kWeightError) << base;
    }
}

TEST(KernelsSelect, SumsAtLeastCompareWithEachThreshold) {
    for (auto x : arrays()) {
        x.resize((x.size() + sample::kLanes - 1) / sample::kLanes * sample::kLanes, kMinusInfinity);
        std::vector<float> weight(x.size());
        for (std::size_t i = 0; i < x.size(); ++i) weight[i] = 1.0F + static_cast<float>(i % 7) / 7;
        std::array<float, sample::kThresholds> thresholds;
        const float top = *std::max_element(x.begin(), x.end());
        for (std::size_t i = 0; i < thresholds.size(); ++i) thresholds[i] = top - static_cast<float>(i * i) / 4;
        std::array<float, sample::kThresholds> first{};
        for (const Kernels* kernels : sample::available_kernels()) {
            std::array<float, sample::kThresholds> sums{};
            kernels->sums_at_least(x.data(), weight.data(), x.size(), thresholds.data(), sums.data());
            for (std::size_t j = 0; j < sums.size(); ++j) {
                double expected = 0;
                for (std::size_t i = 0; i < x.size(); ++i)
                    if (x[i] >= thresholds[j]) expected += static_cast<double>(weight[i]);
                EXPECT_NEAR(static_cast<double>(sums[j]), expected, 1e-6 * expected) << kernels->name;
            }
            if (kernels == sample::available_kernels().front()) first = sums;
            EXPECT_EQ(sums, first) << kernels->name;
        }
    }
}

}  // namespace
}  // namespace hlg::test
