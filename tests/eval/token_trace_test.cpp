// SPDX-License-Identifier: MIT
//
// Traces against what the engine itself tells of the same places.
#include "eval/token_trace.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "engine/demo_engine.hpp"
#include "eval/compare.hpp"

namespace hlg::eval {
namespace {

class TokenTrace : public testing::Test {
protected:
    Trace trace(const engine::SamplingSettings& sampling, std::size_t tokens = 12) {
        const engine::Model& model = engine_->model();
        prompt_ = model.tokenize("Once upon a time there was", {.begin = true, .marks = false});
        engine::GenerateRequest request;
        request.prompt = prompt_;
        request.sampling = sampling;
        request.sampling.seed = 3;
        request.max_tokens = tokens;
        request.ignore_end = false;
        request.log_probabilities = 0;
        const auto done = engine::complete(*engine_, request);
        EXPECT_TRUE(done);
        tokens_.clear();
        for (const engine::GeneratedToken& token : done->front().tokens) tokens_.push_back(token.token);
        log_p_ = done->front().tokens;
        text_ = done->front().text;
        const auto settings = engine::resolve(std::span(&sampling, 1));
        EXPECT_TRUE(settings);
        return trace_text(model, {.context = 128}, prompt_, tokens_, *settings, stop_);
    }

    /** What the engine says of the place before the text's token of that number. */
    engine::InspectedEvent inspect(const engine::SamplingSettings& sampling, std::size_t place) {
        engine::InspectRequest request;
        std::vector<engine::Token> before = prompt_;
        before.insert(before.end(), tokens_.begin(), tokens_.begin() + static_cast<std::ptrdiff_t>(place));
        request.prompt = before;
        request.sampling = sampling;
        request.tokens = 1000;
        engine::Ticket ticket = engine_->submit(request);
        while (std::optional<engine::Event> event = ticket.next())
            if (auto* told = std::get_if<engine::InspectedEvent>(&event->what)) return *told;
        ADD_FAILURE() << "no inspection";
        return {};
    }

    std::unique_ptr<engine::Engine> engine_ = engine::demo_engine({.context = {.lanes = 1}});
    std::vector<engine::Token> prompt_;
    std::vector<engine::Token> tokens_;
    std::vector<engine::GeneratedToken> log_p_;
    std::string text_;
    std::atomic<bool> stop_ = false;
};

engine::SamplingSettings balanced(double temperature) {
    engine::SamplingSettings sampling;
    sampling.temperature = temperature;
    sampling.hlg = {.enabled = true, .preset = "balanced"};
    return sampling;
}

TEST_F(TokenTrace, SaysWhatTheEngineSaysOfEachPlace) {
    const engine::SamplingSettings sampling = balanced(0.9);
    const Trace found = trace(sampling);
    ASSERT_EQ(found.tokens.size(), tokens_.size());
    ASSERT_GE(found.tokens.size(), 8U);
    TraceMeans sum;
    std::string text;
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
        const engine::InspectedEvent told = inspect(sampling, i);
        const auto drawn =
            std::find_if(told.tokens.begin(), told.tokens.end(), [&](const auto& one) { return one.token == tokens_[i]; });
        ASSERT_NE(drawn, told.tokens.end());
        EXPECT_NEAR(found.tokens[i].q, drawn->probability, 1e-4 * drawn->probability + 1e-9);
        EXPECT_NEAR(found.tokens[i].p, std::exp(static_cast<double>(*log_p_[i].log_probability)), 1e-4);
        const double z = static_cast<double>(drawn->logit) - told.statistics.pivot;
        EXPECT_EQ(found.tokens[i].region, z > 1.6 ? "shoulder" : z < -1.6 ? "toe" : "mid");
        sum.entropy += told.statistics.entropy;
        sum.kl += told.statistics.kl;
        sum.top1 += told.statistics.top1;
        sum.collision += told.statistics.collision;
        text += found.tokens[i].text;
    }
    const auto n = static_cast<double>(tokens_.size());
    EXPECT_EQ(text, text_);
    EXPECT_NEAR(found.means.entropy, sum.entropy / n, 1e-3);
    EXPECT_NEAR(found.means.kl, sum.kl / n, 1e-3);
    EXPECT_NEAR(found.means.top1, sum.top1 / n, 1e-3);
    EXPECT_NEAR(found.means.collision, sum.collision / n, 1e-3);
}

TEST_F(TokenTrace, PlainTemperatureMovesNothing) {
    engine::SamplingSettings plain;
    plain.temperature = 1.0;
    const Trace found = trace(plain);
    double surprisal = 0;
    for (const TracedToken& token : found.tokens) {
        EXPECT_NEAR(token.q, token.p, 1e-6);
        EXPECT_EQ(token.region, "");
        surprisal -= std::log(token.p) / static_cast<double>(found.tokens.size());
    }
    EXPECT_NEAR(found.means.kl, 0, 1e-12);
    EXPECT_NEAR(found.means.surprisal, surprisal, 1e-9);
    EXPECT_GT(found.means.tail, 0);
}

TEST_F(TokenTrace, AGreedyTextIsCertain) {
    engine::SamplingSettings greedy;
    greedy.temperature = 0.0;
    const Trace found = trace(greedy);
    for (const TracedToken& token : found.tokens) EXPECT_EQ(token.q, 1);
    EXPECT_EQ(found.means.entropy, 0);
    EXPECT_EQ(found.means.collision, 1);
    EXPECT_EQ(found.means.tail, 0);
}

TEST_F(TokenTrace, PenaltiesTakePart) {
    engine::SamplingSettings plain;
    plain.temperature = 1.0;
    plain.top_k = 0;
    engine::SamplingSettings penalised = plain;
    penalised.presence_penalty = 50.0;
    const Trace found = trace(penalised, 24);
    for (std::size_t i = 0; i < tokens_.size(); ++i) EXPECT_EQ(std::count(tokens_.begin(), tokens_.end(), tokens_[i]), 1) << i;
    const auto settings = engine::resolve(std::span(&penalised, 1));
    std::vector<engine::Token> twice{tokens_[0], tokens_[0]};
    const Trace again = trace_text(engine_->model(), {.context = 128}, prompt_, twice, *settings, stop_);
    EXPECT_LT(again.tokens[1].q, 1e-15);
    EXPECT_GT(again.tokens[1].p, 1e-15);
}

TEST_F(TokenTrace, CanBeStopped) {
    stop_ = true;
    engine::SamplingSettings plain;
    const auto settings = engine::resolve(std::span(&plain, 1));
    const std::vector<engine::Token> some = engine_->model().tokenize("Once upon a time", {.begin = true, .marks = false});
    EXPECT_THROW((void)trace_text(engine_->model(), {.context = 128}, some, some, *settings, stop_), Stopped);
}

// A text of a thousand tokens takes longer than this may.
TEST_F(TokenTrace, ComparingStopsWhileATextIsWritten) {
    CompareOptions options;
    options.prompts = {"Once upon a time"};
    options.tokens = 1000;
    stop_ = true;
    const std::uint64_t before = engine_->statistics().tally.generated_tokens;
    EXPECT_THROW((void)compare(*engine_, options, stop_), Stopped);
    EXPECT_LT(engine_->statistics().tally.generated_tokens - before, 1000U);
}

TEST_F(TokenTrace, ComparesArmsFromOneSeed) {
    CompareOptions options;
    options.prompts = {"Once upon a time", "The king"};
    options.arms = {{.name = "a", .sampling = balanced(0.8)}, {.name = "b", .sampling = balanced(0.8)}, default_arms()[0]};
    options.tokens = 10;
    const auto compared = compare(*engine_, options, stop_);
    ASSERT_EQ(compared.size(), 2U);
    const auto text = [](const Trace& trace) {
        std::string all;
        for (const TracedToken& token : trace.tokens) all += token.text;
        return all;
    };
    for (const ComparedPrompt& prompt : compared) {
        ASSERT_EQ(prompt.arms.size(), 3U);
        EXPECT_EQ(text(prompt.arms[0]), text(prompt.arms[1])) << "one seed, one text";
    }
    EXPECT_NE(text(compared[0].arms[0]), text(compared[1].arms[0]));
    const Json json = comparison_of_texts(*engine_, options, compared).json({});
    EXPECT_EQ(json["kind"], "compare");
    EXPECT_EQ(json["tables"]["arms"]["rows"].size(), 3U);
    const Json& passage = json["sections"][0]["texts"][1];
    EXPECT_EQ(passage["prompt"], "The king");
    EXPECT_EQ(passage["columns"][0]["tokens"]["text"].size(), compared[1].arms[0].tokens.size());
    EXPECT_TRUE(passage["columns"][2]["tokens"]["region"][0].is_null());
}

TEST_F(TokenTrace, ComparingRefusesWhatMakesNoSense) {
    CompareOptions options;
    EXPECT_THROW((void)compare(*engine_, options, stop_), std::invalid_argument);
    options.prompts = {"x"};
    options.arms.front().sampling.temperature = -1;
    EXPECT_THROW((void)compare(*engine_, options, stop_), std::invalid_argument);
    options.arms = default_arms();
    options.prompts = {std::string(20000, 'x')};
    EXPECT_THROW((void)compare(*engine_, options, stop_), std::runtime_error);
}

}  // namespace
}  // namespace hlg::eval
