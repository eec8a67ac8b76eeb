// SPDX-License-Identifier: MIT
//
// Chats through the engine. The demo model knows no chat; grammars make it say what a chat model would.
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "engine/chat_reader.hpp"
#include "engine/chat_templates.hpp"
#include "engine/demo_engine.hpp"

namespace hlg::engine {
namespace {

constexpr const char* template_text =
    "{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}";

constexpr const char* hello = R"([{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Hello!"}])";

GenerateRequest chat(std::string messages, std::size_t tokens) {
    GenerateRequest request;
    ChatRequest asked;
    asked.messages = std::move(messages);
    request.prompt = std::move(asked);
    request.max_tokens = tokens;
    request.sampling.seed = 5;
    return request;
}

TEST(ChatRequest, ThePromptIsTheTemplates) {
    const auto engine = demo_engine({.chat_template = template_text});
    Ticket counted = engine->submit(CountRequest{chat(hello, 1).prompt});
    const std::string prompt =
        "<|im_start|>system\nBe brief.<|im_end|>\n<|im_start|>user\nHello!<|im_end|>\n<|im_start|>assistant\n";
    EXPECT_EQ(std::get<CountedEvent>(counted.next()->what).tokens, demo_model().tokenize(prompt).size());
    GenerateRequest raw;
    raw.prompt = prompt;
    raw.max_tokens = 20;
    raw.sampling.seed = 5;
    EXPECT_EQ(completion(*engine, chat(hello, 20)).message.content, completion(*engine, raw).text);
}

TEST(ChatRequest, TheAnswerComesAsContentAndStreams) {
    const auto engine = demo_engine({.chat_template = template_text});
    Ticket ticket = engine->submit(chat(hello, 30));
    std::string content;
    std::size_t tokens = 0;
    std::size_t ends = 0;
    while (const auto event = ticket.next()) {
        EXPECT_FALSE(std::holds_alternative<TextEvent>(event->what));
        if (const auto* part = std::get_if<ChatEvent>(&event->what)) {
            EXPECT_EQ(ends, 0U);
            tokens += part->tokens.size();
            for (const ChatDelta& delta : part->deltas) content += delta.text;
        }
        if (std::holds_alternative<FinishedEvent>(event->what)) ++ends;
    }
    EXPECT_EQ(ends, 1U);
    EXPECT_EQ(tokens, 30U);
    EXPECT_EQ(content, completion(*engine, chat(hello, 30)).message.content);
}

TEST(ChatRequest, ASchemaShapesTheAnswer) {
    const auto engine = demo_engine({.context = {.lanes = 2}, .chat_template = template_text});
    GenerateRequest request = chat(hello, 200);
    std::get<ChatRequest>(request.prompt).json_schema =
        R"({"type": "object", "properties": {"kind": {"enum": ["fox", "king"]}}, "required": ["kind"], "additionalProperties": false})";
    request.choices = 3;
    const auto answers = complete(*engine, request);
    ASSERT_TRUE(answers) << answers.error().message;
    for (const Completion& answer : *answers) {
        EXPECT_EQ(answer.finished.reason, Finish::stop);
        EXPECT_TRUE(nlohmann::json::accept(answer.message.content)) << answer.message.content;
    }
}

// What a model that calls would write, token by token.
TEST(ChatRequest, AnAnswerThatCallsAToolEndsForThat) {
    const auto chat_template = ChatTemplate::make(demo_model(), test::hermes);
    ASSERT_TRUE(chat_template);
    ChatRequest asked;
    asked.messages = hello;
    asked.tools = test::tools;
    const auto rendered = chat_template->render(asked);
    ASSERT_TRUE(rendered) << rendered.error().message;
    const std::string answer =
        "Let me see.\n<tool_call>\n{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Ulm\"}}\n</tool_call>";
    ChatReader reader;
    ChatMessage message;
    for (const char letter : answer) EXPECT_TRUE(reader.take(Event{0, TextEvent{std::string(1, letter), {}}}, *rendered));
    EXPECT_TRUE(reader.take(Event{0, FinishedEvent{}}, *rendered));
    EXPECT_FALSE(reader.take(std::nullopt, *rendered));
    std::optional<Finish> reason;
    while (reader.ready()) {
        const Event event = reader.next();
        ASSERT_FALSE(reason) << "something came after the end";
        if (const auto* part = std::get_if<ChatEvent>(&event.what))
            for (const ChatDelta& delta : part->deltas) message.append(delta);
        if (const auto* last = std::get_if<FinishedEvent>(&event.what)) reason = last->reason;
    }
    EXPECT_EQ(reason, Finish::tool_calls);
    ASSERT_EQ(message.tool_calls.size(), 1U);
    EXPECT_EQ(message.tool_calls[0].name, "get_weather");
    EXPECT_EQ(nlohmann::json::parse(message.tool_calls[0].arguments), nlohmann::json::parse(R"({"city": "Ulm"})"));
    EXPECT_EQ(message.content, "Let me see.\n");
}

TEST(ChatRequest, WhatIsNoChatIsAnError) {
    const auto engine = demo_engine();
    EXPECT_EQ(error_of(*engine, chat("not json", 1)).code, ErrorCode::bad_request);
    EXPECT_EQ(error_of(*engine, chat("[]", 1)).code, ErrorCode::bad_request);
    GenerateRequest twice = chat(hello, 1);
    twice.constraint = JsonSchema{"{}"};
    EXPECT_EQ(error_of(*engine, twice).code, ErrorCode::bad_request);
    EXPECT_FALSE(Engine::start(demo_model(), {.chat_template = "{% for %}"}));
    EXPECT_EQ(completion(*engine, story(3)).finished.usage.generated_tokens, 3U);
}

}  // namespace
}  // namespace hlg::engine
