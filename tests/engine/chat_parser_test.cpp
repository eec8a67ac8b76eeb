// SPDX-License-Identifier: MIT
#include "engine/chat_parser.hpp"

#include <cstdlib>
#include <set>

#include <gtest/gtest.h>

#include "engine/chat_templates.hpp"

namespace hlg::engine {
namespace {

class Parser : public testing::Test {
protected:
    static void SetUpTestSuite() {
        auto model = Model::load(std::getenv("HLG_TEST_MODEL"));
        ASSERT_TRUE(model) << model.error().message;
        model_ = new Model(std::move(*model));
    }
    static void TearDownTestSuite() {
        delete model_;
        model_ = nullptr;
    }

    static RenderedChat chat(ChatRequest request = {}, const char* text = test::hermes) {
        if (request.messages.empty()) request.messages = R"([{"role": "user", "content": "Hello"}])";
        const auto made = ChatTemplate::make(*model_, text);
        EXPECT_TRUE(made) << made.error().message;
        const auto rendered = made->render(request);
        EXPECT_TRUE(rendered) << rendered.error().message;
        return *rendered;
    }

    static RenderedChat with_tools() { return chat({.messages = {}, .tools = test::tools}); }

    static ChatParser parser(const RenderedChat& chat) {
        return ChatParser(chat, [next = 0]() mutable { return "id" + std::to_string(next++); });
    }

    /** Puts deltas together, and holds them to their rules. */
    static void add(const std::vector<ChatDelta>& deltas, ChatMessage& message) {
        for (const ChatDelta& delta : deltas) {
            if (delta.kind == ChatDelta::Kind::content) message.content += delta.text;
            if (delta.kind == ChatDelta::Kind::reasoning) message.reasoning += delta.text;
            if (delta.kind != ChatDelta::Kind::tool_call) {
                EXPECT_FALSE(delta.text.empty());
                continue;
            }
            EXPECT_LE(delta.index, message.tool_calls.size());
            EXPECT_EQ(delta.name.empty(), delta.index < message.tool_calls.size());  // the first of a call has its name, no other
            EXPECT_EQ(delta.id.empty(), delta.name.empty());
            if (delta.index == message.tool_calls.size()) message.tool_calls.push_back({delta.id, delta.name, {}});
            message.tool_calls[delta.index].arguments += delta.text;
        }
    }

    /** The answer from the deltas of a text cut at the given places. */
    static ChatMessage parse(const RenderedChat& chat, const std::vector<std::string>& pieces) {
        ChatParser parsing = parser(chat);
        const std::size_t begun = parsing.message().content.size();  // of a message that is continued
        ChatMessage message;
        for (const std::string& piece : pieces) add(parsing.push(piece), message);
        add(parsing.finish(), message);
        ChatMessage known = parsing.message();
        known.content.erase(0, begun);
        EXPECT_EQ(known, message);
        return message;
    }

    /** The same whether the text comes at once, in two pieces cut anywhere, or character by character. */
    static ChatMessage parse_all_ways(const RenderedChat& chat, const std::string& text) {
        ChatMessage whole = parse(chat, {text});
        std::vector<std::string> characters;
        for (std::size_t i = 0; i < text.size(); ++i) {
            const bool begins = (static_cast<unsigned char>(text[i]) & 0xC0U) != 0x80U;
            if (begins && i > 0) {
                EXPECT_EQ(parse(chat, {text.substr(0, i), text.substr(i)}), whole) << "cut at " << i;
            }
            if (begins) characters.emplace_back();
            characters.back() += text[i];
        }
        EXPECT_EQ(parse(chat, characters), whole);
        return whole;
    }

    static inline Model* model_ = nullptr;
};

constexpr const char* paris = R"({"city": "Paris", "days": 3})";

TEST_F(Parser, PlainText) {
    EXPECT_EQ(parse_all_ways(chat({}, test::chatml), "Hello, \u00e9l\u00e8ve \U0001F600. <b>1 < 2</b> {\"a\": [1"),
              (ChatMessage{"Hello, \u00e9l\u00e8ve \U0001F600. <b>1 < 2</b> {\"a\": [1", "", {}}));
    EXPECT_EQ(parse_all_ways(chat(), ""), ChatMessage());
}

TEST_F(Parser, ReasoningComesApart) {
    const std::string text = "<think>\nLet me see: na\u00efve?\n</think>\n\nYes.";
    const ChatMessage message = parse_all_ways(chat(), text);
    EXPECT_EQ(message.content, "Yes.");
    EXPECT_NE(message.reasoning.find("Let me see: na\u00efve?"), std::string::npos);
    EXPECT_TRUE(message.tool_calls.empty());
    const ChatMessage left = parse_all_ways(chat({.messages = {}, .extract_reasoning = false}), text);
    EXPECT_TRUE(left.reasoning.empty());
    EXPECT_NE(left.content.find("Let me see"), std::string::npos);
}

TEST_F(Parser, ReasoningThatNeverEnds) {
    const ChatMessage message = parse_all_ways(chat(), "<think>\nLet me see, and");
    EXPECT_EQ(message.content, "");
    EXPECT_EQ(message.reasoning, "Let me see, and");
}

TEST_F(Parser, OneCall) {
    const ChatMessage message =
        parse_all_ways(with_tools(), std::string("Let me look.\n<tool_call>\n{\"name\": \"get_weather\", \"arguments\": ") +
                                         paris + "}\n</tool_call>");
    EXPECT_EQ(message.content, "Let me look.\n");
    ASSERT_EQ(message.tool_calls.size(), 1U);
    EXPECT_EQ(message.tool_calls[0], (ChatToolCall{"id0", "get_weather", paris}));
}

TEST_F(Parser, ReasoningThenTwoCalls) {
    const ChatMessage message = parse_all_ways(
        with_tools(), std::string("<think>\nBoth.\n</think>\n\n<tool_call>\n{\"name\": \"get_weather\", \"arguments\": ") +
                          paris + "}\n</tool_call>\n<tool_call>\n{\"name\": \"get_time\", \"arguments\": {}}\n</tool_call>");
    EXPECT_NE(message.reasoning.find("Both."), std::string::npos);
    EXPECT_EQ(message.content, "");
    ASSERT_EQ(message.tool_calls.size(), 2U);
    EXPECT_EQ(message.tool_calls[0], (ChatToolCall{"id0", "get_weather", paris}));
    EXPECT_EQ(message.tool_calls[1], (ChatToolCall{"id1", "get_time", "{}"}));
}

TEST_F(Parser, AnAnswerCutShort) {
    const std::string text = "<tool_call>\n{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Par";
    const ChatMessage message = parse_all_ways(with_tools(), text);
    ASSERT_EQ(message.tool_calls.size(), 1U);
    EXPECT_EQ(message.tool_calls[0].name, "get_weather");
    EXPECT_EQ(message.tool_calls[0].arguments, "{\"city\": \"Par");
}

// Whatever the model writes, every letter of it reaches the client somehow.
TEST_F(Parser, NothingIsLostOfWhatDoesNotFit) {
    EXPECT_EQ(parse(with_tools(), {"Hm.\n<tool_call>\n{\"nme\": \"get_weather\", oops"}).content,
              "Hm.\n<tool_call>\n{\"nme\": \"get_weather\", oops");
    const ChatMessage tail =
        parse(with_tools(), {"<tool_call>\n{\"name\": \"get_time\", \"arguments\": {}}\n</tool_call> and then some"});
    ASSERT_EQ(tail.tool_calls.size(), 1U);
    EXPECT_NE(tail.content.find("and then some"), std::string::npos);
    for (const char* text : {"<tool_call>\n{\"name\": \"no_such_tool\", \"arguments\": {}}\n</tool_call>",
                             "<tool_call>\n<tool_call>", "</think> </tool_call>", "<think>a</think><think>b</think>",
                             "<tool_call>{\"name\": \"get_weather\", \"arguments\": [1]}</tool_call>"}) {
        ChatParser parsing = parser(with_tools());
        ChatMessage message;
        for (const char* c = text; *c != '\0'; ++c) add(parsing.push(std::string_view(c, 1)), message);
        add(parsing.finish(), message);
        std::string all = message.reasoning + message.content;
        for (const ChatToolCall& call : message.tool_calls) all += call.name + call.arguments;
        EXPECT_NE(all, "") << text;
    }
}

TEST_F(Parser, BracketsForEverAreContent) {
    const std::string head = "<tool_call>\n{\"name\": \"get_weather\", \"arguments\": {\"city\": ";
    ChatParser parsing = parser(with_tools());
    ChatMessage message;
    add(parsing.push(head), message);
    for (int i = 0; i < 1000; ++i) add(parsing.push(std::string(100, '[')), message);
    add(parsing.finish(), message);
    std::string all = message.content;
    for (const ChatToolCall& call : message.tool_calls) all += call.arguments;
    EXPECT_GE(all.size(), 99'000U);
}

TEST_F(Parser, JsonAnswers) {
    const ChatMessage message =
        parse_all_ways(chat({.messages = {}, .json_schema = R"({"type": "object", "properties": {"a": {"type": "integer"}}})"}),
                       "<think>\nSo\n</think>\n\n{\"a\": 5}");
    EXPECT_EQ(message.content, "{\"a\": 5}");
    EXPECT_NE(message.reasoning.find("So"), std::string::npos);
}

TEST_F(Parser, AContinuedMessageTellsWhatIsNewOnly) {
    const RenderedChat continued =
        chat({.messages = R"([{"role": "user", "content": "Count"}, {"role": "assistant", "content": "One, two,"}])",
              .continue_final_message = true});
    ChatParser parsing = parser(continued);
    std::string told;
    for (const char* piece : {" three", ", four."}) {
        for (const ChatDelta& delta : parsing.push(piece)) told += delta.text;
    }
    for (const ChatDelta& delta : parsing.finish()) told += delta.text;
    EXPECT_EQ(told, " three, four.");
}

TEST_F(Parser, ACallThatTheContinuedMessageBeganIsToldWhole) {
    const RenderedChat continued = chat({.messages = R"([{"role": "user", "content": "Weather?"}, {"role": "assistant",
        "content": "Let me see. <tool_call>\n{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Ro"}])",
                                         .tools = test::tools,
                                         .continue_final_message = true});
    const ChatMessage message = parse_all_ways(continued, "me\"}}\n</tool_call>");
    EXPECT_EQ(message.content, "");
    ASSERT_EQ(message.tool_calls.size(), 1U);
    EXPECT_EQ(message.tool_calls[0], (ChatToolCall{"id0", "get_weather", R"({"city": "Rome"})"}));
}

TEST_F(Parser, LongAnswersAreParsedNowAndThen) {
    ChatParser parsing = parser(chat());
    ChatMessage message;
    std::string text;
    for (int i = 0; i < 20'000; ++i) {
        const std::string piece = "word" + std::to_string(i) + " ";
        text += piece;
        add(parsing.push(piece), message);
        EXPECT_GE(message.content.size() + text.size() / 32 + 32, text.size());
    }
    add(parsing.finish(), message);
    EXPECT_EQ(message.content, text);
}

TEST(ToolCallId, IsRandom) {
    std::set<std::string> seen;
    for (int i = 0; i < 1000; ++i) {
        const std::string id = random_tool_call_id();
        EXPECT_EQ(id.size(), 29U);
        EXPECT_TRUE(id.starts_with("call_"));
        seen.insert(id);
    }
    EXPECT_EQ(seen.size(), 1000U);
}

}  // namespace
}  // namespace hlg::engine
