// SPDX-License-Identifier: MIT
#include "api/responses_fields.hpp"

#include "api/reading.hpp"

namespace hlg::api {
namespace {

using Kind = engine::ToolChoice::Kind;

std::string with(const std::string& members) { return R"({"input": "x", )" + members + "}"; }

ResponsesFields fields_of(const std::string& members) { return test::accepted(with(members), read_responses_fields); }

const std::string weather = R"("tools": [{"type": "function", "name": "weather", "description": "d",
    "parameters": {"type": "object"}, "strict": null}, {"type": "function", "name": "time", "strict": true}])";

TEST(ResponsesFields, NothingMore) {
    const ResponsesFields fields = fields_of(R"("tools": null, "tool_choice": null, "text": null, "reasoning": null,
        "include": null, "top_logprobs": null, "parallel_tool_calls": null, "previous_response_id": null, "conversation": null,
        "background": null, "prompt": null, "truncation": null, "metadata": null, "user": null, "store": null, "grammar": null)");
    EXPECT_EQ(fields.request.messages, R"([{"role":"user","content":"x"}])");
    EXPECT_EQ(fields.request.tools + fields.request.json_schema + fields.request.grammar, "");
    EXPECT_EQ(fields.request.tool_choice.kind, Kind::automatic);
    EXPECT_FALSE(fields.request.parallel_tool_calls || fields.request.thinking || fields.log_probabilities);
    EXPECT_TRUE(fields.ignored.empty() && fields.schema_ignored.empty());
    EXPECT_EQ(fields.told.dump(),
              R"({"background":false,"instructions":null,"max_output_tokens":null,"max_tool_calls":null,"metadata":{},)"
              R"("parallel_tool_calls":true,"previous_response_id":null,"reasoning":{"effort":null,"summary":null},)"
              R"("service_tier":"default","store":false,"text":{"format":{"type":"text"},"verbosity":"medium"},)"
              R"("tool_choice":"auto","tools":[],"top_logprobs":0,"truncation":"disabled"})");
}

TEST(ResponsesFields, Told) {
    const Json told =
        fields_of(R"("instructions": "be", "max_output_tokens": 5, "metadata": {"a": "b"}, "parallel_tool_calls": false,
        "reasoning": {"effort": "low"}, "store": true, "text": {"format": {"type": "json_object"}, "verbosity": "low"},
        "tool_choice": {"type": "function", "name": "time"}, "include": ["message.output_text.logprobs"], "top_logprobs": 2,
        "truncation": "auto", "user": "u", "safety_identifier": "s", "prompt_cache_key": "p", )" +
                  weather)
            .told;
    EXPECT_EQ(told.dump(),
              R"({"background":false,"instructions":"be","max_output_tokens":5,"max_tool_calls":null,"metadata":{"a":"b"},)"
              R"("parallel_tool_calls":false,"previous_response_id":null,"reasoning":{"effort":"low","summary":null},)"
              R"("service_tier":"default","store":false,"text":{"format":{"type":"json_object"},"verbosity":"low"},)"
              R"("tool_choice":{"type":"function","name":"time"},"tools":[{"type":"function","name":"weather","description":"d",)"
              R"("parameters":{"type":"object"},"strict":false},{"type":"function","name":"time","description":null,)"
              R"("parameters":null,"strict":true}],"top_logprobs":2,"truncation":"auto","user":"u","safety_identifier":"s",)"
              R"("prompt_cache_key":"p"})");
    EXPECT_TRUE(fields_of(R"("max_output_tokens": -1)").told["max_output_tokens"].is_null());
}

TEST(ResponsesFields, KnowsWhereItsGrammarComesFrom) {
    EXPECT_EQ(fields_of(R"("grammar": "root ::= \"a\"")").constraint, "grammar");
    EXPECT_EQ(fields_of(R"("text": {"format": {"type": "json_object"}})").constraint, "text.format");
    EXPECT_EQ(fields_of(weather).constraint, "tools");
    EXPECT_EQ(fields_of(R"("store": false)").constraint, "");
    EXPECT_EQ(test::refusal(with(R"("grammar": "x", "text": {"format": {"type": "json_object"}})"), read_responses_fields),
              "grammar can't be used together with text.format");
    EXPECT_EQ(test::refusal(with(R"("grammar": "x", )" + weather), read_responses_fields),
              "grammar can't be used together with tools");
}

TEST(ResponsesFields, Tools) {
    EXPECT_EQ(fields_of(weather).request.tools,
              R"([{"type":"function","function":{"name":"weather","description":"d","parameters":{"type":"object"}}},)"
              R"({"type":"function","function":{"name":"time","strict":true}}])");
    const auto choice = [](const std::string& choice) {
        return fields_of(weather + R"(, "tool_choice": )" + choice).request.tool_choice;
    };
    EXPECT_EQ(choice("\"auto\"").kind, Kind::automatic);
    EXPECT_EQ(choice("\"none\"").kind, Kind::none);
    EXPECT_EQ(choice("\"required\"").kind, Kind::required);
    EXPECT_EQ(choice(R"({"type": "function", "name": "time"})").kind, Kind::function);
    EXPECT_EQ(choice(R"({"type": "function", "name": "time"})").function, "time");
    EXPECT_EQ(fields_of(R"("parallel_tool_calls": false)").request.parallel_tool_calls, false);
}

TEST(ResponsesFields, Answers) {
    const auto format = [](const std::string& format) { return fields_of(R"("text": {"format": )" + format + "}"); };
    EXPECT_EQ(format("null").request.json_schema, "");
    EXPECT_EQ(format(R"({"type": "text"})").request.json_schema, "");
    EXPECT_EQ(format(R"({"type": "json_object"})").request.json_schema, "{}");
    const auto schema = format(R"({"type": "json_schema", "name": "n", "strict": true, "schema": {"type": "object",
        "minProperties": 1}})");
    EXPECT_EQ(schema.request.json_schema, R"({"type":"object","minProperties":1})");
    EXPECT_EQ(schema.schema_ignored, std::vector<std::string>{"minProperties"});
    EXPECT_EQ(fields_of(R"("grammar": "root ::= \"a\"")").request.grammar, "root ::= \"a\"");
    EXPECT_EQ(fields_of(R"("reasoning": {"effort": "none"})").request.thinking, false);
    EXPECT_FALSE(fields_of(R"("reasoning": {"effort": "high"})").request.thinking.has_value());
    EXPECT_EQ(fields_of(R"("truncation": "auto")").ignored, std::vector<std::string>{"truncation"});
    EXPECT_TRUE(fields_of(R"("truncation": "disabled")").ignored.empty());
}

TEST(ResponsesFields, LogProbabilities) {
    EXPECT_FALSE(fields_of(R"("include": ["reasoning.encrypted_content"], "top_logprobs": 0)").log_probabilities.has_value());
    EXPECT_EQ(fields_of(R"("include": ["message.output_text.logprobs"])").log_probabilities, 0U);
    EXPECT_EQ(fields_of(R"("include": ["message.output_text.logprobs"], "top_logprobs": 20)").log_probabilities, 20U);
}

TEST(ResponsesFields, Refused) {
    const std::string stored = " is not supported, for nothing is stored here: send the whole conversation as input";
    const std::pair<std::string, std::string> cases[] = {
        {R"("previous_response_id": "resp_1")", "previous_response_id" + stored},
        {R"("conversation": {"id": "c"})", "conversation" + stored},
        {R"("prompt": {"id": "p"})", "prompt" + stored},
        {R"("background": true)", "background must be false: nothing is stored here"},
        {R"("tools": {})", "tools must be an array, got an object"},
        {R"("tools": [1])", "tools[0] must be an object, got 1"},
        {R"("tools": [{"name": "f"}])", "tools[0].type is required"},
        {R"("tools": [{"type": "function", "name": "f"}, {"type": "function", "name": "f"}])",
         "tools[1].name must be a name that no tool before has, got \"f\""},
        {R"("tools": [{"type": "web_search"}])",
         "tools[0].type must be \"function\": tools that a server runs are not here, got \"web_search\""},
        {R"("tools": [{"type": "function", "function": {"name": "f"}}])", "tools[0].name is required"},
        {R"("tools": [{"type": "function", "name": "f", "parameters": 1}])", "tools[0].parameters must be an object, got 1"},
        {R"("tools": [{"type": "function", "name": "f", "strict": true, "parameters": {"not": {}}}])",
         "tools[0].parameters.not can't be enforced by a grammar"},
        {R"("tool_choice": "any")", "tool_choice must be one of auto, none, required, got \"any\""},
        {R"("tool_choice": "required")", "tool_choice asks for a call, and there are no tools"},
        {R"("tool_choice": {"name": "f"})", "tool_choice.type is required"},
        {R"("tool_choice": {"type": "file_search"})", "tool_choice.type must be function, got \"file_search\""},
        {R"("tool_choice": {"type": "function"})", "tool_choice.name is required"},
        {R"("tool_choice": {"type": "function", "name": "f"})",
         "tool_choice names a function that is not among the tools: \"f\""},
        {R"("parallel_tool_calls": 1)", "parallel_tool_calls must be true or false, got 1"},
        {R"("text": 1)", "text must be an object, got 1"},
        {R"("text": {"format": "text"})", "text.format must be an object, got \"text\""},
        {R"("text": {"format": {}})", "text.format.type is required"},
        {R"("text": {"format": {"type": "xml"}})", "text.format.type must be one of text, json_object, json_schema, got \"xml\""},
        {R"("text": {"format": {"type": "json_schema"}})", "text.format.schema is required"},
        {R"("text": {"format": {"type": "json_schema", "schema": {"if": {}}}})",
         "text.format.schema.if can't be enforced by a grammar"},
        {R"("text": {"verbosity": 1})", "text.verbosity must be a string, got 1"},
        {R"("reasoning": "low")", "reasoning must be an object, got \"low\""},
        {R"("reasoning": {"effort": 1})", "reasoning.effort must be a string, got 1"},
        {R"("include": "x")", "include must be an array, got \"x\""},
        {R"("include": [1])", "include[0] must be a string, got 1"},
        {R"("top_logprobs": 2)", "top_logprobs must come with \"message.output_text.logprobs\" in include"},
        {R"("top_logprobs": 21)", "top_logprobs must be an integer from 0 to 20, got 21"},
        {R"("truncation": "middle")", "truncation must be one of auto, disabled, got \"middle\""},
        {R"("metadata": [])", "metadata must be an object, got an array"},
        {R"("max_output_tokens": 0)", "max_output_tokens must be an integer, 1 or more; -1 is to the end of the context, got 0"},
        {R"("user": 1)", "user must be a string, got 1"},
    };
    for (const auto& [members, message] : cases) EXPECT_EQ(test::refusal(with(members), read_responses_fields), message);
}

}  // namespace
}  // namespace hlg::api
