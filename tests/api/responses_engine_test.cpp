// SPDX-License-Identifier: MIT
//
// OpenAI's responses answered by the demo model.
#include "api/events.hpp"

namespace hlg::api {
namespace {

constexpr const char* path = "/v1/responses";

std::string with(const std::string& members) { return R"({"input": "Hello", "max_output_tokens": 250, )" + members + "}"; }

/** What two answers to one request have in common, whoever came first. */
std::string essence(Json response) {
    for (const char* name : {"id", "usage", "created_at", "completed_at"}) response.erase(name);
    for (Json& item : response["output"])
        for (const char* name : {"id", "call_id"}) item.erase(name);
    return response.dump();
}

/** The deltas of one kind, put together. */
std::string joined(const std::vector<Json>& events, const std::string& type) {
    std::string text;
    for (const Json& event : events)
        if (event["type"] == type) text += event["delta"].get<std::string>();
    return text;
}

TEST(ResponsesEngine, AStreamIsTheReplyInPieces) {
    const std::string members = R"("seed": 5, "hlg": true, "include": ["message.output_text.logprobs"], "top_logprobs": 2)";
    const Json whole = test::answer(path, with(members));
    const Json& part = whole["output"][0]["content"][0];
    EXPECT_FALSE(part["text"].get<std::string>().empty());
    EXPECT_EQ(whole["hlg"]["enabled"], true);
    EXPECT_EQ(whole["seed"], 5);
    EXPECT_EQ(whole["max_output_tokens"], 250);
    EXPECT_EQ(part["logprobs"].size(), whole["usage"]["output_tokens"]);
    const auto events = test::stream_events(path, with(members + R"(, "stream": true)"));
    EXPECT_EQ(joined(events, "response.output_text.delta"), part["text"]);
    Json told = Json::array();
    for (std::size_t i = 0; i < events.size(); ++i) {
        EXPECT_EQ(events[i]["sequence_number"], i);
        if (events[i]["type"] == "response.output_text.delta")
            for (const Json& one : events[i]["logprobs"]) told.push_back(one["token"]);
    }
    ASSERT_LE(told.size(), part["logprobs"].size());
    for (std::size_t i = 0; i < told.size(); ++i) EXPECT_EQ(told[i], part["logprobs"][i]["token"]);
    ASSERT_EQ(events.back()["response"]["output"][0]["content"][0]["text"], part["text"]);
    EXPECT_EQ(events.back()["response"]["usage"]["output_tokens"], whole["usage"]["output_tokens"]);
}

TEST(ResponsesEngine, AFormatForcesTheText) {
    const std::string forced =
        R"("text": {"format": {"type": "json_schema", "name": "n", "schema": {"const": "Grüße 😀 STOP more"}}})";
    const Json whole = test::answer(path, with(forced + R"(, "seed": 3)"));
    EXPECT_EQ(whole["output"][0]["content"][0]["text"], R"("Grüße 😀 STOP more")");
    EXPECT_EQ(whole["status"], "completed");
    const auto events = test::stream_events(path, with(forced + R"(, "seed": 3, "stream": true)"));
    EXPECT_EQ(joined(events, "response.output_text.delta"), R"("Grüße 😀 STOP more")");
    EXPECT_EQ(events.back()["type"], "response.completed");
    EXPECT_EQ(essence(events.back()["response"]), essence(whole));
    const Json stopped = test::answer(path, with(forced + R"(, "stop": ["STOP"])"));
    EXPECT_EQ(stopped["output"][0]["content"][0]["text"], "\"Grüße 😀 ");
}

TEST(ResponsesEngine, AnAnswerCutShortIsIncomplete) {
    const std::string body = R"({"input": "Hello", "max_output_tokens": 3, "seed": 5)";
    const Json whole = test::answer(path, body + "}");
    EXPECT_EQ(whole["status"], "incomplete");
    EXPECT_EQ(whole["output"][0]["status"], "incomplete");
    EXPECT_EQ(whole["incomplete_details"]["reason"], "max_output_tokens");
    EXPECT_EQ(test::stream_events(path, body + R"(, "stream": true})").back()["type"], "response.incomplete");
}

TEST(ResponsesEngine, TheNamedFunctionIsCalled) {
    const std::string tools = R"("seed": 3, "tools": [{"type": "function", "name": "other"}, {"type": "function",
        "name": "get_weather", "parameters": {"type": "object", "properties": {"city": {"const": "Zürich"}}, "required": ["city"]}}],
        "tool_choice": {"type": "function", "name": "get_weather"}, "parallel_tool_calls": false)";
    const Json whole = test::answer(path, with(tools));
    ASSERT_EQ(whole["output"].size(), 1U) << whole;
    EXPECT_EQ(whole["output"][0]["type"], "function_call");
    EXPECT_EQ(whole["output"][0]["name"], "get_weather");
    EXPECT_EQ(Json::parse(whole["output"][0]["arguments"].get<std::string>()).dump(), R"({"city":"Zürich"})");
    const auto events = test::stream_events(path, with(tools + R"(, "stream": true)"));
    EXPECT_EQ(joined(events, "response.function_call_arguments.delta"), whole["output"][0]["arguments"]);
    EXPECT_EQ(essence(events.back()["response"]), essence(whole));
}

TEST(ResponsesEngine, InstructionsAreRead) {
    const auto tokens = [](const std::string& members) { return test::answer(path, with(members))["usage"]["input_tokens"]; };
    EXPECT_LT(tokens(R"("seed": 1)"), tokens(R"("seed": 1, "instructions": "Tell of a fox and a king.")"));
}

TEST(ResponsesEngine, AnAnswerThatCantBeIsTheRequestsFault) {
    const Json error = test::answer(path, with(R"("text": {"format": {"type": "json_schema", "name": "x",
        "schema": {"type": "integer", "minimum": 5, "maximum": 3}}})"),
                                    400)["error"];
    EXPECT_EQ(error["message"], "text.format: the grammar matches nothing");
    EXPECT_EQ(error["param"], "text.format");
}

}  // namespace
}  // namespace hlg::api
