// SPDX-License-Identifier: MIT
#include "api/messages_fields.hpp"

#include "api/reading.hpp"

namespace hlg::api {
namespace {

using Kind = engine::ToolChoice::Kind;

std::string with(const std::string& members) { return R"({"messages": [{"role": "user", "content": "x"}], )" + members + "}"; }

MessagesFields fields_of(const std::string& members) { return test::accepted(with(members), read_messages_fields); }

const std::string weather = R"("tools": [{"name": "weather", "description": "d", "input_schema": {"type": "object"},
    "cache_control": {"type": "ephemeral"}, "type": null}, {"type": "custom", "name": "time", "input_schema": {}}])";

TEST(MessagesFields, NothingMore) {
    const MessagesFields fields = fields_of(R"("tools": null, "tool_choice": null, "thinking": null, "output_config": null,
        "output_format": null, "metadata": {"user_id": "u"}, "service_tier": "auto")");
    EXPECT_EQ(fields.request.messages, R"([{"role":"user","content":"x"}])");
    EXPECT_EQ(fields.request.tools, "");
    EXPECT_EQ(fields.request.tool_choice.kind, Kind::automatic);
    EXPECT_EQ(fields.request.json_schema, "");
    EXPECT_EQ(fields.request.thinking, false);
    EXPECT_FALSE(fields.request.parallel_tool_calls || fields.request.continue_final_message);
    EXPECT_TRUE(fields.ignored.empty() && fields.schema_ignored.empty());
}

TEST(MessagesFields, Tools) {
    EXPECT_EQ(fields_of(R"("tools": [])").request.tools, "");
    const auto plain = fields_of(weather).request;
    EXPECT_EQ(plain.tools,
              R"([{"type":"function","function":{"name":"weather","description":"d","parameters":{"type":"object"}}},)"
              R"({"type":"function","function":{"name":"time","parameters":{}}}])");
    EXPECT_EQ(plain.tool_choice.kind, Kind::automatic);
    const auto choice = [](const std::string& choice) { return fields_of(weather + R"(, "tool_choice": )" + choice).request; };
    EXPECT_EQ(choice(R"({"type": "auto"})").tool_choice.kind, Kind::automatic);
    EXPECT_EQ(choice(R"({"type": "any"})").tool_choice.kind, Kind::required);
    EXPECT_EQ(choice(R"({"type": "none"})").tool_choice.kind, Kind::none);
    const auto named = choice(R"({"type": "tool", "name": "time", "disable_parallel_tool_use": true})");
    EXPECT_EQ(named.tool_choice.kind, Kind::function);
    EXPECT_EQ(named.tool_choice.function, "time");
    EXPECT_EQ(named.parallel_tool_calls, false);
    EXPECT_FALSE(choice(R"({"type": "any", "disable_parallel_tool_use": false})").parallel_tool_calls.has_value());
}

TEST(MessagesFields, Thinking) {
    EXPECT_EQ(fields_of(R"("thinking": {"type": "disabled", "budget_tokens": null})").request.thinking, false);
    EXPECT_EQ(fields_of(R"("thinking": {"type": "adaptive"})").request.thinking, true);
    const MessagesFields fields = fields_of(R"("thinking": {"type": "enabled", "budget_tokens": 1024})");
    EXPECT_EQ(fields.request.thinking, true);
    EXPECT_EQ(fields.ignored, std::vector<std::string>{"thinking.budget_tokens"});
}

TEST(MessagesFields, Formats) {
    const std::string format =
        R"({"type": "json_schema", "schema": {"type": "object", "properties": {"a": {"type": "string", "format": "email"}}}})";
    for (const std::string& members :
         {R"("output_config": {"effort": "low", "format": )" + format + "}", "\"output_format\": " + format}) {
        const MessagesFields fields = fields_of(members);
        EXPECT_EQ(fields.request.json_schema, R"({"type":"object","properties":{"a":{"type":"string","format":"email"}}})");
        EXPECT_EQ(fields.schema_ignored, std::vector<std::string>{"format"});
    }
}

TEST(MessagesFields, ContinuesTheLastAnswer) {
    const auto request =
        test::accepted(R"({"messages": [{"role": "user", "content": "x"}, {"role": "assistant", "content": "So"}]})",
                       read_messages_fields)
            .request;
    EXPECT_TRUE(request.continue_final_message);
}

TEST(MessagesFields, ABegunAnswerIsNoCall) {
    for (const char* choice : {R"({"type": "any"})", R"({"type": "tool", "name": "weather"})"}) {
        const Problem problem = test::problem_of([&] {
            const Json json = parse_body(R"({"messages": [{"role": "user", "content": "x"}, {"role": "assistant",
                "content": "So"}], )" + weather +
                                         R"(, "tool_choice": )" + choice + "}");
            (void)read_messages_fields(Node(json));
        });
        EXPECT_EQ(problem.param, "tool_choice");
        EXPECT_EQ(problem.message,
                  "tool_choice can't ask for a call where the last message is the beginning of the assistant's answer");
    }
}

TEST(MessagesFields, Refused) {
    const std::pair<std::string, const char*> cases[] = {
        {R"("tools": {})", "tools must be an array, got an object"},
        {R"("tools": [1])", "tools[0] must be an object, got 1"},
        {R"("tools": [{"type": "web_search_20250305", "name": "web_search"}])",
         "tools[0].type must be \"custom\": tools that the server or the model brings are not here, got \"web_search_20250305\""},
        {R"("tools": [{"name": "f"}])", "tools[0].input_schema is required"},
        {R"("tools": [{"name": "f", "input_schema": 1}])", "tools[0].input_schema must be an object, got 1"},
        {R"("tools": [{"input_schema": {}}])", "tools[0].name is required"},
        {R"("tools": [{"name": "f", "input_schema": {}}, {"name": "f", "input_schema": {}}])",
         "tools[1].name must be a name that no tool before has, got \"f\""},
        {R"("tools": [{"name": "f", "description": 1, "input_schema": {}}])", "tools[0].description must be a string, got 1"},
        {R"("tools": [{"name": "f", "strict": true, "input_schema": {"not": {}}}])",
         "tools[0].input_schema.not can't be enforced by a grammar"},
        {R"("tool_choice": "auto")", "tool_choice must be an object, got \"auto\""},
        {R"("tool_choice": {})", "tool_choice.type is required"},
        {R"("tool_choice": {"type": "required"})", "tool_choice.type must be one of auto, any, tool, none, got \"required\""},
        {R"("tool_choice": {"type": "any"})", "tool_choice asks for a call, and there are no tools"},
        {weather + R"(, "tool_choice": {"type": "tool"})", "tool_choice.name is required"},
        {weather + R"(, "tool_choice": {"type": "tool", "name": "x"})",
         "tool_choice names a function that is not among the tools: \"x\""},
        {weather + R"(, "tool_choice": {"type": "auto", "disable_parallel_tool_use": 1})",
         "tool_choice.disable_parallel_tool_use must be true or false, got 1"},
        {R"("thinking": true)", "thinking must be an object, got true"},
        {R"("thinking": {})", "thinking.type is required"},
        {R"("thinking": {"type": "on"})", "thinking.type must be one of enabled, disabled, adaptive, got \"on\""},
        {R"("thinking": {"type": "enabled", "budget_tokens": 0})", "thinking.budget_tokens must be an integer, 1 or more, got 0"},
        {R"("output_config": 1)", "output_config must be an object, got 1"},
        {R"("output_config": {"format": {"type": "json"}})", "output_config.format.type must be json_schema, got \"json\""},
        {R"("output_format": {"type": "json_schema"})", "output_format.schema is required"},
        {R"("output_format": {"type": "json_schema", "schema": 1})", "output_format.schema must be an object, got 1"},
    };
    for (const auto& [members, message] : cases) EXPECT_EQ(test::refusal(with(members), read_messages_fields), message);
}

}  // namespace
}  // namespace hlg::api
