// SPDX-License-Identifier: MIT
#include "engine/chat.hpp"

#include <thread>

#include <gtest/gtest.h>

#include "engine/chat_templates.hpp"
#include "engine/grammar_support.hpp"
#include "engine/json_limits.hpp"

namespace hlg::engine {
namespace {

class Chat : public test::WithVocabulary {
protected:
    static ChatTemplate make(const char* text) {
        auto made = ChatTemplate::make(*model_, text);
        EXPECT_TRUE(made) << made.error().message;
        return *made;
    }

    static ChatRequest hello() {
        return {.messages = R"([{"role": "system", "content": "Be kind."}, {"role": "user", "content": "Hello"}])"};
    }

    static ChatRequest with_tools(ToolChoice choice = {}) {
        ChatRequest request = hello();
        request.tools = test::tools;
        request.tool_choice = std::move(choice);
        return request;
    }

    static std::string refusal(const ChatRequest& request, const char* text = test::hermes) {
        const auto chat = make(text).render(request);
        EXPECT_FALSE(chat);
        if (chat) return "";
        EXPECT_EQ(chat.error().code, ErrorCode::bad_request);
        EXPECT_EQ(chat.error().message.find('\n'), std::string::npos);
        return chat.error().message;
    }

    static std::string refusal_of(const std::string& messages) { return refusal({.messages = messages}); }

    static std::string prompt(const ChatRequest& request, const char* text = test::chatml) {
        const auto chat = make(text).render(request);
        EXPECT_TRUE(chat) << chat.error().message;
        return chat ? chat->prompt : "";
    }

    static std::string prompt_of(const std::string& messages, const char* text = test::chatml) {
        return prompt({.messages = messages}, text);
    }

    /** The grammar of a chat, compiled. */
    static Grammar grammar(const ChatRequest& request) {
        const auto chat = make(test::hermes).render(request);
        EXPECT_TRUE(chat) << chat.error().message;
        EXPECT_TRUE(chat->grammar);
        auto compiled = Grammar::compile(*vocabulary_, *chat->grammar);
        EXPECT_TRUE(compiled) << compiled.error().message;
        return std::move(*compiled);
    }
};

TEST_F(Chat, RendersMessages) {
    EXPECT_EQ(prompt(hello()),
              "<|im_start|>system\nBe kind.<|im_end|>\n<|im_start|>user\nHello<|im_end|>\n<|im_start|>assistant\n");
    ChatRequest closed = hello();
    closed.add_generation_prompt = false;
    EXPECT_EQ(prompt(closed), "<|im_start|>system\nBe kind.<|im_end|>\n<|im_start|>user\nHello<|im_end|>\n");
}

TEST_F(Chat, NullsCountAsLeftOut) {
    EXPECT_EQ(
        prompt_of(
            R"([{"role": "user", "content": "Hi", "name": null, "tool_calls": null, "tool_call_id": null, "reasoning_content": null}])"),
        prompt_of(R"([{"role": "user", "content": "Hi"}])"));
    EXPECT_NE(
        prompt_of(R"([{"role": "user", "content": "Hi"}, {"role": "assistant", "content": null, "refusal": null, "tool_calls": [
                            {"id": null, "type": "function", "function": {"name": "get_time", "arguments": ""}}]},
                            {"role": "tool", "tool_call_id": "1", "content": "noon"}])",
                  test::hermes)
            .find(R"({"name": "get_time", "arguments": {}})"),
        std::string::npos);
    EXPECT_EQ(
        prompt_of(
            R"([{"role": "user", "content": "Hi"}, {"role": "assistant", "content": null}, {"role": "user", "content": "?"}])"),
        prompt_of(
            R"([{"role": "user", "content": "Hi"}, {"role": "assistant", "content": ""}, {"role": "user", "content": "?"}])"));
}

TEST_F(Chat, ContentMayBeParts) {
    EXPECT_EQ(prompt_of(R"([{"role": "user", "content": [{"type": "text", "text": "Hello", "cache_control": null}]}])"),
              prompt_of(R"([{"role": "user", "content": "Hello"}])"));
    EXPECT_NE(
        prompt_of(
            R"([{"role": "user", "content": "?"}, {"role": "assistant", "content": [{"type": "refusal", "refusal": "No."}]}, {"role": "user", "content": "!"}])")
            .find("No."),
        std::string::npos);
    EXPECT_NE(
        refusal_of(R"([{"role": "user", "content": [{"type": "image_url", "image_url": {"url": "x"}}]}])").find("image_url"),
        std::string::npos);
}

TEST_F(Chat, DeveloperIsSystem) {
    EXPECT_EQ(prompt_of(R"([{"role": "developer", "content": "Be kind."}, {"role": "user", "content": "Hello"}])"),
              prompt(hello()));
}

TEST_F(Chat, ToolsAreShownAndTheirCallsHeldToTheirSchemas) {
    const auto chat = make(test::hermes).render(with_tools());
    ASSERT_TRUE(chat) << chat.error().message;
    EXPECT_NE(chat->prompt.find("get_weather"), std::string::npos);
    ASSERT_TRUE(chat->grammar);
    EXPECT_TRUE(chat->grammar->lazy);
    Grammar held = grammar(with_tools());
    ASSERT_TRUE(feed(held, "The weather? <tool_call>\n{\"name\": \"get_weather\", \"arguments\": {\"ci"));
    EXPECT_FALSE(matches(held, "ti\": 5}}\n</tool_call>"));
    EXPECT_TRUE(matches(held, "ty\": \"Paris\", \"days\": 3}}\n</tool_call>"));
    EXPECT_FALSE(matches(held, "ty\": \"Paris\", \"days\": \"3"));
}

TEST_F(Chat, ToolChoice) {
    Grammar required = grammar(with_tools({.kind = ToolChoice::Kind::required, .function = {}}));
    EXPECT_FALSE(required.free());
    EXPECT_TRUE(matches(required, "<tool_call>\n{\"name\": \"get_time\", \"arguments\": {}}\n</tool_call>"));
    EXPECT_FALSE(matches(required, "No."));
    const std::string call = "<tool_call>\n{\"name\": \"get_time\", \"arguments\": {}}\n</tool_call>";
    EXPECT_FALSE(matches(required, "Let me see. " + call)) << "a call that must come comes at once";
    EXPECT_TRUE(matches(required, "<think>\nLet me see.\n</think>\n\n" + call));

    const ChatRequest named = with_tools({.kind = ToolChoice::Kind::function, .function = "get_time"});
    EXPECT_TRUE(matches(grammar(named), "<tool_call>\n{\"name\": \"get_time\", \"arguments\": {}}\n</tool_call>"));
    EXPECT_FALSE(
        matches(grammar(named), "<tool_call>\n{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Paris\"}}\n</tool_call>"));
    EXPECT_EQ(prompt(named, test::hermes).find("get_weather"), std::string::npos);

    const auto none = make(test::hermes).render(with_tools({.kind = ToolChoice::Kind::none, .function = {}}));
    ASSERT_TRUE(none);
    EXPECT_FALSE(none->grammar);

    EXPECT_NE(refusal(with_tools({.kind = ToolChoice::Kind::function, .function = "get_money"})).find("get_money"),
              std::string::npos);
    ChatRequest no_tools = hello();
    no_tools.tool_choice.kind = ToolChoice::Kind::required;
    EXPECT_NE(refusal(no_tools).find("no tools"), std::string::npos);
    EXPECT_NE(
        refusal(with_tools({.kind = ToolChoice::Kind::required, .function = {}}), test::chatml).find("no way to call tools"),
        std::string::npos);
}

TEST_F(Chat, OneCallWhereOneWasAskedFor) {
    const std::string call = "<tool_call>\n{\"name\": \"get_time\", \"arguments\": {}}\n</tool_call>";
    const std::string two = call + "\n" + call;
    for (const ToolChoice::Kind kind : {ToolChoice::Kind::required, ToolChoice::Kind::automatic}) {
        ChatRequest request = with_tools({.kind = kind, .function = {}});
        request.parallel_tool_calls = false;
        EXPECT_TRUE(matches(grammar(request), call));
        EXPECT_FALSE(matches(grammar(request), two));
        request.parallel_tool_calls = true;
        EXPECT_TRUE(matches(grammar(request), two));
    }
}

TEST_F(Chat, ASchemaOrAGrammarHoldsTheAnswer) {
    ChatRequest request = hello();
    request.json_schema = R"({"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]})";
    EXPECT_TRUE(matches(grammar(request), "{\"a\": 5}"));
    EXPECT_TRUE(matches(grammar(request), "<think>\nWell\n</think>\n\n{\"a\": 5}"));
    EXPECT_FALSE(matches(grammar(request), "{\"a\": \"b\"}"));
    request.json_schema = "{}";
    EXPECT_TRUE(matches(grammar(request), "{\"x\": [1]}"));
    EXPECT_FALSE(matches(grammar(request), "no"));
    request.grammar = R"(root ::= "yes" | "no")";
    EXPECT_NE(refusal(request).find("at once"), std::string::npos);
    request.json_schema.clear();
    EXPECT_TRUE(matches(grammar(request), "yes"));
    request.tools = test::tools;
    EXPECT_NE(refusal(request).find("at once"), std::string::npos);
}

TEST_F(Chat, ThinkingCanBeSwitched) {
    ChatRequest request = hello();
    request.thinking = false;
    EXPECT_TRUE(prompt(request, test::hermes).ends_with("<think>\n\n</think>\n\n"));
    request.thinking = true;
    EXPECT_TRUE(prompt(request, test::hermes).ends_with("assistant\n"));
    request.template_arguments = R"({"enable_thinking": false})";
    EXPECT_TRUE(prompt(request, test::hermes).ends_with("<think>\n\n</think>\n\n"));
    request.template_arguments = R"({"enable_thinking": "no"})";
    EXPECT_NE(refusal(request).find("enable_thinking"), std::string::npos);
}

TEST_F(Chat, TemplateArguments) {
    ChatRequest request = hello();
    request.template_arguments = R"({"mood": ["glad"]})";
    EXPECT_TRUE(prompt(request, "{{ mood[0] }}{% for m in messages %}{{ m.content }}{% endfor %}").starts_with("glad"));
    request.template_arguments = "[]";
    EXPECT_NE(refusal(request).find("not a JSON object"), std::string::npos);
}

TEST_F(Chat, TheLastMessageCanBeContinued) {
    ChatRequest request{.messages = R"([{"role": "user", "content": "Count"}, {"role": "assistant", "content": "One, two,"}])"};
    request.continue_final_message = true;
    EXPECT_TRUE(prompt(request).ends_with("<|im_start|>assistant\nOne, two,"));
    ChatRequest user = hello();
    user.continue_final_message = true;
    EXPECT_NE(refusal(user).find("can be continued"), std::string::npos);
    // What looks like an end mark in it must not end the process, whatever a grammar says.
    request.messages = R"([{"role": "user", "content": "Count"}, {"role": "assistant", "content": "<|endoftext|>"}])";
    request.json_schema = "{}";
    const auto chat = make(test::hermes).render(request);
    if (chat && chat->grammar) (void)Grammar::compile(*vocabulary_, *chat->grammar);
}

TEST_F(Chat, SaysWhatATemplateCanDo) {
    const ChatTemplate plain = make(test::chatml);
    EXPECT_TRUE(plain.own());
    EXPECT_EQ(plain.source(), test::chatml);
    EXPECT_FALSE(plain.capabilities().tools);
    EXPECT_FALSE(plain.capabilities().thinking);
    const ChatCapabilities can = make(test::hermes).capabilities();
    EXPECT_TRUE(can.tools);
    EXPECT_TRUE(can.parallel_tools);
    EXPECT_TRUE(can.system);
    EXPECT_TRUE(can.thinking);
    EXPECT_NE(prompt(hello(), "chatml").find("<|im_start|>user\nHello<|im_end|>"),
              std::string::npos);  // what a model without one gets
}

TEST_F(Chat, BadTemplates) {
    for (const char* text : {"{% for m in messages %}", "{{ ", "{% unknown %}"}) {
        const auto made = ChatTemplate::make(*model_, text);
        ASSERT_FALSE(made) << text;
        EXPECT_EQ(made.error().code, ErrorCode::bad_config);
        EXPECT_EQ(made.error().message.find('\n'), std::string::npos);
    }
    EXPECT_NE(refusal(hello(), "{{ raise_exception('Roles must alternate') }}").find("Roles must alternate"), std::string::npos);
    EXPECT_NE(refusal(hello(), "{{ messages[0].content.no_such_method() }}"), "");
}

TEST_F(Chat, BadMessages) {
    EXPECT_EQ(refusal_of(""), "messages is not JSON");
    EXPECT_EQ(refusal_of("{}"), "messages is not an array");
    EXPECT_EQ(refusal_of("[]"), "messages is empty");
    EXPECT_EQ(refusal_of("[5]"), "messages[0] is not an object");
    EXPECT_EQ(refusal_of(R"([{"content": "x"}])"), "messages[0] has no role");
    EXPECT_EQ(refusal_of(R"([{"role": 5, "content": "x"}])"), "messages[0].role is not a string");
    EXPECT_EQ(refusal_of(R"([{"role": "user"}])"), "messages[0] has no content");
    EXPECT_EQ(refusal_of(R"([{"role": "user", "content": 5}])"), "messages[0].content is neither a string nor an array of parts");
    EXPECT_EQ(refusal_of(R"([{"role": "user", "content": "x", "name": {}}])"), "messages[0].name is not a string");
    EXPECT_NE(refusal_of(R"([{"role": "assistant", "tool_calls": [5]}])"), "");
    EXPECT_NE(refusal_of(R"([{"role": "assistant", "tool_calls": [{"function": {"name": "f", "arguments": "not JSON"}}]}])"), "");
    EXPECT_NE(refusal_of(R"([{"role": "assistant", "tool_calls": {"a": 1}}])"), "");
}

TEST_F(Chat, BadTools) {
    const auto refused = [](const std::string& tools) {
        ChatRequest request = hello();
        request.tools = tools;
        return refusal(request);
    };
    EXPECT_EQ(refused("{}"), "tools is not an array");
    EXPECT_EQ(refused(R"([{"type": "search"}])"), "tools[0].type is not \"function\"");
    EXPECT_EQ(refused(R"([{"type": "function"}])"), "tools[0] has no function");
    EXPECT_EQ(refused(R"([{"type": "function", "function": {}}])"), "tools[0].function has no name");
    EXPECT_NE(refused(R"([{"type": "function", "function": {"name": "f", "parameters": {"$ref": "#/$defs/x"}}}])")
                  .find("tools[0].function.parameters"),
              std::string::npos);
    EXPECT_NE(
        refused(R"([{"type": "function", "function": {"name": "f", "parameters": {"properties": {"a": {"type": "what"}}}}}])"),
        "");
}

std::string repeat(const std::string& text, std::size_t count) {
    std::string all;
    for (std::size_t i = 0; i < count; ++i) all += text;
    return all;
}

TEST_F(Chat, HostileRequests) {
    const std::string brackets = repeat("[", 100'000);
    EXPECT_NE(refusal_of(brackets).find("nesting depth"), std::string::npos);
    const std::string deep = brackets + repeat("]", 100'000);
    EXPECT_NE(refusal_of(R"([{"role": "assistant", "tool_calls": [{"function": {"name": "f", "arguments": ")" + deep + "\"}}]}]")
                  .find("nesting depth"),
              std::string::npos);
    EXPECT_NE(refusal_of(R"([{"role": "tool", "content": ")" + deep + "\"}]").find("nesting depth"), std::string::npos);
    EXPECT_NE(prompt_of(R"([{"role": "user", "content": ")" + deep + "\"}]"), "");  // text is text
    EXPECT_NE(refusal_of("[" + std::string(max_messages_bytes, ' ') + "]").find("size in bytes"), std::string::npos);
    ChatRequest many = hello();
    many.tools =
        "[" + repeat(R"({"type":"function","function":{"name":"f"}},)", 300) + R"({"type":"function","function":{"name":"f"}}])";
    EXPECT_NE(refusal(many).find("the limit is 256"), std::string::npos);
    many.tools = R"([{"type":"function","function":{"name":")" + repeat(" ", 100'000) + R"("}}])";
    EXPECT_NE(refusal(many).find("a function's name"), std::string::npos);
}

TEST_F(Chat, ThreadsShareATemplate) {
    const ChatTemplate shared = make(test::hermes);
    const std::string expected = shared.render(with_tools())->prompt;
    std::vector<std::thread> threads;
    threads.reserve(4);
    for (int i = 0; i < 4; ++i) {
        threads.emplace_back([&] {
            for (int j = 0; j < 10; ++j) EXPECT_EQ(shared.render(with_tools())->prompt, expected);
        });
    }
    for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace hlg::engine
