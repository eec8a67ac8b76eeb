// SPDX-License-Identifier: MIT
#include "engine/model_config.hpp"

#include <gtest/gtest.h>

namespace hlg::engine {
namespace {

SamplingSettings parsed(const std::string& text) {
    const auto settings = parse_generation_config(text, "generation_config.json");
    EXPECT_TRUE(settings) << text;
    return settings ? *settings : SamplingSettings{};
}

std::string refused(const std::string& text) {
    const auto settings = parse_generation_config(text, "generation_config.json");
    EXPECT_FALSE(settings) << text;
    return settings ? "" : settings.error().message;
}

TEST(ModelConfig, ReadsSamplingAndPassesOverTheRest) {
    const SamplingSettings settings =
        parsed(R"({"temperature": 0.6, "top_p": 0.95, "top_k": 20, "min_p": null, "eos_token_id": [1, 2]})");
    EXPECT_EQ(settings.temperature, 0.6);
    EXPECT_EQ(settings.top_p, 0.95);
    EXPECT_EQ(settings.top_k, 20);
    EXPECT_FALSE(settings.min_p);
    EXPECT_FALSE(settings.hlg.enabled);
}

TEST(ModelConfig, NoSamplingMeansGreedy) { EXPECT_EQ(parsed(R"({"do_sample": false, "temperature": 0.6})").temperature, 0.0); }

TEST(ModelConfig, ReadsTheHlgObject) {
    const HlgSettings hlg =
        parsed(R"({"hlg": {"preset": "bold", "pivot": "median", "width": "off", "toe": 2, "toe_shape": "fade"}})").hlg;
    EXPECT_EQ(hlg.enabled, true);
    EXPECT_EQ(hlg.preset, "bold");
    EXPECT_EQ(hlg.pivot, Pivot::median);
    EXPECT_EQ(hlg.width, off);
    EXPECT_EQ(hlg.toe, 2.0);
    EXPECT_EQ(hlg.toe_shape, ToeShape::fade);
    EXPECT_EQ(parsed(R"({"hlg": true})").hlg.enabled, true);
    EXPECT_EQ(parsed(R"({"hlg": {"enabled": false, "width": 1}})").hlg.enabled, false);
}

TEST(ModelConfig, WhatCannotBeUnderstoodIsAnErrorThatNamesIt) {
    EXPECT_NE(refused("{").find("generation_config.json"), std::string::npos);
    EXPECT_NE(refused("[]").find("object"), std::string::npos);
    EXPECT_NE(refused(R"({"temperature": "hot"})").find("temperature"), std::string::npos);
    EXPECT_NE(refused(R"({"top_k": 1.5})").find("top_k"), std::string::npos);
    EXPECT_NE(refused(R"({"hlg": 3})").find("hlg"), std::string::npos);
    EXPECT_NE(refused(R"({"hlg": {"pivot": "bottom"}})").find("pivot"), std::string::npos);
    EXPECT_NE(refused(std::string(100000, '[')).find("deep"), std::string::npos);
}

}  // namespace
}  // namespace hlg::engine
