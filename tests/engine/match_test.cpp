// SPDX-License-Identifier: MIT
//
// Matching, against inspections of the same places: what it says of entropies must be what they say.
#include "engine/demo_engine.hpp"

namespace hlg::engine {
namespace {

constexpr const char* prompt = "Once upon a time";
constexpr const char* text = " there was a king who had three sons, and the youngest";

MatchedEvent matched(Engine& engine, MatchRequest request) {
    Ticket ticket = engine.submit(std::move(request));
    while (std::optional<Event> event = ticket.next()) {
        if (auto* found = std::get_if<MatchedEvent>(&event->what)) return std::move(*found);
        if (auto* failed = std::get_if<ErrorEvent>(&event->what)) ADD_FAILURE() << failed->error.message;
    }
    ADD_FAILURE() << "no match";
    return {};
}

/** The mean entropy of the draws at the text's tokens, each inspected by itself. */
double inspected_entropy(Engine& engine, const SamplingSettings& settings) {
    std::vector<Token> tokens = engine.model().tokenize(prompt);
    const std::vector<Token> after = engine.model().tokenize(text, {.begin = false});
    double sum = 0;
    for (const Token token : after) {
        Ticket ticket = engine.submit(InspectRequest{.prompt = tokens, .sampling = settings, .tokens = 1});
        while (std::optional<Event> event = ticket.next())
            if (auto* inspected = std::get_if<InspectedEvent>(&event->what)) sum += inspected->statistics.entropy;
        tokens.push_back(token);
    }
    return sum / static_cast<double>(after.size());
}

void expect_match(Engine& engine, const SamplingSettings& reference, SamplingSettings settings) {
    const MatchedEvent match = matched(engine, {.prompt = prompt, .text = text, .reference = reference, .settings = settings});
    const double target = inspected_entropy(engine, reference);
    EXPECT_EQ(match.positions, engine.model().tokenize(text, {.begin = false}).size());
    EXPECT_NEAR(match.reference_entropy, target, 1e-4);
    EXPECT_NEAR(match.entropy, target, 1e-4);
    settings.temperature = match.temperature;
    EXPECT_NEAR(inspected_entropy(engine, settings), target, 1e-3);
}

TEST(Match, TemperatureOfACurveAgainstPlainTemperature) {
    const auto engine = demo_engine();
    SamplingSettings bold;
    bold.hlg.enabled = true;
    bold.hlg.preset = "bold";
    expect_match(*engine, {.temperature = 1.0}, bold);
    expect_match(*engine, bold, {});
}

TEST(Match, TruncationsAndEditsCount) {
    const auto engine = demo_engine();
    expect_match(*engine, {.temperature = 0.8}, {.top_p = 0.9});
    expect_match(*engine, {.temperature = 0.7}, {.top_k = 40, .logit_bias = std::vector<Edit>{{300, 4.0F}}});
}

TEST(Match, TheSameSettingsKeepTheirTemperature) {
    const auto engine = demo_engine();
    const SamplingSettings warm{.temperature = 1.3};
    EXPECT_NEAR(matched(*engine, {.prompt = prompt, .text = text, .reference = warm, .settings = {}}).temperature, 1.3, 1e-4);
}

TEST(Match, WhatCannotBeReachedIsTold) {
    const auto engine = demo_engine();
    const MatchedEvent match = matched(*engine, {.prompt = prompt, .text = text, .settings = {.top_k = 1}});
    EXPECT_EQ(match.entropy, 0);
    EXPECT_GT(match.reference_entropy, 1);
}

TEST(Match, Refuses) {
    const auto engine = demo_engine();
    EXPECT_EQ(error_of(*engine, MatchRequest{.prompt = prompt, .text = ""}).code, ErrorCode::bad_request);
    EXPECT_EQ(error_of(*engine, MatchRequest{.prompt = prompt, .text = std::vector<Token>(1025, 300)}).code,
              ErrorCode::bad_request);
    EXPECT_EQ(error_of(*engine, MatchRequest{.prompt = prompt, .text = std::vector<Token>(600, 300)}).code,
              ErrorCode::prompt_too_long);
    EXPECT_EQ(error_of(*engine, MatchRequest{.prompt = prompt, .text = text, .settings = {.top_p = 2}}).code,
              ErrorCode::bad_settings);
}

}  // namespace
}  // namespace hlg::engine
