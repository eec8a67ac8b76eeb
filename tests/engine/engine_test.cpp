// SPDX-License-Identifier: MIT
//
// The engine from outside, on the demo model: one request at a time.
#include "engine/engine.hpp"

#include <cmath>
#include <numeric>
#include <set>

#include <gtest/gtest.h>

#include "engine/demo_engine.hpp"

namespace hlg::engine {
namespace {

TEST(Engine, OneSeedOneText) {
    const auto engine = demo_engine();
    const std::string first = completion(*engine, story(50)).text;
    EXPECT_FALSE(first.empty());
    EXPECT_EQ(completion(*engine, story(50)).text, first);
    EXPECT_NE(completion(*engine, story(50, 8)).text, first);
}

TEST(Engine, StopsAtTheAskedLength) {
    const auto engine = demo_engine();
    const Completion ten = completion(*engine, story(10));
    EXPECT_EQ(ten.finished.reason, Finish::length);
    EXPECT_EQ(ten.finished.usage.generated_tokens, 10U);
    EXPECT_EQ(ten.tokens.size(), 10U);
    EXPECT_EQ(ten.finished.usage.prompt_tokens, demo_model().tokenize("Once upon a time").size());
    const Completion none = completion(*engine, story(0));
    EXPECT_EQ(none.finished.reason, Finish::length);
    EXPECT_EQ(none.finished.usage.generated_tokens, 0U);
    EXPECT_EQ(none.text, "");
}

TEST(Engine, FillsTheContextToTheLastPlace) {
    const auto engine = demo_engine({.context = {.context = 16}});
    GenerateRequest request = story(1000);
    const Completion all = completion(*engine, request);
    EXPECT_EQ(all.finished.reason, Finish::context);
    // The last one is shown, but never fed.
    EXPECT_EQ(all.finished.usage.generated_tokens, 16U - all.finished.usage.prompt_tokens + 1U);
}

TEST(Engine, APromptAsLongAsTheContextIsTheLongest) {
    const auto engine = demo_engine({.context = {.context = 16}});
    std::vector<Token> prompt = demo_model().tokenize("Once upon a time");
    prompt.resize(16, prompt.back());
    EXPECT_EQ(completion(*engine, {.prompt = prompt}).finished.usage.generated_tokens, 1U);
    prompt.push_back(prompt.back());
    const Error refused = error_of(*engine, GenerateRequest{.prompt = prompt});
    EXPECT_EQ(refused.code, ErrorCode::prompt_too_long);
    EXPECT_NE(refused.message.find("17"), std::string::npos);
    EXPECT_NE(refused.message.find("16"), std::string::npos);
}

TEST(Engine, TextStreamsAsItConcatenates) {
    const auto engine = demo_engine();
    Ticket ticket = engine->submit(story(60));
    std::string streamed;
    std::string bytes;
    std::size_t events = 0;
    while (std::optional<Event> event = ticket.next())
        if (const auto* part = std::get_if<TextEvent>(&event->what)) {
            ++events;
            streamed += part->text;
            for (const GeneratedToken& token : part->tokens) bytes += token.bytes;
        }
    EXPECT_GT(events, 30U);
    EXPECT_EQ(streamed, completion(*engine, story(60)).text);
    EXPECT_EQ(streamed, bytes);  // plain ASCII: no character is torn
}

TEST(Engine, AnAcceptedRequestTellsWhatIsInForce) {
    SamplingSettings line;
    line.top_k = 40;
    const auto engine = demo_engine({.settings = {line}});
    GenerateRequest request = story(3);
    request.choices = 2;
    request.sampling.hlg.preset = "balanced";
    request.sampling.hlg.enabled = true;
    Ticket ticket = engine->submit(request);
    std::optional<Event> first = ticket.next();
    ASSERT_TRUE(first);
    const auto* accepted = std::get_if<AcceptedEvent>(&first->what);
    ASSERT_NE(accepted, nullptr);
    EXPECT_EQ(accepted->prompt_tokens, engine->model().tokenize("Once upon a time").size());
    EXPECT_EQ(accepted->settings.params.seed, 7U);
    EXPECT_EQ(accepted->settings.preset, "balanced");
    EXPECT_TRUE(accepted->settings.params.hlg);
    EXPECT_EQ(accepted->settings.ignored, std::vector<std::string>{"top_k"});
    while (std::optional<Event> event = ticket.next()) EXPECT_FALSE(std::holds_alternative<AcceptedEvent>(event->what));
}

/** The statistics once the engine has told of so many tokens and rests. */
EngineStatistics at_rest(const Engine& engine, std::size_t tokens) {
    const auto start = std::chrono::steady_clock::now();
    EngineStatistics statistics = engine.statistics();
    while (statistics.running > 0 || statistics.tally.generated_tokens < tokens) {
        if (std::chrono::steady_clock::now() - start > std::chrono::seconds(10)) break;
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
        statistics = engine.statistics();
    }
    return statistics;
}

TEST(Engine, TheTallyTellsWhereOnTheCurveTokensLay) {
    const auto engine = demo_engine();
    GenerateRequest request = story(100);
    request.ignore_end = true;
    completion(*engine, request);
    const DrawTally plain = at_rest(*engine, 100).tally.draws;
    EXPECT_GT(plain.seconds, 0.0);
    EXPECT_EQ(plain.shoulder + plain.mid + plain.toe, 0U);
    // The shoulder holds what is within a nat of the top, the mid two nats below that: all three get tokens.
    request.sampling.temperature = 1.5;
    request.sampling.hlg = {.enabled = true, .pivot = Pivot::top, .pivot_offset = 2.0, .width = 1.0, .toe = 4.0};
    completion(*engine, request);
    const DrawTally curved = at_rest(*engine, 200).tally.draws;
    EXPECT_GT(curved.seconds, plain.seconds);
    EXPECT_EQ(curved.shoulder + curved.mid + curved.toe, 100U);
    EXPECT_GT(curved.shoulder, 0U);
    EXPECT_GT(curved.mid, 0U);
    EXPECT_GT(curved.toe, 0U);
}

TEST(Engine, AStopStringEndsTheTextBeforeIt) {
    const auto engine = demo_engine();
    const std::string whole = completion(*engine, story(60)).text;
    const std::string stop = whole.substr(whole.size() / 2, 7);
    GenerateRequest request = story(60);
    request.stop = {"never to be found", stop};
    const Completion cut = completion(*engine, request);
    EXPECT_EQ(cut.text, whole.substr(0, whole.find(stop)));
    EXPECT_EQ(cut.finished.reason, Finish::stop);
    EXPECT_EQ(cut.finished.stop, stop);
}

TEST(Engine, AnEndTokenEndsAndCanBeIgnored) {
    const auto engine = demo_engine();
    GenerateRequest request = story(30);
    request.sampling.logit_bias.emplace();
    for (const Token token : demo_model().end_tokens()) request.sampling.logit_bias->push_back({token, 100.0F});
    const Completion ended = completion(*engine, request);
    EXPECT_EQ(ended.finished.reason, Finish::stop);
    EXPECT_EQ(ended.finished.stop, std::nullopt);
    EXPECT_EQ(ended.finished.usage.generated_tokens, 0U);
    request.ignore_end = true;
    const Completion goes_on = completion(*engine, request);
    EXPECT_EQ(goes_on.finished.reason, Finish::length);
    EXPECT_EQ(goes_on.finished.usage.generated_tokens, 30U);
}

TEST(Engine, TheCurveChangesTheStoryAndTheIdentityDoesNot) {
    const auto engine = demo_engine();
    GenerateRequest request = story(60);
    const std::string plain = completion(*engine, request).text;
    request.sampling.hlg = {.enabled = true, .preset = "balanced"};
    EXPECT_NE(completion(*engine, request).text, plain);
    request.sampling.hlg.width = off;
    EXPECT_EQ(completion(*engine, request).text, plain);
    request.sampling.temperature = 0;
    request.sampling.hlg.width.reset();
    const std::string greedy = completion(*engine, request).text;
    request.sampling.hlg = {};
    EXPECT_EQ(completion(*engine, request).text, greedy);
}

TEST(Engine, SettingsOfLowerTiersHoldUntilOverruled) {
    SamplingSettings model;
    model.temperature = 0;
    SamplingSettings line;
    line.seed = 11;
    const auto engine = demo_engine({.settings = {model, line}});
    const Completion greedy = completion(*engine, {.prompt = "Once upon a time", .max_tokens = 30});
    EXPECT_EQ(greedy.finished.seed, 11U);
    EXPECT_EQ(completion(*engine, story(30)).text, greedy.text);
    EXPECT_EQ(completion(*engine, story(30)).finished.seed, 7U);
    GenerateRequest warm = story(30);
    warm.sampling.temperature = 1.2;
    EXPECT_NE(completion(*engine, warm).text, greedy.text);
}

TEST(Engine, ASeedThatNobodyGaveIsDrawnAndTold) {
    const auto engine = demo_engine();
    const GenerateRequest request{.prompt = "Once upon a time", .max_tokens = 20};
    const Completion first = completion(*engine, request);
    const Completion second = completion(*engine, request);
    EXPECT_NE(first.finished.seed, second.finished.seed);
    EXPECT_LT(first.finished.seed, std::uint64_t{1} << 53U);
    EXPECT_EQ(completion(*engine, story(20, first.finished.seed)).text, first.text);
}

TEST(Engine, SettingsThatHlgPutsAsideAreNamed) {
    const auto engine = demo_engine();
    GenerateRequest request = story(3);
    request.sampling.top_p = 0.9;
    EXPECT_TRUE(completion(*engine, request).finished.ignored.empty());
    request.sampling.hlg.enabled = true;
    EXPECT_EQ(completion(*engine, request).finished.ignored, std::vector<std::string>{"top_p"});
}

TEST(Engine, LogProbabilitiesAreTheModels) {
    const auto engine = demo_engine();
    GenerateRequest request = story(12);
    request.sampling.temperature = 0.3;  // has no part in them
    request.log_probabilities = 4;
    const Completion told = completion(*engine, request);
    ASSERT_EQ(told.tokens.size(), 12U);
    std::vector<Token> text = demo_model().tokenize("Once upon a time");
    const std::size_t first = text.size();
    for (const GeneratedToken& token : told.tokens) {
        text.push_back(token.token);
        ASSERT_TRUE(token.log_probability);
        ASSERT_EQ(token.highest.size(), 4U);
        for (std::size_t i = 1; i < 4; ++i) EXPECT_GE(token.highest[i - 1].log_probability, token.highest[i].log_probability);
        for (const TokenLogProbability& high : token.highest) {
            if (high.token == token.token) {
                EXPECT_EQ(high.log_probability, *token.log_probability);
            }
        }
    }
    // The same, asked for as a score: computed as a prompt.
    Ticket ticket = engine->submit(ScoreRequest{.tokens = text, .first = first});
    const std::optional<Event> event = ticket.next();
    ASSERT_TRUE(event);
    const auto& scored = std::get<ScoredEvent>(event->what);
    ASSERT_EQ(scored.log_probabilities.size(), 12U);
    for (std::size_t i = 0; i < 12; ++i) EXPECT_NEAR(scored.log_probabilities[i], *told.tokens[i].log_probability, 2e-2);
    EXPECT_TRUE(scored.highest.empty());
}

TEST(Engine, ScoresWithTheMostProbableTokens) {
    const auto engine = demo_engine();
    const std::vector<Token> text = demo_model().tokenize("Once upon a time there was");
    Ticket ticket = engine->submit(ScoreRequest{.tokens = text, .highest = 3});
    const auto scored = std::get<ScoredEvent>(ticket.next()->what);
    ASSERT_EQ(scored.highest.size(), text.size() - 1);
    for (std::size_t i = 0; i < scored.highest.size(); ++i) {
        ASSERT_EQ(scored.highest[i].size(), 3U);
        EXPECT_LE(scored.log_probabilities[i], scored.highest[i][0].log_probability);
    }
    EXPECT_EQ(scored.highest.back()[0].token, text.back());  // " was"
    EXPECT_EQ(error_of(*engine, ScoreRequest{.tokens = text, .highest = 101}).code, ErrorCode::bad_request);
    EXPECT_TRUE(scored.tokens.empty());
}

TEST(Engine, ScoresTexts) {
    const auto engine = demo_engine();
    const auto score = [&](ScoreRequest request) {
        Ticket ticket = engine->submit(std::move(request));
        return std::get<ScoredEvent>(ticket.next()->what);
    };
    const ScoredEvent scored = score({.text = "Once upon a time"});
    EXPECT_EQ(scored.tokens, demo_model().tokenize("Once upon a time"));
    EXPECT_EQ(scored.log_probabilities, score({.tokens = scored.tokens}).log_probabilities);
    const ScoredEvent nothing = score({.text = ""});
    EXPECT_EQ(nothing.tokens, demo_model().tokenize(""));
    EXPECT_TRUE(nothing.log_probabilities.empty());
}

TEST(Engine, ScoresInChunksWhatFewerOutputsThanTokensGive) {
    const auto engine = demo_engine();
    std::vector<Token> text = demo_model().tokenize("Once upon a time there was a king who had three sons, and the youngest was");
    while (text.size() < 300) text.push_back(text[text.size() - 17]);
    const auto score = [&](std::size_t first) {
        Ticket ticket = engine->submit(ScoreRequest{.tokens = text, .first = first});
        return std::get<ScoredEvent>(ticket.next()->what).log_probabilities;
    };
    const std::vector<float> all = score(1);
    ASSERT_EQ(all.size(), text.size() - 1);
    for (const float p : all) EXPECT_LE(p, 0.0F);
    const std::vector<float> last = score(290);
    ASSERT_EQ(last.size(), 10U);
    for (std::size_t i = 0; i < 10; ++i) EXPECT_NEAR(last[i], all[289 + i], 2e-2);
}

TEST(Engine, InspectTellsTheDistributionOfTheDraw) {
    const auto engine = demo_engine();
    InspectRequest request{.prompt = "Once upon a time there", .tokens = 10};
    request.sampling.temperature = 2.0;
    Ticket ticket = engine->submit(request);
    const auto inspected = std::get<InspectedEvent>(ticket.next()->what);
    ASSERT_EQ(inspected.tokens.size(), 10U);
    EXPECT_EQ(inspected.tokens[0].bytes, " was");
    EXPECT_LT(inspected.tokens[0].probability, std::exp(inspected.tokens[0].log_probability));  // temperature 2 flattens
    EXPECT_NEAR(inspected.statistics.top1, inspected.tokens[0].probability, 1e-12);
    const double gap = inspected.tokens[0].logit - inspected.tokens[1].logit;
    EXPECT_NEAR(std::log(inspected.tokens[0].probability / inspected.tokens[1].probability), gap / 2, 1e-5);
    EXPECT_NEAR(inspected.tokens[0].log_probability - inspected.tokens[1].log_probability, gap, 1e-5);
    EXPECT_EQ(inspected.settings.params.temperature, 2.0);
    EXPECT_FALSE(ticket.next());
}

TEST(Engine, InspectTellsWhatTheCurveChanges) {
    const auto engine = demo_engine();
    InspectRequest request{.prompt = "Once upon a time there", .tokens = 5};
    request.sampling.temperature = 1.5;
    request.sampling.hlg = {.enabled = true, .preset = "balanced"};
    Ticket ticket = engine->submit(request);
    const auto inspected = std::get<InspectedEvent>(ticket.next()->what);
    for (const InspectedToken& token : inspected.tokens) EXPECT_NE(token.probability, token.plain_probability);
    const double gap = inspected.tokens[0].logit - inspected.tokens[1].logit;
    EXPECT_NEAR(std::log(inspected.tokens[0].plain_probability / inspected.tokens[1].plain_probability), gap / 1.5, 1e-5);
    EXPECT_FALSE(std::isnan(inspected.statistics.pivot));
    EXPECT_TRUE(std::isnan(inspected.plain.pivot));
    EXPECT_GT(inspected.statistics.kl, 0.0);
    EXPECT_NEAR(inspected.plain.kl, 0.0, 1e-12);
    EXPECT_NEAR(inspected.model.entropy, inspected.statistics.model_entropy, 1e-9);
    EXPECT_GT(inspected.plain.entropy, inspected.model.entropy);
    EXPECT_EQ(inspected.settings.preset, "balanced");
}

TEST(Engine, CountsTokens) {
    const auto engine = demo_engine();
    Ticket ticket = engine->submit(CountRequest{"Once upon a time"});
    EXPECT_EQ(std::get<CountedEvent>(ticket.next()->what).tokens, demo_model().tokenize("Once upon a time").size());
    EXPECT_FALSE(ticket.next());
    const TokenizeOptions bare{.begin = false};
    Ticket listing = engine->submit(CountRequest{.prompt = "Once upon a time", .options = bare, .list = true});
    const auto counted = std::get<CountedEvent>(listing.next()->what);
    EXPECT_EQ(counted.list, demo_model().tokenize("Once upon a time", bare));
    EXPECT_EQ(counted.tokens, counted.list.size());
}

// The engine sleeps after the last request; what it tells of itself must not be older than that.
TEST(Engine, StatisticsOfAnIdleEngineSayThatNothingRuns) {
    const auto engine = demo_engine();
    const auto idle_within = [&](std::chrono::seconds time) {
        const auto until = std::chrono::steady_clock::now() + time;
        for (EngineStatistics now = engine->statistics(); now.running + now.waiting + now.preparing > 0;
             now = engine->statistics())
            if (std::chrono::steady_clock::now() > until) return false;
        return true;
    };
    completion(*engine, story(5));
    EXPECT_TRUE(idle_within(std::chrono::seconds(10)));
    EXPECT_EQ(engine->statistics().tally.generated_tokens, 5U);
    {
        Ticket ticket = engine->submit(story(100'000));
        started(ticket);
        EXPECT_GT(engine->statistics().running + engine->statistics().waiting, 0U);
    }
    EXPECT_TRUE(idle_within(std::chrono::seconds(10)));
}

TEST(Engine, BadRequestsAreErrors) {
    const auto engine = demo_engine();
    const auto code = [&](Request request) { return error_of(*engine, std::move(request)).code; };
    EXPECT_EQ(code(GenerateRequest{.prompt = std::vector<Token>{}}), ErrorCode::prompt_empty);
    EXPECT_EQ(code(GenerateRequest{.prompt = std::vector<Token>{-1}}), ErrorCode::bad_request);
    EXPECT_EQ(code(GenerateRequest{.prompt = std::vector<Token>{1 << 30}}), ErrorCode::bad_request);
    GenerateRequest request = story(1);
    request.sampling.temperature = std::nan("");
    EXPECT_EQ(code(request), ErrorCode::bad_settings);
    request = story(1);
    request.choices = 0;
    EXPECT_EQ(code(request), ErrorCode::bad_request);
    request = story(1);
    request.log_probabilities = 1000;
    EXPECT_EQ(code(request), ErrorCode::bad_request);
    request = story(1);
    request.sampling.logit_bias = {{1 << 30, 1.0F}};
    EXPECT_EQ(code(request), ErrorCode::bad_request);
    EXPECT_EQ(code(ScoreRequest{.tokens = {1, 2}, .first = 0}), ErrorCode::bad_request);
    EXPECT_EQ(code(ScoreRequest{.tokens = {1, 2}, .first = 2}), ErrorCode::bad_request);
    EXPECT_EQ(code(ScoreRequest{.tokens = {}, .first = 1}), ErrorCode::bad_request);
    EXPECT_EQ(completion(*engine, story(5)).finished.usage.generated_tokens, 5U) << "and the engine goes on";
}

TEST(Engine, BiasesAndBansActOnTheDraw) {
    const auto engine = demo_engine();
    GenerateRequest request = story(6);
    const Token wanted = demo_model().tokenize(" king").back();
    request.sampling.logit_bias = {{wanted, 100.0F}};
    for (const GeneratedToken& token : completion(*engine, request).tokens) EXPECT_EQ(token.token, wanted);
    request = story(40);
    request.sampling.temperature = 0;
    const Completion free = completion(*engine, request);
    const Token banned = free.tokens[3].token;
    request.sampling.logit_bias = {{banned, -std::numeric_limits<float>::infinity()}};
    for (const GeneratedToken& token : completion(*engine, request).tokens) EXPECT_NE(token.token, banned);
}

TEST(Engine, APenaltyKeepsTokensFromComingAgain) {
    const auto engine = demo_engine();
    GenerateRequest request = story(80);
    request.sampling.presence_penalty = 100;
    const Completion once = completion(*engine, request);
    std::set<Token> seen;
    for (const GeneratedToken& token : once.tokens) EXPECT_TRUE(seen.insert(token.token).second) << token.bytes;
}

}  // namespace
}  // namespace hlg::engine
