// Teacher forcing on the demo model, against what the engine says when it scores the same text.
#include "eval/text_contexts.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "engine/demo_engine.hpp"
#include "engine/teacher.hpp"
#include "eval/token_kinds.hpp"

namespace hlg::eval {
namespace {

const char* const story =
    "Once upon a time there was a miller who had three sons and one old cat. When the miller died, the eldest took the mill, "
    "the second took the horse, and the youngest was left with nothing but the cat, who sat by the fire and looked at him.";

TextOptions options() { return {.id = "demo", .tokens = 512, .every = 1, .skip = 0, .engine = {.context = 512, .threads = 1}}; }

std::vector<float> scores(const std::string& text) {
    const auto engine = engine::demo_engine();
    engine::Ticket ticket = engine->submit(engine::ScoreRequest{.tokens = engine::demo_model().tokenize(text, {.marks = false})});
    for (std::optional<engine::Event> event; (event = ticket.next());)
        if (auto* scored = std::get_if<engine::ScoredEvent>(&event->what)) return scored->log_probabilities;
    return {};
}

TEST(TextContexts, KnowTheTokenThatComesNext) {
    const std::atomic<bool> abort = false;
    const Corpus corpus = read_texts(engine::demo_model(), {{"miller", story}}, options(), abort);
    const std::vector<float> expected = scores(story);
    ASSERT_EQ(corpus.contexts.size(), expected.size());
    ASSERT_GT(expected.size(), 40U);
    for (std::size_t i = 0; i < expected.size(); ++i) {
        const Context& context = corpus.contexts[i];
        EXPECT_EQ(context.place, i);
        EXPECT_NEAR(context.log_p[context.next->group], static_cast<double>(expected[i]), 2e-2) << i;
    }
    EXPECT_EQ(corpus.sources.front().texts, std::vector<std::string>{"miller"});
    EXPECT_EQ(corpus.sources.front().contexts, corpus.contexts.size());
    EXPECT_EQ(corpus.sources.front().sha256.size(), 64U);
}

TEST(TextContexts, EverySoMany) {
    const std::atomic<bool> abort = false;
    TextOptions some = options();
    some.skip = 3;
    some.every = 5;
    some.tokens = 30;
    const Corpus corpus = read_texts(engine::demo_model(), {{"a", story}, {"b", story}}, some, abort);
    ASSERT_EQ(corpus.contexts.size(), 12U);  // 3, 8, ... 28 of each
    EXPECT_EQ(corpus.contexts[1].place, 8U);
    EXPECT_EQ(corpus.contexts[6].text, 1U);
    EXPECT_EQ(corpus.contexts[6].cluster, corpus.contexts[0].cluster);  // the same text is no news
}

TEST(TextContexts, ALongTextIsReadInPieces) {
    const engine::Model& model = engine::demo_model();
    const std::vector<engine::Token> tokens = model.tokenize(story, {.marks = false});
    const std::atomic<bool> abort = false;
    std::vector<std::size_t> places;
    std::vector<float> tops;
    const auto visit = [&](std::size_t place, std::span<const float> logits) {
        places.push_back(place);
        tops.push_back(logits[0]);
    };
    EXPECT_FALSE(engine::read_text(model, {.context = 32, .threads = 1}, tokens, visit, abort));
    ASSERT_EQ(places.size(), tokens.size());
    for (std::size_t i = 0; i < places.size(); ++i) EXPECT_EQ(places[i], i);
    // In a context that has room for all, the first piece reads the same.
    std::vector<float> whole;
    EXPECT_FALSE(engine::read_text(
        model, {.context = 512, .threads = 1}, tokens,
        [&](std::size_t, std::span<const float> logits) { whole.push_back(logits[0]); }, abort));
    for (std::size_t i = 0; i < 32; ++i) EXPECT_NEAR(tops[i], whole[i], 2e-2) << i;
}

TEST(TextContexts, StopAndBadTokens) {
    const engine::Model& model = engine::demo_model();
    const auto nothing = [](std::size_t, std::span<const float>) {};
    const std::atomic<bool> abort = false;
    const std::vector<engine::Token> bad{1, 99999};
    EXPECT_EQ(engine::read_text(model, {.context = 32}, bad, nothing, abort)->code, engine::ErrorCode::bad_request);
    EXPECT_EQ(engine::read_text(model, {.context = 32}, {}, nothing, abort)->code, engine::ErrorCode::prompt_empty);
    EXPECT_THROW(read_texts(model, {{"a", story}}, options(), abort, [](double done) { return done < 0.5; }), Stopped);
}

TEST(TokenKinds, ScriptsBytesAndMarks) {
    EXPECT_EQ(scripts_of("12, !?"), 0U);
    EXPECT_EQ(scripts_of("abc"), scripts_of("Größe"));
    EXPECT_NE(scripts_of("abc"), scripts_of("где"));
    EXPECT_EQ(scripts_of("漢字"), scripts_of("书"));
    EXPECT_EQ(scripts_of("a где"), scripts_of("a") | scripts_of("где"));
    const engine::Model& model = engine::demo_model();
    const std::vector<std::uint8_t> latin = token_kinds_of(model, scripts_of("abc"));
    const std::vector<std::uint8_t> cyrillic = token_kinds_of(model, scripts_of("где"));
    const auto the = static_cast<std::size_t>(model.tokenize(" the", {.begin = false}).front());
    EXPECT_EQ(latin[the], plain_token);
    EXPECT_EQ(cyrillic[the], foreign_token);
    for (const engine::Token end : model.end_tokens()) EXPECT_EQ(latin[static_cast<std::size_t>(end)], control_token);
    const std::vector<engine::Token> torn = model.tokenize("漢", {.begin = false});
    ASSERT_GT(torn.size(), 1U);  // no such character in a small English vocabulary
    EXPECT_EQ(latin[static_cast<std::size_t>(torn.front())], byte_token);
}

}  // namespace
}  // namespace hlg::eval
