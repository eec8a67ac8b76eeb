// SPDX-License-Identifier: MIT
#include "engine/log_probabilities.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include <gtest/gtest.h>

namespace hlg::engine {
namespace {

std::vector<float> gaussian(std::size_t n, float deviation) {
    std::mt19937 generator(5);
    std::normal_distribution<float> normal(0, deviation);
    std::vector<float> x(n);
    for (float& value : x) value = normal(generator);
    return x;
}

TEST(LogProbabilities, AreLnSoftmax) {
    for (const std::size_t n : {1U, 2U, 300U, 32000U})
        for (const float deviation : {0.1F, 2.0F, 8.0F}) {
            const std::vector<float> x = gaussian(n, deviation);
            double sum = 0;
            for (const float value : x) sum += std::exp(static_cast<double>(value));
            LogProbabilities p;
            ASSERT_EQ(p.read(x), Status::ok);
            for (std::size_t i = 0; i < n; i += 1 + n / 50)
                EXPECT_NEAR(p.of(static_cast<Token>(i)), static_cast<double>(x[i]) - std::log(sum), 2e-5);
        }
}

TEST(LogProbabilities, TheHighestComeFirstAndTiesById) {
    std::vector<float> x = gaussian(5000, 2);
    x[4000] = x[17] = 50;
    LogProbabilities p;
    ASSERT_EQ(p.read(x), Status::ok);
    std::vector<Token> order(x.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(),
                     [&](Token a, Token b) { return x[static_cast<std::size_t>(a)] > x[static_cast<std::size_t>(b)]; });
    for (const std::size_t n : {0U, 1U, 2U, 20U, 100U, 5000U, 9000U}) {
        const auto found = p.highest(n);
        ASSERT_EQ(found.size(), std::min<std::size_t>(n, x.size()));
        for (std::size_t i = 0; i < found.size(); ++i) EXPECT_EQ(found[i].token, order[i]) << i;
    }
}

TEST(LogProbabilities, MaskedTokensHaveNone) {
    const std::vector<float> x{1.0F, -std::numeric_limits<float>::infinity(), 0.0F};
    LogProbabilities p;
    ASSERT_EQ(p.read(x), Status::ok);
    EXPECT_EQ(p.of(1), -std::numeric_limits<float>::infinity());
    EXPECT_EQ(p.highest(3).back().token, 1);
}

TEST(LogProbabilities, NonsenseIsAStatus) {
    LogProbabilities p;
    EXPECT_EQ(p.read(std::vector<float>{0, std::nanf("")}), Status::nan);
    EXPECT_EQ(p.read(std::vector<float>{}), Status::empty);
}

}  // namespace
}  // namespace hlg::engine
