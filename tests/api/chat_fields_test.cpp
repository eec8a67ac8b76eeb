// SPDX-License-Identifier: MIT
#include "api/chat_fields.hpp"

#include "api/reading.hpp"

namespace hlg::api {
namespace {

using Kind = engine::ToolChoice::Kind;

std::string messages_of(const std::string& messages) {
    return test::accepted(R"({"messages": )" + messages + "}",
                          [](const Node& body) { return read_messages(body.at("messages")); });
}

std::string messages_refused(const std::string& messages) {
    return test::refusal(R"({"messages": )" + messages + "}",
                         [](const Node& body) { return read_messages(body.at("messages")); });
}

ChatFields chat_of(const std::string& members) {
    return test::accepted(R"({"messages": [{"role": "user", "content": "x"}], )" + members + "}", read_chat);
}

std::string chat_refused(const std::string& members) {
    return test::refusal(R"({"messages": [{"role": "user", "content": "x"}], )" + members + "}", read_chat);
}

const std::string weather =
    R"("tools": [{"type": "function", "function": {"name": "weather", "parameters": {"type": "object"}}}])";

TEST(ChatFields, Messages) {
    const std::pair<const char*, const char*> cases[] = {
        {R"([{"role": "user", "content": "x", "name": null}])", R"([{"role":"user","content":"x"}])"},
        {R"([{"role": "developer", "content": "x"}, {"role": "user", "content": "y", "name": "me"}])",
         R"([{"role":"system","content":"x"},{"role":"user","content":"y","name":"me"}])"},
        {R"([{"role": "function", "name": "f", "content": "x"}])", R"([{"role":"tool","content":"x","name":"f"}])"},
        {R"([{"role": "tool", "tool_call_id": "c", "content": "x"}])", R"([{"role":"tool","content":"x","tool_call_id":"c"}])"},
        {R"([{"role": "assistant", "content": null}])", R"([{"role":"assistant","content":""}])"},
        {R"([{"role": "assistant", "refusal": "no"}])", R"([{"role":"assistant","content":"no"}])"},
        {R"([{"role": "assistant", "content": "x", "reasoning_content": "r", "tool_calls": null}])",
         R"([{"role":"assistant","content":"x","reasoning_content":"r"}])"},
        {R"([{"role": "user", "content": [{"type": "text", "text": "x", "cache_control": {}}, {"type": "text", "text": ""}]}])",
         R"([{"role":"user","content":[{"type":"text","text":"x"},{"type":"text","text":""}]}])"},
        {R"([{"role": "assistant", "content": [{"type": "refusal", "refusal": "no"}]}])",
         R"([{"role":"assistant","content":[{"type":"text","text":"no"}]}])"},
        {R"([{"role": "assistant", "tool_calls": [{"id": "c", "type": "function", "function": {"name": "f", "arguments": "{}"}}]}])",
         R"([{"role":"assistant","content":"","tool_calls":[{"type":"function","function":{"name":"f","arguments":"{}"},"id":"c"}]}])"},
        {R"([{"role": "assistant", "tool_calls": [{"function": {"name": "f", "arguments": {"a": 1}}}]}])",
         R"([{"role":"assistant","content":"","tool_calls":[{"type":"function","function":{"name":"f","arguments":"{\"a\":1}"}}]}])"},
        {R"([{"role": "assistant", "function_call": {"name": "f", "arguments": "{}"}}])",
         R"([{"role":"assistant","content":"","tool_calls":[{"type":"function","function":{"name":"f","arguments":"{}"}}]}])"},
    };
    for (const auto& [given, expected] : cases) EXPECT_EQ(messages_of(given), expected);
}

TEST(ChatFields, MessagesRefused) {
    const std::pair<const char*, const char*> cases[] = {
        {"null", "messages is required"},
        {"[]", "messages must have at least one message"},
        {"\"x\"", "messages must be an array, got \"x\""},
        {"[5]", "messages[0] must be an object, got 5"},
        {R"([{"content": "x"}])", "messages[0].role is required"},
        {R"([{"role": "robot", "content": "x"}])",
         "messages[0].role must be one of system, user, assistant, tool, developer, function, got \"robot\""},
        {R"([{"role": "user"}])", "messages[0].content is required"},
        {R"([{"role": "user", "content": null}])", "messages[0].content is required"},
        {R"([{"role": "user", "content": 5}])", "messages[0].content must be a string or an array of parts, got 5"},
        {R"([{"role": "user", "content": [5]}])", "messages[0].content[0] must be an object, got 5"},
        {R"([{"role": "user", "content": [{"text": "x"}]}])", "messages[0].content[0].type is required"},
        {R"([{"role": "user", "content": [{"type": "text"}]}])", "messages[0].content[0].text is required"},
        {R"([{"role": "user", "content": [{"type": "text", "text": 1}]}])",
         "messages[0].content[0].text must be a string, got 1"},
        {R"([{"role": "user", "content": [{"type": "image_url", "image_url": {"url": "x"}}]}])",
         "messages[0].content[0].type must be \"text\": images, audio and files can't be read, got \"image_url\""},
        {R"([{"role": "user", "content": [{"type": "input_audio"}]}])",
         "messages[0].content[0].type must be \"text\": images, audio and files can't be read, got \"input_audio\""},
        {R"([{"role": "user", "content": "x", "name": 5}])", "messages[0].name must be a string, got 5"},
        {R"([{"role": "assistant", "tool_calls": {}}])", "messages[0].tool_calls must be an array, got an object"},
        {R"([{"role": "assistant", "tool_calls": [{}]}])", "messages[0].tool_calls[0].function is required"},
        {R"([{"role": "assistant", "tool_calls": [{"function": {}}]}])", "messages[0].tool_calls[0].function.name is required"},
        {R"([{"role": "assistant", "tool_calls": [{"function": {"name": "f", "arguments": 5}}]}])",
         "messages[0].tool_calls[0].function.arguments must be a string, got 5"},
        {R"([{"role": "assistant", "tool_calls": [{"function": {"name": "f", "arguments": "not json"}}]}])",
         "messages[0].tool_calls[0].function.arguments must be JSON, got \"not json\""},
        {R"([{"role": "assistant", "tool_calls": [{"type": "custom"}]}])",
         "messages[0].tool_calls[0].type must be function, got \"custom\""},
    };
    for (const auto& [given, message] : cases) EXPECT_EQ(messages_refused(given), message);
}

TEST(ChatFields, NothingMore) {
    const engine::ChatRequest request = chat_of(R"("tools": null, "tool_choice": null, "response_format": null, "grammar": null,
        "parallel_tool_calls": null, "reasoning_effort": null, "user": "u", "metadata": {"a": "b"}, "store": true,
        "service_tier": "auto")")
                                            .request;
    EXPECT_EQ(request.tools, "");
    EXPECT_EQ(request.tool_choice.kind, Kind::automatic);
    EXPECT_EQ(request.json_schema, "");
    EXPECT_EQ(request.grammar, "");
    EXPECT_FALSE(request.parallel_tool_calls || request.thinking || request.continue_final_message);
    EXPECT_TRUE(request.extract_reasoning && request.add_generation_prompt);
    EXPECT_EQ(request.template_arguments, "");
}

TEST(ChatFields, Tools) {
    EXPECT_EQ(chat_of(R"("tools": [])").request.tools, "");
    const auto request = chat_of(weather + R"(, "tool_choice": "required", "parallel_tool_calls": false)").request;
    EXPECT_EQ(request.tools, R"([{"type":"function","function":{"name":"weather","parameters":{"type":"object"}}}])");
    EXPECT_EQ(request.tool_choice.kind, Kind::required);
    EXPECT_EQ(request.parallel_tool_calls, false);
    EXPECT_EQ(chat_of(weather + R"(, "tool_choice": "none")").request.tool_choice.kind, Kind::none);
    EXPECT_EQ(chat_of(weather + R"(, "tool_choice": "auto")").request.tool_choice.kind, Kind::automatic);
    const auto named = chat_of(weather + R"(, "tool_choice": {"type": "function", "function": {"name": "weather"}})").request;
    EXPECT_EQ(named.tool_choice.kind, Kind::function);
    EXPECT_EQ(named.tool_choice.function, "weather");
}

TEST(ChatFields, ToolsRefused) {
    const std::pair<std::string, const char*> cases[] = {
        {R"("tools": {})", "tools must be an array, got an object"},
        {R"("tools": [1])", "tools[0] must be an object, got 1"},
        {R"("tools": [{"function": {"name": "f"}}])", "tools[0].type is required"},
        {R"("tools": [{"type": "web_search"}])", "tools[0].type must be function, got \"web_search\""},
        {R"("tools": [{"type": "function"}])", "tools[0].function is required"},
        {R"("tools": [{"type": "function", "function": {"name": "f"}}, {"type": "function", "function": {"name": "f"}}])",
         "tools[1].function.name must be a name that no tool before has, got \"f\""},
        {R"("tools": [{"type": "function", "function": {"name": ""}}])", "tools[0].function.name is required"},
        {R"("tools": [{"type": "function", "function": {"name": "f", "parameters": []}}])",
         "tools[0].function.parameters must be an object, got an array"},
        {R"("tools": [{"type": "function", "function": {"name": "f", "strict": true, "parameters": {"not": {}}}}])",
         "tools[0].function.parameters.not can't be enforced by a grammar"},
        {R"("tools": [{"type": "function", "function": {"name": "f", "parameters": {"type": "foo"}}}])",
         "tools[0].function.parameters.type must be string, number, integer, boolean, null, array or object"},
        {R"("response_format": {"type": "json_object"}, "grammar": "x")", "grammar can't be used together with response_format"},
        {R"("json_schema": {"type": "null"}, "grammar": "x")", "grammar can't be used together with json_schema"},
        {weather + R"(, "grammar": "root ::= \"a\"")", "grammar can't be used together with tools"},
        {R"("functions": [{"name": "f"}])", "functions is not supported, tools are"},
        {R"("tool_choice": "required")", "tool_choice asks for a call, and there are no tools"},
        {R"("tools": [], "tool_choice": "required")", "tool_choice asks for a call, and there are no tools"},
        {weather + R"(, "tool_choice": "weather")", "tool_choice must be one of auto, none, required, got \"weather\""},
        {weather + R"(, "tool_choice": 5)",
         "tool_choice must be \"auto\", \"none\", \"required\" or an object that names a function, got 5"},
        {weather + R"(, "tool_choice": {"type": "function", "function": {"name": "f"}})",
         "tool_choice names a function that is not among the tools: \"f\""},
        {weather + R"(, "tool_choice": {"type": "function"})", "tool_choice.function.name is required"},
        {weather + R"(, "tool_choice": {"function": {"name": "weather"}})", "tool_choice.type is required"},
        {weather + R"(, "tool_choice": {"type": "allowed_tools"})", "tool_choice.type must be function, got \"allowed_tools\""},
        {weather + R"(, "parallel_tool_calls": 1)", "parallel_tool_calls must be true or false, got 1"},
    };
    for (const auto& [members, message] : cases) EXPECT_EQ(chat_refused(members), message);
}

TEST(ChatFields, Formats) {
    const auto schema_of = [](const std::string& format) {
        return chat_of(R"("response_format": )" + format).request.json_schema;
    };
    EXPECT_EQ(schema_of(R"({"type": "text"})"), "");
    EXPECT_EQ(schema_of(R"({"type": "json_object"})"), "{}");
    EXPECT_EQ(schema_of(R"({"type": "json_object", "schema": {"type": "null"}})"), R"({"type":"null"})");
    EXPECT_EQ(schema_of(R"({"type": "json_schema", "json_schema": {"name": "x", "schema": {"z": 1, "a": 2}, "strict": true}})"),
              R"({"z":1,"a":2})");
    EXPECT_EQ(chat_of(R"("json_schema": {"type": "null"})").request.json_schema, R"({"type":"null"})");
    EXPECT_EQ(chat_of(R"("json_schema": {"type": "null"}, "response_format": {"type": "text"})").request.json_schema,
              R"({"type":"null"})");
    EXPECT_EQ(chat_refused(R"("json_schema": 5)"), "json_schema must be an object, got 5");
    const std::pair<const char*, const char*> cases[] = {
        {"\"json\"", "response_format must be an object, got \"json\""},
        {"{}", "response_format.type is required"},
        {R"({"type": "xml"})", "response_format.type must be one of text, json_object, json_schema, got \"xml\""},
        {R"({"type": "json_schema"})", "response_format.json_schema is required"},
        {R"({"type": "json_schema", "json_schema": {"name": "x"}})", "response_format.json_schema.schema is required"},
        {R"({"type": "json_schema", "json_schema": {"schema": 5}})",
         "response_format.json_schema.schema must be an object, got 5"},
        {R"({"type": "json_schema", "json_schema": {"schema": {"enum": []}}})",
         "response_format.json_schema.schema.enum must have at least one value"},
    };
    for (const auto& [format, message] : cases) EXPECT_EQ(chat_refused(std::string(R"("response_format": )") + format), message);
}

TEST(ChatFields, KeywordsThatAreNotEnforcedAreTold) {
    const ChatFields chat =
        chat_of(R"("response_format": {"type": "json_schema", "json_schema": {"schema": {"uniqueItems": true}}},
        "tools": [{"type": "function", "function": {"name": "f", "parameters": {"not": {}, "uniqueItems": true}}}])");
    EXPECT_EQ(chat.schema_ignored, (std::vector<std::string>{"not", "uniqueItems"}));
}

TEST(ChatFields, Switches) {
    const auto request = chat_of(R"("grammar": "root ::= \"a\"", "reasoning_effort": "none", "reasoning_format": "none",
        "chat_template_kwargs": {"enable_thinking": false}, "add_generation_prompt": false)")
                             .request;
    EXPECT_EQ(request.grammar, "root ::= \"a\"");
    EXPECT_EQ(request.thinking, false);
    EXPECT_FALSE(request.extract_reasoning);
    EXPECT_EQ(request.template_arguments, R"({"enable_thinking":false})");
    EXPECT_FALSE(request.add_generation_prompt);
    EXPECT_EQ(chat_of(R"("reasoning_effort": "high")").request.thinking, std::nullopt);
    EXPECT_EQ(chat_refused(R"("grammar": 5)"), "grammar must be a string, got 5");
}

TEST(ChatFields, ContinuesATextOfTheAssistants) {
    const auto body = [](const std::string& last) {
        return R"({"continue_final_message": true, "messages": [{"role": "user", "content": "x"})" + last + "]}";
    };
    EXPECT_TRUE(test::accepted(body(R"(, {"role": "assistant", "content": "So"})"), read_chat).request.continue_final_message);
    EXPECT_EQ(test::refusal(body(""), read_chat), "continue_final_message must come with a last message of the assistant");
    EXPECT_EQ(test::refusal(body(R"(, {"role": "assistant", "tool_calls": [{"function": {"name": "f"}}]})"), read_chat),
              "continue_final_message must come with a last message that calls no tools");
}

}  // namespace
}  // namespace hlg::api
