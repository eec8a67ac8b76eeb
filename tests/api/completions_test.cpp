// SPDX-License-Identifier: MIT
#include "api/client.hpp"

namespace hlg::api {
namespace {

using engine::AcceptedEvent;
using engine::Finish;
using engine::FinishedEvent;
using engine::GenerateRequest;
using engine::ScoredEvent;
using engine::ScoreRequest;
using engine::TextEvent;

constexpr const char* path = "/v1/completions";

std::string with(const std::string& members) { return R"({"prompt": "Once")" + (members.empty() ? "" : ", " + members) + "}"; }

std::unique_ptr<Exchange> open(const std::string& members) { return test::open(path, with(members)); }

std::string refused(const std::string& members) {
    const Reply reply = test::reply_of(test::post(path, with(members)));
    EXPECT_EQ(reply.status, 400);
    return Json::parse(reply.body)["error"]["message"];
}

AcceptedEvent accepted(std::uint64_t seed = 7) {
    AcceptedEvent event{.prompt_tokens = 2};
    event.settings.params.seed = seed;
    return event;
}

FinishedEvent finished(Finish reason = Finish::stop) {
    return {.reason = reason, .seed = 7, .usage = {.prompt_tokens = 2, .reused_tokens = 1, .generated_tokens = 3}};
}

TextEvent text(const std::string& bytes, float log_probability = -0.5F) {
    return {bytes, {{.token = 300, .bytes = bytes, .log_probability = log_probability}}};
}

std::vector<engine::Token> once() { return test::shared_engine().model().tokenize("Once"); }

constexpr const char* hlg_off = R"("hlg":{"enabled":false,"ignored":[]})";

TEST(Completions, Asks) {
    const auto requests = test::open(path, R"({"prompt": ["a", [5, 6]], "n": 2, "max_tokens": 0, "stop": ["x"], "seed": 3,
        "logprobs": 4, "ignore_eos": true, "user": "me"})")
                              ->requests();
    ASSERT_EQ(requests.size(), 2U);
    const auto& first = std::get<GenerateRequest>(requests[0]);
    EXPECT_EQ(std::get<std::string>(first.prompt), "a");
    EXPECT_EQ(std::get<std::vector<engine::Token>>(std::get<GenerateRequest>(requests[1]).prompt),
              (std::vector<engine::Token>{5, 6}));
    EXPECT_EQ(first.choices, 2U);
    EXPECT_EQ(first.max_tokens, 0U);
    EXPECT_EQ(first.stop, std::vector<std::string>{"x"});
    EXPECT_EQ(first.sampling.seed, 3U);
    EXPECT_EQ(first.log_probabilities, 4U);
    EXPECT_TRUE(first.ignore_end);
    EXPECT_TRUE(std::holds_alternative<std::monostate>(first.constraint));
}

TEST(Completions, AsksForConstraints) {
    const auto constraint = [](const std::string& members) {
        return std::get<GenerateRequest>(open(members)->requests()[0]).constraint;
    };
    EXPECT_EQ(std::get<engine::GrammarSpec>(constraint(R"("grammar": "root ::= \"a\"")")).gbnf, "root ::= \"a\"");
    EXPECT_EQ(std::get<engine::JsonSchema>(constraint(R"("response_format": {"type": "json_object"})")).text, "{}");
    EXPECT_EQ(
        std::get<engine::JsonSchema>(constraint(R"("json_schema": {"type": "null"}, "response_format": {"type": "text"})")).text,
        R"({"type":"null"})");
    EXPECT_EQ(refused(R"("grammar": "x", "json_schema": {"type": "null"})"), "grammar can't be used together with json_schema");
    EXPECT_EQ(refused(R"("grammar": "x", "response_format": {"type": "json_object"})"),
              "grammar can't be used together with response_format");
}

TEST(Completions, AnAnswerThatCantBeIsTheRequestsFault) {
    const auto error = [](const std::string& members) { return test::answer(path, with(members), 400)["error"]; };
    EXPECT_EQ(error(R"("json_schema": {"type": "integer", "minimum": 5, "maximum": 3})")["param"], "json_schema");
    EXPECT_EQ(error(R"("grammar": "root ::= (")")["message"], "grammar: the grammar's line 1: a ) is missing");
    EXPECT_EQ(error(R"("ignore_eos": true, "grammar": "root ::= \"a\"")")["message"],
              "ignore_eos can't be used together with grammar: each of its answers has an end");
    EXPECT_EQ(error(R"("ignore_eos": true, "json_schema": {"type": "null"})")["param"], "ignore_eos");
}

TEST(Completions, AsksForScoresOfAnEcho) {
    const auto requests = open(R"("echo": true, "logprobs": 2)")->requests();
    ASSERT_EQ(requests.size(), 2U);
    const auto& score = std::get<ScoreRequest>(requests[1]);
    EXPECT_EQ(score.text, "Once");
    EXPECT_EQ(score.first, 1U);
    EXPECT_EQ(score.highest, 2U);
    EXPECT_EQ(open(R"("echo": true)")->requests().size(), 1U);
    const auto tokens = test::open(path, R"({"prompt": [5, 6], "echo": true, "logprobs": 0})")->requests();
    EXPECT_EQ(std::get<ScoreRequest>(tokens[1]).tokens, (std::vector<engine::Token>{5, 6}));
    EXPECT_FALSE(std::get<ScoreRequest>(tokens[1]).text);
    EXPECT_EQ(test::open(path, R"({"prompt": [5], "echo": true, "logprobs": 0})")->requests().size(), 1U);  // nothing to score
}

TEST(Completions, Refuses) {
    const std::pair<const char*, const char*> cases[] = {
        {R"("suffix": "end")", "suffix is not supported"},
        {R"("best_of": 2)", "best_of must be n: answers are not ranked, got 2"},
        {R"("logprobs": 21)", "logprobs must be an integer from 0 to 20, got 21"},
        {R"("logprobs": true)", "logprobs must be an integer from 0 to 20, got true"},
        {R"("echo": 1)", "echo must be true or false, got 1"},
        {R"("max_tokens": -2)", "max_tokens must be an integer, 0 or more; -1 is to the end of the context, got -2"},
    };
    for (const auto& [members, message] : cases) EXPECT_EQ(refused(members), message);
    std::string prompts = "[\"\"";
    for (int i = 0; i < 64; ++i) prompts += ",\"\"";
    const Reply many = test::reply_of(test::post(path, R"({"n": 4, "prompt": )" + prompts + "]}"));
    EXPECT_EQ(Json::parse(many.body)["error"]["message"], "n times the number of prompts must be up to 256, got 260");
    EXPECT_NE(open(R"("suffix": "", "best_of": 1, "logprobs": null)"), nullptr);
    EXPECT_EQ(test::reply_of(test::post(path, "{}")).status, 400);
}

TEST(Completions, Reply) {
    const auto exchange = open("");
    exchange->take(0, {0, accepted()});
    exchange->take(0, {0, text(" upon")});
    exchange->take(0, {0, TextEvent{" a", {}}});
    exchange->take(0, {0, finished(Finish::length)});
    exchange->end(0);
    EXPECT_EQ(test::normal(exchange->reply().body),
              std::string(R"({"id":"cmpl-ID","object":"text_completion","created":0,"model":"storyteller","choices":[)"
                          R"({"text":" upon a","index":0,"logprobs":null,"finish_reason":"length"}],"usage":{"prompt_tokens":2,)"
                          R"("completion_tokens":3,"total_tokens":5,"prompt_tokens_details":{"cached_tokens":1}},"seed":7,)") +
                  hlg_off + "}");
}

TEST(Completions, ReplyToSeveralPrompts) {
    const auto exchange = test::open(path, R"({"prompt": ["a", "b"], "n": 2})");
    for (const std::size_t prompt : {1, 0}) {
        exchange->take(prompt, {0, accepted(prompt + 5)});
        for (const std::size_t choice : {1, 0}) {
            exchange->take(prompt, {choice, text(std::to_string(prompt) + std::to_string(choice))});
            exchange->take(prompt, {choice, finished()});
        }
        EXPECT_FALSE(exchange->done());
        exchange->end(prompt);
    }
    const Json reply = Json::parse(exchange->reply().body);
    ASSERT_EQ(reply["choices"].size(), 4U);
    const char* texts[] = {"00", "01", "10", "11"};
    for (std::size_t i = 0; i < 4; ++i) {
        EXPECT_EQ(reply["choices"][i]["index"], i);
        EXPECT_EQ(reply["choices"][i]["text"], texts[i]);
        EXPECT_EQ(reply["choices"][i]["seed"], 5 + i / 2);
    }
    EXPECT_EQ(reply["usage"]["prompt_tokens"], 4);
    EXPECT_EQ(reply["usage"]["completion_tokens"], 12);
}

TEST(Completions, EchoWithScores) {
    const auto exchange = open(R"("echo": true, "logprobs": 1)");
    const std::size_t tokens = once().size();
    exchange->take(0, {0, accepted()});
    exchange->take(0, {0, text(" upon")});
    exchange->take(0, {0, finished()});
    exchange->end(0);
    EXPECT_FALSE(exchange->begun());
    ScoredEvent scored{.log_probabilities = std::vector<float>(tokens - 1, -2.0F), .tokens = once()};
    scored.highest.assign(tokens - 1, {{300, -0.25F}});
    scored.usage.prompt_tokens = tokens;
    exchange->take(1, {0, scored});
    exchange->end(1);
    const Json reply = Json::parse(exchange->reply().body);
    const Json& choice = reply["choices"][0];
    EXPECT_EQ(choice["text"], "Once upon");
    const Json& scores = choice["logprobs"];
    ASSERT_EQ(scores["tokens"].size(), tokens + 1);
    EXPECT_TRUE(scores["token_logprobs"][0].is_null());
    EXPECT_TRUE(scores["top_logprobs"][0].is_null());
    EXPECT_EQ(scores["token_logprobs"][1], -2.0);
    EXPECT_EQ(scores["top_logprobs"][1].size(), 2U);
    EXPECT_EQ(scores["token_logprobs"][tokens], -0.5);
    EXPECT_EQ(scores["text_offset"][tokens], 4);
    EXPECT_EQ(reply["usage"]["prompt_tokens"], 2);  // the score's are the same tokens
}

std::string chunk(const std::string& text, const std::string& scores = "null") {
    return R"(data: {"id":"cmpl-ID","object":"text_completion","created":0,"model":"storyteller","choices":[{"text":")" + text +
           R"(","index":0,"logprobs":)" + scores + R"(,"finish_reason":null}]})" + "\n\n";
}

TEST(Completions, Stream) {
    const auto exchange = open(R"("stream": true, "echo": true)");
    exchange->take(0, {0, accepted()});
    EXPECT_EQ(test::normal(exchange->frames()), chunk("Once"));
    exchange->take(0, {0, text(" upon")});
    EXPECT_EQ(test::normal(exchange->frames()), chunk(" upon"));
    exchange->take(0, {0, TextEvent{"", {}}});
    EXPECT_EQ(exchange->frames(), "");
    exchange->take(0, {0, finished()});
    EXPECT_EQ(test::normal(exchange->frames()),
              std::string(R"(data: {"id":"cmpl-ID","object":"text_completion","created":0,"model":"storyteller","choices":[)"
                          R"({"text":"","index":0,"logprobs":null,"finish_reason":"stop"}],"seed":7,)") +
                  hlg_off + "}\n\n");
    exchange->end(0);
    EXPECT_EQ(exchange->frames(), "data: [DONE]\n\n");
}

TEST(Completions, StreamWaitsForScoresOfItsEcho) {
    const auto exchange = open(R"("stream": true, "echo": true, "logprobs": 0, "stream_options": {"include_usage": true})");
    const std::size_t tokens = once().size();
    exchange->take(0, {0, accepted()});
    exchange->take(0, {0, text(" upon", -0.5F)});
    EXPECT_EQ(exchange->frames(), "");
    EXPECT_FALSE(exchange->begun());
    exchange->take(1, {0, ScoredEvent{.log_probabilities = std::vector<float>(tokens - 1, -2.0F), .tokens = once()}});
    EXPECT_TRUE(exchange->begun());
    exchange->end(1);
    exchange->take(0, {0, text(" a", -0.25F)});
    exchange->take(0, {0, finished()});
    exchange->end(0);
    const auto chunks = test::chunks(exchange->frames());
    ASSERT_EQ(chunks.size(), 5U);
    const char* texts[] = {"Once", " upon", " a", ""};
    for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(chunks[i]["choices"][0]["text"], texts[i]);
    EXPECT_EQ(chunks[0]["choices"][0]["logprobs"]["token_logprobs"].size(), tokens);
    EXPECT_EQ(chunks[1]["choices"][0]["logprobs"]["text_offset"][0], 4);
    EXPECT_EQ(chunks[2]["choices"][0]["logprobs"]["text_offset"][0], 9);
    EXPECT_TRUE(chunks[3]["usage"].is_null());
    EXPECT_EQ(chunks[4]["choices"], Json::array());
    EXPECT_EQ(chunks[4]["usage"]["completion_tokens"], 3);
}

// With the engine.

TEST(CompletionsEngine, AStreamIsTheReplyInPieces) {
    const std::string body = R"({"prompt": ["Once upon a time", "The king"], "n": 2, "seed": 5, "max_tokens": 20, "echo": true,
        "logprobs": 2, "temperature": 1.2)";
    const Json whole = test::answer(path, body + "}");
    const auto chunks = test::stream(path, body + R"(, "stream": true})");
    for (std::size_t i = 0; i < 4; ++i) {
        std::string text;
        Json offsets = Json::array();
        for (const Json& chunk : chunks) {
            if (chunk["choices"][0]["index"] != i) continue;
            text += chunk["choices"][0]["text"];
            if (!chunk["choices"][0]["logprobs"].is_null())
                for (const Json& offset : chunk["choices"][0]["logprobs"]["text_offset"]) offsets.push_back(offset);
        }
        EXPECT_EQ(whole["choices"][i]["text"], text);
        EXPECT_EQ(whole["choices"][i]["logprobs"]["text_offset"], offsets);
        EXPECT_EQ(text.substr(0, i < 2 ? 16 : 8), i < 2 ? "Once upon a time" : "The king");
    }
}

TEST(CompletionsEngine, ScoresAPromptWithoutGenerating) {
    const Json reply =
        test::answer(path, R"({"prompt": "Once upon a time there was", "max_tokens": 0, "echo": true, "logprobs": 1})");
    const Json& choice = reply["choices"][0];
    EXPECT_EQ(choice["text"], "Once upon a time there was");
    EXPECT_EQ(choice["finish_reason"], "length");
    EXPECT_EQ(reply["usage"]["completion_tokens"], 0);
    const Json& scores = choice["logprobs"];
    EXPECT_EQ(scores["tokens"].back(), " was");
    EXPECT_EQ(scores["top_logprobs"].back().size(), 1U);  // the best token is the one that is there
    EXPECT_GT(scores["token_logprobs"].back().get<double>(), -1.0);
    EXPECT_EQ(scores["tokens"].size(), reply["usage"]["prompt_tokens"]);
}

TEST(CompletionsEngine, AGrammarSaysWhat) {
    const Json reply = test::answer(path, with(R"("grammar": "root ::= \" 😀 end STOP\"", "stop": "STOP", "logprobs": 0)"));
    EXPECT_EQ(reply["choices"][0]["text"], " 😀 end ");
    EXPECT_EQ(test::answer(path, with(R"("grammar": "root ::= (")"), 400)["error"]["type"], "invalid_request_error");
    EXPECT_EQ(test::answer(path, with(R"("max_tokens": 400, "response_format": {"type": "json_schema", "json_schema": {"schema":
        {"enum": ["a"]}}})"))["choices"][0]["text"],
              "\"a\"");
}

TEST(CompletionsEngine, OneBadPromptRefusesAll) {
    const std::string body = R"({"stream": true, "prompt": ["Once", ")" + std::string(2000, 'x') + "\"]}";
    const auto exchange = test::open(path, body);
    EXPECT_EQ(test::run(*exchange).find("x-hlg"), std::string::npos);
    EXPECT_FALSE(exchange->begun());
    EXPECT_EQ(exchange->reply().status, 400);
    EXPECT_EQ(Json::parse(exchange->reply().body)["error"]["code"], "context_length_exceeded");
}

}  // namespace
}  // namespace hlg::api
