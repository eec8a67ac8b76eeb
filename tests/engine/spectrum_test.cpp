// SPDX-License-Identifier: MIT
#include "engine/spectrum.hpp"

#include <cmath>
#include <random>

#include <gtest/gtest.h>

namespace hlg::engine {
namespace {

/** Straight from the definition, one exponential a score. */
double entropy_of(const std::vector<float>& scores, double temperature) {
    double weight = 0;
    for (const float score : scores) weight += std::exp(static_cast<double>(score - scores[0]) / temperature);
    double entropy = 0;
    for (const float score : scores) {
        const double p = std::exp(static_cast<double>(score - scores[0]) / temperature) / weight;
        if (p > 0) entropy -= p * std::log(p);
    }
    return entropy;
}

std::vector<float> scores(unsigned seed, float scale, std::size_t count = 5000) {
    std::mt19937 random(seed);
    std::normal_distribution<float> normal(0, scale);
    std::vector<float> all(count);
    for (float& score : all) score = normal(random);
    return all;
}

TEST(Spectrum, EntropyOfFewIsExact) {
    const Spectrum two(std::vector<float>{3, 3});
    EXPECT_NEAR(two.entropy(1), std::log(2), 1e-12);
    EXPECT_NEAR(two.entropy(50), std::log(2), 1e-12);
    EXPECT_EQ(Spectrum(std::vector<float>{-5}).entropy(1), 0);
    const float none = -std::numeric_limits<float>::infinity();
    EXPECT_NEAR(Spectrum(std::vector<float>{none, 1, none, 2}).entropy(0.5), entropy_of({1, 2}, 0.5), 1e-12);
}

TEST(Spectrum, EntropyOfManyIsAsAccurateAsItSays) {
    for (const float scale : {0.1F, 1.0F, 3.0F, 10.0F})
        for (const double temperature : {0.1, 0.5, 1.0, 2.0, 20.0}) {
            const std::vector<float> all = scores(7, scale);
            EXPECT_NEAR(Spectrum(all).entropy(temperature), entropy_of(all, temperature), 1e-4) << scale << " " << temperature;
        }
}

TEST(MatchEntropy, FindsTheTemperature) {
    const std::vector<Spectrum> spectra{Spectrum(scores(1, 3)), Spectrum(scores(2, 1)), Spectrum(scores(3, 6))};
    for (const double temperature : {0.02, 0.3, 0.9, 1.7, 40.0}) {
        double target = 0;
        for (const Spectrum& spectrum : spectra) target += spectrum.entropy(temperature) / 3;
        const TemperatureMatch match = match_entropy(spectra, target);
        EXPECT_NEAR(match.entropy, target, 1e-8);
        EXPECT_NEAR(match.temperature / temperature, 1, 1e-5);
    }
}

TEST(MatchEntropy, WhatCannotBeReachedGivesTheNearestEnd) {
    const std::vector<Spectrum> spectra{Spectrum(std::vector<float>{0, -1})};
    EXPECT_EQ(match_entropy(spectra, 0).temperature, 0.01);
    const TemperatureMatch hot = match_entropy(spectra, 2);
    EXPECT_EQ(hot.temperature, 100);
    EXPECT_NEAR(hot.entropy, std::log(2), 1e-4);
}

}  // namespace
}  // namespace hlg::engine
