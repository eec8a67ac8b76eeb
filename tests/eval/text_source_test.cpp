// SPDX-License-Identifier: MIT
//
// Texts of the demo model, in this process, and the file that keeps them.
#include "eval/text_source.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <stdexcept>

#include "engine/chat_templates.hpp"
#include "engine/demo_engine.hpp"
#include "eval/engine_source.hpp"
#include "eval/text_store.hpp"

namespace hlg::eval {
namespace {

EngineSource demo_source(std::size_t lanes, bool reproducible = false) {
    return {engine::demo_engine({.context = {.lanes = lanes}, .reproducible = reproducible}), "storyteller"};
}

TextJob story(std::uint64_t seed, std::size_t tokens = 12) {
    TextJob job{.prompt = "Once upon a time", .max_tokens = tokens, .ignore_end = true};
    job.sampling.seed = seed;
    return job;
}

std::vector<TextJob> stories(std::size_t n) {
    std::vector<TextJob> jobs;
    for (std::size_t i = 0; i < n; ++i)
        jobs.push_back(story(i, 1 + (7 * i) % 13));  // of different lengths, so that they overtake
    return jobs;
}

TEST(EngineSource, TextsComeInTheOrderOfTheJobs) {
    EngineSource source = demo_source(4);
    const std::vector<TextJob> jobs = stories(30);
    std::vector<std::size_t> order;
    source.write(jobs,
                 [&](std::size_t job, const WrittenText& text) {
                     order.push_back(job);
                     EXPECT_EQ(text.generated_tokens, jobs[job].max_tokens);
                     EXPECT_EQ(text.finish, "length");
                 },
                 {});
    ASSERT_EQ(order.size(), jobs.size());
    for (std::size_t i = 0; i < order.size(); ++i) EXPECT_EQ(order[i], i);
}

TEST(EngineSource, SameSeedsSameTextsWhateverRunsBeside) {
    EngineSource source = demo_source(4, true);
    const std::vector<TextJob> jobs = stories(12);
    const std::vector<WrittenText> together = write_all(source, jobs);
    for (std::size_t i = 0; i < jobs.size(); ++i)
        EXPECT_EQ(write_all(source, std::span(jobs).subspan(i, 1)).front().text, together[i].text) << i;
    EXPECT_NE(together[3].text, together[9].text);
}

TEST(EngineSource, TellsTheModelsOwnLogProbabilities) {
    EngineSource source = demo_source(2);
    TextJob job = story(5);
    job.log_probabilities = true;
    job.sampling.temperature = 0.5;  // changes the draws, not what the model thinks of them
    const WrittenText text = write_all(source, std::span(&job, 1)).front();
    ASSERT_EQ(text.tokens.size(), 12U);
    std::string joined;
    std::vector<engine::Token> tokens = source.engine().model().tokenize("Once upon a time");
    const std::size_t first = tokens.size();
    for (const WrittenToken& token : text.tokens) joined += token.bytes;
    EXPECT_EQ(joined, text.text);
    for (const engine::Token token : source.engine().model().tokenize(text.text, {.begin = false})) tokens.push_back(token);
    if (tokens.size() != first + text.tokens.size()) GTEST_SKIP() << "the text reads as other tokens than were drawn";
    engine::Ticket ticket = source.engine().submit(engine::ScoreRequest{.tokens = tokens, .first = first});
    while (const std::optional<engine::Event> event = ticket.next()) {
        const auto* scored = std::get_if<engine::ScoredEvent>(&event->what);
        if (scored == nullptr) continue;
        for (std::size_t i = 0; i < text.tokens.size(); ++i)
            EXPECT_NEAR(scored->log_probabilities[i], text.tokens[i].log_probability, 0.05) << i;
    }
}

TEST(EngineSource, GrammarsAndChats) {
    EngineSource source(engine::demo_engine({.context = {.lanes = 2}, .chat_template = engine::test::hermes}), "storyteller");
    TextJob grammar = story(1);
    grammar.ignore_end = false;
    grammar.grammar = "root ::= \" yes\" | \" no\"";
    TextJob chat{.prompt = engine::ChatRequest{.messages = R"([{"role": "user", "content": "Tell me of the fox."}])"},
                 .max_tokens = 8};
    TextJob call = chat;
    call.prompt =
        engine::ChatRequest{.messages = R"([{"role": "user", "content": "Weather?"}])",
                            .tools = R"([{"type": "function", "function": {"name": "weather", "parameters": {"type": "object",
                      "properties": {"wet": {"type": "boolean"}}, "required": ["wet"], "additionalProperties": false}}}])",
                            .tool_choice = {engine::ToolChoice::Kind::required, {}},
                            .parallel_tool_calls = false};
    call.max_tokens = 300;
    call.sampling.seed = 3;
    const std::vector<WrittenText> texts = write_all(source, std::vector{grammar, chat, call});
    EXPECT_TRUE(texts[0].text == " yes" || texts[0].text == " no") << texts[0].text;
    EXPECT_EQ(texts[0].finish, "stop");
    EXPECT_FALSE(texts[1].text.empty());
    ASSERT_EQ(texts[2].tool_calls.size(), 1U) << texts[2].text << texts[2].finish << texts[2].error;
    EXPECT_EQ(texts[2].tool_calls[0].name, "weather");
    EXPECT_EQ(texts[2].finish, "tool_calls");
}

TEST(EngineSource, AJobThatMakesNoSenseHurtsNoOther) {
    EngineSource source = demo_source(2);
    std::vector<TextJob> jobs = stories(3);
    std::string& prompt = std::get<std::string>(jobs[1].prompt);
    while (prompt.size() < 8'000) prompt += " and then";
    const std::vector<WrittenText> texts = write_all(source, jobs);
    EXPECT_EQ(texts[1].finish, "error");
    EXPECT_NE(texts[1].error.find("tokens"), std::string::npos) << texts[1].error;
    EXPECT_EQ(texts[2].finish, "length");
}

TEST(EngineSource, StopsWhenTold) {
    EngineSource source = demo_source(2);
    std::size_t taken = 0;
    const std::vector<TextJob> jobs = stories(200);
    EXPECT_THROW(source.write(
                     jobs, [&](std::size_t, const WrittenText&) { ++taken; }, [&](double) { return taken < 5; }),
                 Stopped);
    EXPECT_LT(taken, 50U);
    EXPECT_EQ(write_all(source, stories(2)).size(), 2U);  // and is of use afterwards
}

/** Says the label's texts without a model, and counts. */
class CountingSource final : public TextSource {
public:
    void write(std::span<const TextJob> jobs, const Take& take, const Progress& progress) override {
        for (std::size_t i = 0; i < jobs.size(); ++i) {
            ++written;
            take(i, {.text = std::get<std::string>(jobs[i].prompt) + "!",
                     .finish = "stop",
                     .tokens = {{"caf\xc3", -1.5F}, {"\xa9", -0.25004999F}}});
            if (progress && !progress(0.5)) throw Stopped();
        }
    }
    [[nodiscard]] const SourceFacts& facts() const override { return facts_; }
    SourceFacts facts_{.id = "counting", .kind = "model"};
    std::size_t written = 0;
};

class TextStoreTest : public testing::Test {
protected:
    void SetUp() override { std::filesystem::remove(path_); }
    void TearDown() override { std::filesystem::remove(path_); }
    std::string path_ = testing::TempDir() + "texts-" + std::to_string(::getpid()) + ".jsonl";
};

TEST_F(TextStoreTest, NothingIsWrittenTwice) {
    CountingSource source;
    std::vector<TextJob> jobs{{.prompt = "a"}, {.prompt = "b"}, {.prompt = "c"}};
    {
        TextStore store(source, path_);
        EXPECT_THROW(store.write(
                         jobs, [](std::size_t, const WrittenText&) {}, [&](double) { return source.written < 2; }),
                     Stopped);
    }
    std::ofstream(path_, std::ios::app) << R"({"key": "half a li)";
    TextStore store(source, path_);
    EXPECT_EQ(store.resumed(), 2U);
    jobs.push_back({.prompt = "d"});
    std::swap(jobs[0], jobs[3]);  // another order
    std::string order;
    std::vector<float> fresh;
    store.write(jobs,
                [&](std::size_t job, const WrittenText& text) {
                    order += std::to_string(job) + text.text;
                    fresh.push_back(text.tokens.at(1).log_probability);
                },
                {});
    EXPECT_EQ(order, "0d!1b!2c!3a!");
    EXPECT_EQ(source.written, 4U);
    TextStore again(source, path_);
    EXPECT_EQ(again.resumed(), 4U);
    const WrittenText text = write_all(again, std::span(jobs).subspan(1, 1)).front();
    ASSERT_EQ(text.tokens.size(), 2U);
    EXPECT_EQ(text.tokens[0].bytes, "caf\xc3");  // torn, and still itself
    EXPECT_NEAR(text.tokens[1].log_probability, -0.25, 1e-4);
    // Written now or read back, the number is the same, to the bit.
    for (const float value : fresh) EXPECT_EQ(value, text.tokens[1].log_probability);
    EXPECT_EQ(source.written, 4U);
}

TEST_F(TextStoreTest, AnotherSettingOrModelIsAnotherText) {
    CountingSource source;
    TextStore store(source, path_);
    TextJob job{.prompt = "a"};
    write_all(store, std::span(&job, 1));
    job.label = "renamed";
    write_all(store, std::span(&job, 1));
    EXPECT_EQ(source.written, 1U);
    job.sampling.temperature = 0.5;
    write_all(store, std::span(&job, 1));
    job.sampling.hlg.preset = "bold";
    write_all(store, std::span(&job, 1));
    EXPECT_EQ(source.written, 3U);
    CountingSource other;
    other.facts_.sha256 = "feed";
    TextStore elsewhere(other, path_);
    write_all(elsewhere, std::span(&job, 1));
    EXPECT_EQ(other.written, 1U);
}

TEST(TextJson, ATextSurvives) {
    const WrittenText text{.text = "so\n",
                           .reasoning = "hm",
                           .tool_calls = {{"call_1", "f", R"({"x": 1})"}},
                           .finish = "tool_calls",
                           .prompt_tokens = 3,
                           .generated_tokens = 1,
                           .tokens = {{"so", -HUGE_VALF}}};
    const WrittenText back = written_text(Json::parse(to_json(text).dump()));
    EXPECT_EQ(back.text, text.text);
    EXPECT_EQ(back.reasoning, "hm");
    EXPECT_EQ(back.tool_calls, text.tool_calls);
    EXPECT_EQ(back.finish, "tool_calls");
    EXPECT_EQ(back.prompt_tokens, 3U);
    EXPECT_EQ(back.generated_tokens, 1U);
    EXPECT_EQ(back.tokens.at(0).log_probability, -HUGE_VALF);
}

}  // namespace
}  // namespace hlg::eval
