// SPDX-License-Identifier: MIT
//
// Every model through the engine: distributions worth sampling from, and what must hold whether HLG is on or off.
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/engine.hpp"
#include "random_model.hpp"

namespace hlg::test {
namespace {

using namespace engine;

constexpr std::size_t generated = 16;  // tokens

class Generation : public testing::TestWithParam<TestModel> {
protected:
    void SetUp() override {
        // Reproducible: what one request leaves in the KV cache must not change the next one's last bits. One thread: two that
        // wait for each other on busy cores take ten times as long.
        auto engine = Engine::start(load(GetParam()), {.context = {.context = 256, .threads = 1}, .reproducible = true});
        ASSERT_TRUE(engine) << engine.error().message;
        engine_ = std::move(*engine);
    }

    /** What the engine generates under these settings. */
    std::vector<GeneratedToken> generate(const SamplingSettings& sampling, std::size_t log_probabilities = 0) {
        GenerateRequest request{.prompt = "Once upon a time", .sampling = sampling, .max_tokens = generated, .ignore_end = true};
        if (log_probabilities > 0) request.log_probabilities = log_probabilities;
        const auto completions = complete(*engine_, request);
        if (!completions) {
            ADD_FAILURE() << completions.error().message;
            return {};
        }
        EXPECT_EQ(completions->front().tokens.size(), generated);
        return completions->front().tokens;
    }

    std::vector<Token> tokens(const SamplingSettings& sampling) {
        std::vector<Token> ids;
        for (const GeneratedToken& token : generate(sampling)) ids.push_back(token.token);
        return ids;
    }

    Statistics statistics(const std::string& prompt) {
        Ticket ticket = engine_->submit(InspectRequest{.prompt = prompt});
        while (const std::optional<Event> event = ticket.next()) {
            if (const auto* inspected = std::get_if<InspectedEvent>(&event->what)) return inspected->statistics;
            if (const auto* failed = std::get_if<ErrorEvent>(&event->what)) ADD_FAILURE() << failed->error.message;
        }
        return {};
    }

    std::unique_ptr<Engine> engine_;
};

/** Strong knobs, so that a curve that should be off and is not would show. */
HlgSettings strong(bool enabled) {
    return {.enabled = enabled, .preset = "bold", .pivot = Pivot::top, .pivot_offset = 1.0, .shoulder = 0.1, .toe = 0.1};
}

TEST_P(Generation, IsAsOpenAsATrainedModels) {
    for (const char* prompt : {"Once upon a time", "My sister says that", "x = [1, 2, 3]\nprint("}) {
        const double entropy = statistics(prompt).model_entropy;
        EXPECT_GT(entropy, 0.0) << prompt;
        if (!GetParam().random) continue;  // what the demo model learnt is its own affair
        EXPECT_GE(entropy, 1.0) << prompt;
        EXPECT_LE(entropy, 4.0) << prompt;
    }
}

// Its template's grammar lets any text come before a call; a model whose weights mean nothing would never end it.
TEST_P(Generation, ACallThatMustComeComesAtOnce) {
    if (GetParam().name != "minicpm5-q8_0") GTEST_SKIP() << "no template that can call";
    auto roomy = Engine::start(load(GetParam()), {.context = {.context = 640, .threads = 1}});  // the template is long
    ASSERT_TRUE(roomy) << roomy.error().message;
    for (const ToolChoice& choice : {ToolChoice{.kind = ToolChoice::Kind::required, .function = {}},
                                     ToolChoice{.kind = ToolChoice::Kind::function, .function = "get_time"}})
        for (std::uint64_t seed = 1; seed <= 5; ++seed) {
            ChatRequest chat{.messages = R"([{"role": "user", "content": "How late is it?"}])"};
            chat.tools =
                R"([{"type": "function", "function": {"name": "get_time", "parameters": {"type": "object", "properties": {}}}}])";
            chat.tool_choice = choice;
            chat.parallel_tool_calls = false;
            chat.thinking = false;
            GenerateRequest request{.prompt = chat, .max_tokens = 60};
            request.sampling.seed = seed;
            const auto done = complete(**roomy, request);
            ASSERT_TRUE(done) << done.error().message;
            ASSERT_EQ(done->front().message.tool_calls.size(), 1U) << done->front().message.content;
            EXPECT_EQ(done->front().message.tool_calls[0].name, "get_time");
            EXPECT_EQ(done->front().message.content, "");
        }
}

TEST_P(Generation, HlgOffIsTheClassicSampler) {
    SamplingSettings classic{.temperature = 0.9, .top_p = 0.95, .top_k = 40, .min_p = 0.02, .seed = 11};
    const std::vector<Token> expected = tokens(classic);
    EXPECT_EQ(tokens(classic), expected);
    classic.hlg = strong(false);
    EXPECT_EQ(tokens(classic), expected);
    classic.hlg = strong(true);
    EXPECT_NE(tokens(classic), expected);  // else the above would show nothing
}

TEST_P(Generation, ACurveWithoutRolloffIsTemperature) {
    for (const double temperature : {0.7, 1.3}) {
        const std::vector<Token> expected = tokens({.temperature = temperature, .seed = 12});
        for (const Pivot pivot : {Pivot::top, Pivot::entropy, Pivot::median}) {
            // top_k would leave one token; while HLG is on it is not applied.
            SamplingSettings flat{.temperature = temperature, .top_k = 1, .seed = 12, .hlg = strong(true)};
            flat.hlg.pivot = pivot;
            flat.hlg.width = off;
            EXPECT_EQ(tokens(flat), expected) << "T " << temperature << ", pivot " << static_cast<int>(pivot);
        }
    }
}

TEST_P(Generation, WithoutTemperatureTheCurveChangesNothing) {
    std::vector<Token> highest;
    std::vector<Token> drawn;
    for (const GeneratedToken& token : generate({.temperature = 0.0, .seed = 13, .hlg = strong(true)}, 1)) {
        drawn.push_back(token.token);
        highest.push_back(token.highest.at(0).token);
    }
    EXPECT_EQ(drawn, highest);
    EXPECT_EQ(tokens({.temperature = 0.0}), drawn);
}

INSTANTIATE_TEST_SUITE_P(Models, Generation, testing::ValuesIn(test_models()), test_name);

}  // namespace
}  // namespace hlg::test
