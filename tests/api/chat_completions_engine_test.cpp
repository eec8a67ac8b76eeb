// SPDX-License-Identifier: MIT
//
// Chat completions answered by the demo model.
#include "api/client.hpp"

namespace hlg::api {
namespace {

constexpr const char* path = "/v1/chat/completions";

std::string with(const std::string& members) {
    return R"({"messages": [{"role": "user", "content": "Hello"}], )" + members + "}";
}

std::string streamed(const std::vector<Json>& chunks, int index = 0) {
    std::string text;
    for (const Json& chunk : chunks)
        for (const Json& choice : chunk["choices"])
            if (choice["index"] == index) text += choice["delta"].value("content", "");
    return text;
}

TEST(ChatCompletionsEngine, AStreamIsTheReplyInPieces) {
    const std::string members = R"("seed": 11, "max_tokens": 40, "n": 2, "logprobs": true, "top_logprobs": 3)";
    const Json whole = test::answer(path, with(members));
    const auto chunks = test::stream(path, with(members + R"(, "stream": true, "stream_options": {"include_usage": true})"));
    for (const int index : {0, 1}) {
        const Json& choice = whole["choices"][index];
        EXPECT_FALSE(choice["message"]["content"].get<std::string>().empty());
        EXPECT_EQ(streamed(chunks, index), choice["message"]["content"]);
        Json scores = Json::array();
        for (const Json& chunk : chunks)
            for (const Json& part : chunk["choices"])
                if (part["index"] == index && !part["logprobs"].is_null())
                    for (const Json& one : part["logprobs"]["content"]) scores.push_back(one["token"]);
        Json tokens = Json::array();
        for (const Json& one : choice["logprobs"]["content"]) {
            tokens.push_back(one["token"]);
            EXPECT_EQ(one["top_logprobs"].size(), 3U);
        }
        EXPECT_EQ(scores, tokens);
    }
    EXPECT_EQ(whole["seed"], 11);
    EXPECT_EQ(chunks.back()["usage"]["completion_tokens"], whole["usage"]["completion_tokens"]);
}

TEST(ChatCompletionsEngine, AGrammarSaysWhat) {
    const Json reply = test::answer(path, with(R"("grammar": "root ::= \"Grüße 😀 STOP more\"", "stop": ["STOP"])"));
    EXPECT_EQ(reply["choices"][0]["message"]["content"], "Grüße 😀 ");
    EXPECT_EQ(reply["choices"][0]["finish_reason"], "stop");
    const auto chunks =
        test::stream(path, with(R"("grammar": "root ::= \"Grüße 😀 STOP more\"", "stop": ["STOP"], "stream": true)"));
    EXPECT_EQ(streamed(chunks), "Grüße 😀 ");
}

TEST(ChatCompletionsEngine, SchemasAreKept) {
    const Json reply =
        test::answer(path, with(R"("max_tokens": 200, "response_format": {"type": "json_schema", "json_schema": {"name": "x",
        "schema": {"type": "object", "properties": {"b": {"enum": ["yes"]}, "a": {"type": "boolean"}}, "required": ["b", "a"],
        "additionalProperties": false}}})"));
    const Json said = Json::parse(reply["choices"][0]["message"]["content"].get<std::string>());
    EXPECT_EQ(said["b"], "yes");
    EXPECT_TRUE(said["a"].is_boolean());
}

// What a pattern lets into a string may be what JSON has to escape.
TEST(ChatCompletionsEngine, StringsOfPatternsAreJson) {
    const std::string schema =
        R"({"type": "object", "properties": {"s": {"type": "string", "pattern": "^\"\\n\\\\.\\d$"}}, "required": ["s"]})";
    const auto check = [](const Json& text) {
        const auto said = Json::parse(text.get<std::string>())["s"].get<std::string>();
        EXPECT_EQ(said.substr(0, 3), "\"\n\\") << said;
        EXPECT_NE(std::string("0123456789").find(said.back()), std::string::npos) << said;
    };
    // Sure to be in the answer if it may: a quote where any character may stand.
    const std::string quotes = R"("max_tokens": 200, "temperature": 0, "logit_bias": [[34, 100]], )";
    const Json formatted = test::answer(
        path,
        with(quotes + R"("response_format": {"type": "json_schema", "json_schema": {"name": "x", "schema": )" + schema + "}}"));
    check(formatted["choices"][0]["message"]["content"]);
    const Json called = test::answer(
        path,
        with(
            quotes +
            R"("tool_choice": "required", "parallel_tool_calls": false, "tools": [{"type": "function", "function": {"name": "f", "parameters": )" +
            schema + "}}]"));
    check(called["choices"][0]["message"]["tool_calls"][0]["function"]["arguments"]);
}

TEST(ChatCompletionsEngine, ANamedToolIsCalled) {
    // The template's reasoning may come first; with this seed it does not.
    const std::string members =
        R"("max_tokens": 300, "seed": 3, "parallel_tool_calls": false, "tools": [{"type": "function", "function": {"name": "weather", "parameters":
        {"type": "object", "properties": {"city": {"enum": ["Oslo"]}}, "required": ["city"], "additionalProperties": false}}}],
        "tool_choice": {"type": "function", "function": {"name": "weather"}})";
    const Json choice = test::answer(path, with(members))["choices"][0];
    EXPECT_EQ(choice["finish_reason"], "tool_calls");
    EXPECT_TRUE(choice["message"]["content"].is_null());
    ASSERT_EQ(choice["message"]["tool_calls"].size(), 1U);
    const Json& function = choice["message"]["tool_calls"][0]["function"];
    EXPECT_EQ(function["name"], "weather");
    EXPECT_EQ(Json::parse(function["arguments"].get<std::string>()), Json::parse(R"({"city": "Oslo"})"));
    Json streamed;
    std::string arguments;
    for (const Json& chunk : test::stream(path, with(members + R"(, "stream": true)"))) {
        const Json& delta = chunk["choices"][0]["delta"];
        if (!delta.contains("tool_calls")) continue;
        if (streamed.is_null()) streamed = delta["tool_calls"][0];
        arguments += delta["tool_calls"][0]["function"]["arguments"];
    }
    EXPECT_EQ(streamed["function"]["name"], "weather");
    EXPECT_EQ(arguments, function["arguments"]);
}

TEST(ChatCompletionsEngine, RefusesBeforeAnythingIsSent) {
    std::string words;
    for (int i = 0; i < 600; ++i) words += " word";
    const std::string body = R"({"stream": true, "messages": [{"role": "user", "content": ")" + words + "\"}]}";
    const auto exchange = test::open(path, body);
    EXPECT_EQ(test::run(*exchange), "");
    EXPECT_FALSE(exchange->begun());
    const Json error = Json::parse(exchange->reply().body)["error"];
    EXPECT_EQ(error["code"], "context_length_exceeded");
    EXPECT_NE(error["message"].get<std::string>().find("the context holds 512"), std::string::npos);
    for (const char* members :
         {R"("grammar": "root ::= (")", R"("response_format": {"type": "json_object", "schema": {"$ref": "#/none"}})"})
        EXPECT_EQ(test::answer(path, with(members), 400)["error"]["type"], "invalid_request_error") << members;
}

Json refused(const std::string& members) { return test::answer(path, with(members), 400)["error"]; }

TEST(ChatCompletionsEngine, AnAnswerThatCantBeIsTheRequestsFault) {
    const Json impossible = refused(R"("response_format": {"type": "json_schema", "json_schema": {"name": "x",
        "schema": {"type": "integer", "minimum": 5, "maximum": 3}}})");
    EXPECT_EQ(impossible["message"], "response_format: the grammar matches nothing");
    EXPECT_EQ(impossible["param"], "response_format");
    EXPECT_EQ(impossible["type"], "invalid_request_error");
    EXPECT_EQ(refused(R"("json_schema": {"type": "integer", "minimum": 5, "maximum": 3})")["param"], "json_schema");
    const Json banned = refused(R"("grammar": "root ::= <[70]>", "logit_bias": {"70": -100})");
    EXPECT_EQ(banned["message"], "grammar: no token is left to draw: all are masked or banned");
    EXPECT_EQ(banned["param"], "grammar");
}

TEST(ChatCompletionsEngine, AnEndThatMustComeIsNotBanned) {
    EXPECT_EQ(refused(R"("ignore_eos": true, "grammar": "root ::= \"yes\" | \"no\"")")["message"],
              "ignore_eos can't be used together with grammar: each of its answers has an end");
    EXPECT_EQ(refused(R"("ignore_eos": true, "response_format": {"type": "json_object"})")["message"],
              "ignore_eos can't be used together with response_format or json_schema: JSON has an end");
    EXPECT_EQ(
        refused(R"("ignore_eos": true, "tools": [{"type": "function", "function": {"name": "f"}}], "tool_choice": "required")")
            ["param"],
        "ignore_eos");
    const Json reply = test::answer(path, with(R"("ignore_eos": true, "max_tokens": 20, "grammar": "root ::= [a-z ]*")"));
    EXPECT_EQ(reply["choices"][0]["finish_reason"], "length");
}

TEST(ChatCompletionsEngine, RefusalsNameTheField) {
    const std::pair<const char*, const char*> cases[] = {
        {R"("grammar": "root ::= (")", "grammar"},
        {R"("response_format": {"type": "json_object", "schema": {"$ref": "#/none"}})", "response_format"},
        {R"("response_format": {"type": "json_object", "schema": {"type": "string", "pattern": "^*$"}})", "response_format"},
        {R"("chat_template_kwargs": {"enable_thinking": 1})", "chat_template_kwargs"},
    };
    for (const auto& [members, field] : cases) {
        const Json error = refused(members);
        EXPECT_EQ(error["param"], field) << members;
        EXPECT_EQ(error["message"].get<std::string>().rfind(field, 0), 0U) << error;
    }
    EXPECT_EQ(refused(R"("grammar": "root ::= (")")["message"], "grammar: the grammar's line 1: a ) is missing");
}

}  // namespace
}  // namespace hlg::api
