// SPDX-License-Identifier: MIT
#include "engine/settings.hpp"

#include <array>
#include <set>

#include <cmath>

#include <gtest/gtest.h>

namespace hlg::engine {
namespace {

SamplingSettings with_hlg(HlgSettings hlg) {
    SamplingSettings settings;
    settings.hlg = std::move(hlg);
    return settings;
}

HlgSettings on() {
    HlgSettings hlg;
    hlg.enabled = true;
    return hlg;
}

TEST(Settings, NothingGivenIsPlainTemperatureOne) {
    const auto resolved = resolve({});
    ASSERT_TRUE(resolved);
    EXPECT_EQ(resolved->params.temperature, 1.0);
    EXPECT_FALSE(resolved->params.hlg);
    EXPECT_TRUE(resolved->ignored.empty());
}

TEST(Settings, TheHigherTierWinsFieldByField) {
    SamplingSettings low;
    low.temperature = 0.5;
    low.top_p = 0.9;
    SamplingSettings high;
    high.temperature = 0.7;
    const std::array tiers{low, high};
    const auto resolved = resolve(tiers);
    ASSERT_TRUE(resolved);
    EXPECT_EQ(resolved->params.temperature, 0.7);
    EXPECT_EQ(resolved->params.top_p, 0.9);
}

TEST(Settings, APresetDiscardsLowerKnobsAndItsOwnTiersKnobsChangeIt) {
    HlgSettings low = on();
    low.width = 9.0;
    low.toe = 9.0;
    HlgSettings high;
    high.preset = "balanced";
    high.toe = 3.0;
    const std::array tiers{with_hlg(low), with_hlg(high)};
    const auto resolved = resolve(tiers);
    ASSERT_TRUE(resolved);
    CurveParams expected = find_preset("balanced")->params;
    expected.toe = 3.0;
    ASSERT_TRUE(resolved->params.hlg);
    EXPECT_EQ(*resolved->params.hlg, expected);
    EXPECT_EQ(resolved->preset, "balanced");
}

TEST(Settings, KnobsAboveAPresetChangeIt) {
    HlgSettings low = on();
    low.preset = "gentle";
    HlgSettings high;
    high.width = off;
    const std::array tiers{with_hlg(low), with_hlg(high)};
    const auto resolved = resolve(tiers);
    ASSERT_TRUE(resolved);
    EXPECT_EQ(resolved->params.hlg->width, off);
    EXPECT_EQ(resolved->params.hlg->toe, find_preset("gentle")->params.toe);
}

TEST(Settings, APivotWithoutAnOffsetTakesItsOwnDefault) {
    HlgSettings low = on();
    low.preset = "balanced";
    HlgSettings high;
    high.pivot = Pivot::top;
    std::array tiers{with_hlg(low), with_hlg(high)};
    auto resolved = resolve(tiers);
    ASSERT_TRUE(resolved);
    EXPECT_EQ(resolved->params.hlg->pivot_offset.value_or(default_offset(Pivot::top)), 3.0);

    tiers[1].hlg.pivot_offset = 2.5;
    resolved = resolve(tiers);
    EXPECT_EQ(resolved->params.hlg->pivot_offset, 2.5);
}

TEST(Settings, WhatHlgPutsOutOfForceIsNamed) {
    SamplingSettings settings = with_hlg(on());
    settings.top_k = 40;
    settings.top_p = 0.9;
    settings.min_p = 0.05;
    const auto resolved = resolve(std::span(&settings, 1));
    ASSERT_TRUE(resolved);
    EXPECT_EQ(resolved->ignored, (std::vector<std::string>{"top_k", "top_p", "min_p"}));

    settings.hlg.enabled = false;
    EXPECT_TRUE(resolve(std::span(&settings, 1))->ignored.empty());
}

TEST(Settings, PenaltiesAndBiasesFollowTheTiersToo) {
    SamplingSettings low;
    low.repeat_penalty = 1.1;
    low.presence_penalty = 0.5;
    low.logit_bias = {{1, 2.0F}, {2, 3.0F}};
    SamplingSettings high;
    high.presence_penalty = -0.25;
    high.repeat_last_n = -1;
    high.logit_bias = {{3, 1.0F}};
    const auto resolved = resolve(std::array{low, high});
    ASSERT_TRUE(resolved);
    EXPECT_EQ(resolved->penalties, (Penalties{.repeat = 1.1, .presence = -0.25, .frequency = 0, .last_n = -1}));
    ASSERT_EQ(resolved->logit_bias.size(), 1U);
    EXPECT_EQ(resolved->logit_bias[0].token, 3);
    EXPECT_TRUE(resolve({})->penalties.off());
}

TEST(Settings, PenaltiesOutOfTheirRangeAreNamed) {
    const auto message = [](auto field, auto value) {
        SamplingSettings settings;
        settings.*field = value;
        const auto resolved = resolve(std::span(&settings, 1));
        return resolved ? std::string("no error") : resolved.error().message;
    };
    EXPECT_EQ(message(&SamplingSettings::repeat_penalty, 0.0), "[repeat_penalty] must be 0.01 to 100, got 0");
    EXPECT_EQ(message(&SamplingSettings::presence_penalty, 100.5), "[presence_penalty] must be -100 to 100, got 100.5");
    EXPECT_EQ(message(&SamplingSettings::frequency_penalty, std::nan("")), "[frequency_penalty] must be -100 to 100, got nan");
    EXPECT_EQ(message(&SamplingSettings::repeat_last_n, -2), "[repeat_last_n] must be -1 (all), 0 (off) or more, got -2");
}

TEST(Settings, ErrorsNameTheFieldAndTheRange) {
    SamplingSettings settings;
    settings.hlg.width = -1.0;  // checked although HLG is off
    const auto resolved = resolve(std::span(&settings, 1));
    ASSERT_FALSE(resolved);
    EXPECT_EQ(resolved.error().code, ErrorCode::bad_settings);
    EXPECT_EQ(resolved.error().message, "[hlg.width] must be >= 0 or off, got -1");

    settings = {};
    settings.hlg.preset = "loud";
    EXPECT_NE(resolve(std::span(&settings, 1)).error().message.find("note"), std::string::npos);
}

TEST(Settings, RandomSeedsAreSmallEnoughForJsonAndDiffer) {
    std::set<std::uint64_t> seen;
    for (int i = 0; i < 100; ++i) {
        seen.insert(random_seed());
        EXPECT_LT(*seen.rbegin(), std::uint64_t{1} << 53U);
    }
    EXPECT_EQ(seen.size(), 100U);
}

}  // namespace
}  // namespace hlg::engine
