// SPDX-License-Identifier: MIT
#include <limits>

#include "api/client.hpp"

namespace hlg::api {
namespace {

using engine::AcceptedEvent;
using engine::ChatEvent;
using engine::ErrorCode;
using engine::ErrorEvent;
using engine::Finish;
using engine::FinishedEvent;
using engine::GeneratedToken;
using engine::GenerateRequest;
using Kind = engine::ChatDelta::Kind;

constexpr const char* path = "/v1/chat/completions";

std::string with(const std::string& members) {
    return R"({"messages": [{"role": "user", "content": "Hello"}])" + (members.empty() ? "" : ", " + members) + "}";
}

std::unique_ptr<Exchange> open(const std::string& members) { return test::open(path, with(members)); }

GenerateRequest request_of(const std::string& members) {
    const auto exchange = open(members);
    return exchange ? std::get<GenerateRequest>(exchange->requests().at(0)) : GenerateRequest();
}

Json refused(const std::string& members) { return Json::parse(test::reply_of(test::post(path, with(members))).body)["error"]; }

AcceptedEvent accepted(std::uint64_t seed = 7) {
    AcceptedEvent event{.prompt_tokens = 10};
    event.settings.params.seed = seed;
    return event;
}

FinishedEvent finished(Finish reason = Finish::stop) {
    return {.reason = reason, .seed = 7, .usage = {.prompt_tokens = 10, .reused_tokens = 4, .generated_tokens = 3}};
}

ChatEvent content(const std::string& text) { return {{{.text = text}}, {}}; }

GeneratedToken token(const std::string& bytes, float log_probability) {
    return {.token = 300,
            .bytes = bytes,
            .log_probability = log_probability,
            .highest = {{300, log_probability}, {1, -std::numeric_limits<float>::infinity()}}};
}

constexpr const char* hlg_off = R"("hlg":{"enabled":false,"ignored":[]})";

std::string chunk(const std::string& choice, const std::string& more = "") {
    return R"(data: {"id":"chatcmpl-ID","object":"chat.completion.chunk","created":0,"model":"storyteller","choices":[)" +
           choice + "]" + more + "}\n\n";
}

std::string delta(const std::string& delta, const std::string& index = "0") {
    return chunk(R"({"index":)" + index + R"(,"delta":)" + delta + R"(,"logprobs":null,"finish_reason":null})");
}

std::string last(const std::string& reason, const std::string& index = "0") {
    return chunk(R"({"index":)" + index + R"(,"delta":{},"logprobs":null,"finish_reason":")" + reason + R"("})",
                 std::string(R"(,"seed":7,)") + hlg_off);
}

TEST(ChatCompletions, Asks) {
    const GenerateRequest plain = request_of("");
    EXPECT_EQ(std::get<engine::ChatRequest>(plain.prompt).messages, R"([{"role":"user","content":"Hello"}])");
    EXPECT_EQ(plain.choices, 1U);
    EXPECT_FALSE(plain.max_tokens || plain.log_probabilities || plain.ignore_end);
    EXPECT_TRUE(plain.stop.empty());
    const GenerateRequest full = request_of(R"("model": "org/teller", "n": 3, "max_tokens": 5, "stop": "x", "temperature": 0.5,
        "seed": 9, "logprobs": true, "top_logprobs": 2, "ignore_eos": true, "hlg": {"width": 2}, "response_format":
        {"type": "json_object"})");
    EXPECT_EQ(full.choices, 3U);
    EXPECT_EQ(full.max_tokens, 5U);
    EXPECT_EQ(full.stop, std::vector<std::string>{"x"});
    EXPECT_EQ(full.sampling.temperature, 0.5);
    EXPECT_EQ(full.sampling.seed, 9U);
    EXPECT_EQ(full.sampling.hlg.width, 2.0);
    EXPECT_EQ(full.log_probabilities, 2U);
    EXPECT_TRUE(full.ignore_end);
    EXPECT_EQ(std::get<engine::ChatRequest>(full.prompt).json_schema, "{}");
    EXPECT_EQ(request_of(R"("logprobs": true)").log_probabilities, 0U);
    EXPECT_EQ(request_of(R"("logprobs": false, "top_logprobs": null)").log_probabilities, std::nullopt);
}

TEST(ChatCompletions, Refuses) {
    const std::pair<const char*, const char*> cases[] = {
        {R"("top_logprobs": 2)", "top_logprobs must come with logprobs: true"},
        {R"("logprobs": false, "top_logprobs": 2)", "top_logprobs must come with logprobs: true"},
        {R"("logprobs": true, "top_logprobs": 21)", "top_logprobs must be an integer from 0 to 20, got 21"},
        {R"("logprobs": 5)", "logprobs must be true or false, got 5"},
        {R"("stream": "yes")", "stream must be true or false, got \"yes\""},
        {R"("stream_options": 1)", "stream_options must be an object, got 1"},
        {R"("stream_options": {"include_usage": 1})", "stream_options.include_usage must be true or false, got 1"},
        {R"("max_tokens": 0)", "max_tokens must be an integer, 1 or more; -1 is to the end of the context, got 0"},
        {R"("n": 65)", "n must be an integer from 1 to 64, got 65"},
        {R"("temperature": 101)", "temperature must be a number from 0 to 100, got 101"},
        {R"("stop": "")", "stop must be a string that is not empty, got \"\""},
        {R"("model": "gpt-4")", "model gpt-4 does not exist; there is storyteller, org/teller"},
        {R"("hlg": {"gain": 2})",
         "hlg must have no member \"gain\", only enabled, preset, pivot, pivot_offset, width, shoulder, toe, toe_shape"},
    };
    for (const auto& [members, message] : cases) EXPECT_EQ(refused(members)["message"], message);
    EXPECT_EQ(refused(R"("n": 65)")["param"], "n");
    EXPECT_TRUE(refused(R"("n": 65)")["code"].is_null());
    EXPECT_EQ(test::reply_of(test::post(path, "{}")).status, 400);
    EXPECT_EQ(test::reply_of(test::post(path, with(R"("model": "gpt-4")"))).status, 404);
}

TEST(ChatCompletions, Reply) {
    const auto exchange = open("");
    ASSERT_FALSE(exchange->streams());
    exchange->take(0, {0, accepted()});
    EXPECT_TRUE(exchange->begun());
    exchange->take(0, {0, ChatEvent{{{.kind = Kind::reasoning, .text = "Hm."}, {.text = "Good"}}, {}}});
    exchange->take(0, {0, content(" day")});
    exchange->take(0, {0, finished(Finish::length)});
    EXPECT_FALSE(exchange->done());
    exchange->end(0);
    EXPECT_TRUE(exchange->done());
    EXPECT_EQ(exchange->frames(), "");
    const Reply reply = exchange->reply();
    EXPECT_EQ(reply.status, 200);
    EXPECT_EQ(reply.content_type, "application/json");
    EXPECT_TRUE(reply.headers.empty());
    EXPECT_EQ(
        test::normal(reply.body),
        std::string(R"({"id":"chatcmpl-ID","object":"chat.completion","created":0,"model":"storyteller","choices":[{"index":0,)"
                    R"("message":{"role":"assistant","content":"Good day","refusal":null,"reasoning_content":"Hm."},)"
                    R"("logprobs":null,"finish_reason":"length"}],"usage":{"prompt_tokens":10,"completion_tokens":3,)"
                    R"("total_tokens":13,"prompt_tokens_details":{"cached_tokens":4}},"seed":7,)") +
            hlg_off + "}");
}

TEST(ChatCompletions, ReplyWithToolCalls) {
    const auto exchange = open("");
    exchange->take(0, {0, accepted()});
    exchange->take(0, {0, ChatEvent{{{.kind = Kind::tool_call, .text = "{", .index = 0, .id = "call_1", .name = "f"}}, {}}});
    exchange->take(0, {0, ChatEvent{{{.kind = Kind::tool_call, .text = "}", .index = 0},
                                     {.kind = Kind::tool_call, .text = "{}", .index = 1, .id = "call_2", .name = "g"}},
                                    {}}});
    exchange->take(0, {0, finished(Finish::tool_calls)});
    exchange->end(0);
    const Json choice = Json::parse(exchange->reply().body)["choices"][0];
    EXPECT_EQ(choice["message"].dump(), R"({"role":"assistant","content":null,"refusal":null,"tool_calls":[)"
                                        R"({"id":"call_1","type":"function","function":{"name":"f","arguments":"{}"}},)"
                                        R"({"id":"call_2","type":"function","function":{"name":"g","arguments":"{}"}}]})");
    EXPECT_EQ(choice["finish_reason"], "tool_calls");
}

TEST(ChatCompletions, LogProbabilities) {
    const auto exchange = open(R"("logprobs": true, "top_logprobs": 2)");
    exchange->take(0, {0, accepted()});
    exchange->take(0, {0, ChatEvent{{{.text = "a"}}, {token("a", -0.5F), token("\xf0\x9f", -1.0F)}}});
    exchange->take(0, {0, finished()});
    exchange->end(0);
    const Json scores = Json::parse(exchange->reply().body)["choices"][0]["logprobs"];
    const std::string piece = test::shared_engine().model().piece(300);
    ASSERT_EQ(scores["content"].size(), 2U);
    EXPECT_TRUE(scores["refusal"].is_null());
    const Json& first = scores["content"][0];
    EXPECT_EQ(first["token"], "a");
    EXPECT_EQ(first["logprob"], -0.5);
    EXPECT_EQ(first["bytes"], Json::parse("[97]"));
    ASSERT_EQ(first["top_logprobs"].size(), 2U);
    EXPECT_EQ(first["top_logprobs"][0]["token"], piece);
    EXPECT_EQ(first["top_logprobs"][1]["logprob"], -9999.0);
    EXPECT_EQ(scores["content"][1]["token"], "\xef\xbf\xbd");
    EXPECT_EQ(scores["content"][1]["bytes"], Json::parse("[240, 159]"));
}

TEST(ChatCompletions, Stream) {
    const auto exchange = open(R"("stream": true)");
    ASSERT_TRUE(exchange->streams());
    EXPECT_FALSE(exchange->begun());
    EXPECT_EQ(exchange->frames(), "");
    exchange->take(0, {0, accepted()});
    EXPECT_TRUE(exchange->begun());
    const Reply head = exchange->head();
    EXPECT_EQ(head.status, 200);
    EXPECT_EQ(head.content_type, "text/event-stream");
    EXPECT_EQ(test::header(head, "cache-control"), "no-cache");
    EXPECT_EQ(test::normal(exchange->frames()), delta(R"({"role":"assistant","content":""})"));
    exchange->take(0, {0, ChatEvent{{{.kind = Kind::reasoning, .text = "Hm."}, {.text = "Good\n"}}, {}}});
    EXPECT_EQ(test::normal(exchange->frames()), delta(R"({"reasoning_content":"Hm."})") + delta(R"({"content":"Good\n"})"));
    exchange->take(0, {0, ChatEvent{{{.kind = Kind::tool_call, .text = "", .index = 0, .id = "call_1", .name = "f"}}, {}}});
    exchange->take(0, {0, ChatEvent{{{.kind = Kind::tool_call, .text = "{}", .index = 0}}, {}}});
    EXPECT_EQ(test::normal(exchange->frames()),
              delta(R"({"tool_calls":[{"index":0,"id":"call_1","type":"function","function":{"name":"f","arguments":""}}]})") +
                  delta(R"({"tool_calls":[{"index":0,"function":{"arguments":"{}"}}]})"));
    exchange->take(0, {0, finished(Finish::tool_calls)});
    EXPECT_EQ(test::normal(exchange->frames()), last("tool_calls"));
    exchange->end(0);
    EXPECT_EQ(exchange->frames(), "data: [DONE]\n\n");
    EXPECT_TRUE(exchange->done());
}

TEST(ChatCompletions, StreamOfSeveralWithUsage) {
    const auto exchange = open(R"("stream": true, "n": 2, "stream_options": {"include_usage": true})");
    exchange->take(0, {0, accepted()});
    exchange->take(0, {1, content("b")});
    exchange->take(0, {1, finished(Finish::context)});
    exchange->take(0, {0, finished()});
    exchange->end(0);
    const auto chunks = test::chunks(exchange->frames());
    ASSERT_EQ(chunks.size(), 6U);
    for (std::size_t i = 0; i < 5; ++i) EXPECT_TRUE(chunks[i].at("usage").is_null()) << i;
    EXPECT_EQ(chunks[0]["choices"][0]["index"], 0);
    EXPECT_EQ(chunks[1]["choices"][0]["index"], 1);
    EXPECT_EQ(chunks[2]["choices"][0]["index"], 1);
    EXPECT_EQ(chunks[3]["choices"][0]["finish_reason"], "length");
    EXPECT_EQ(chunks[4]["choices"][0]["finish_reason"], "stop");
    EXPECT_EQ(chunks[5]["choices"], Json::array());
    EXPECT_EQ(chunks[5]["usage"].dump(),
              R"({"prompt_tokens":10,"completion_tokens":6,"total_tokens":16,"prompt_tokens_details":{"cached_tokens":4}})");
    for (const Json& chunk : chunks) EXPECT_EQ(chunk["id"], chunks[0]["id"]);
}

TEST(ChatCompletions, StreamOfLogProbabilities) {
    const auto exchange = open(R"("stream": true, "logprobs": true)");
    exchange->take(0, {0, accepted()});
    exchange->take(0, {0, ChatEvent{{{.text = "a"}, {.text = "b"}}, {token("ab", -0.5F)}}});
    exchange->take(0, {0, ChatEvent{{}, {token("", -0.25F)}}});
    exchange->take(0, {0, finished()});
    exchange->end(0);
    const auto chunks = test::chunks(exchange->frames());
    ASSERT_EQ(chunks.size(), 5U);
    EXPECT_EQ(chunks[1]["choices"][0]["logprobs"]["content"][0]["logprob"], -0.5);
    EXPECT_TRUE(chunks[2]["choices"][0]["logprobs"].is_null());
    EXPECT_EQ(chunks[3]["choices"][0]["delta"], Json::object());
    EXPECT_EQ(chunks[3]["choices"][0]["logprobs"]["content"][0]["logprob"], -0.25);
}

TEST(ChatCompletions, ErrorsBeforeTheFirstEventArePlain) {
    for (const char* members : {"", R"("stream": true)"}) {
        const auto exchange = open(members);
        exchange->take(0, {0, ErrorEvent{{ErrorCode::prompt_too_long, "600 tokens, the context holds 512"}}});
        EXPECT_TRUE(exchange->done());
        EXPECT_FALSE(exchange->begun());
        EXPECT_EQ(exchange->frames(), "");
        exchange->take(0, {0, accepted()});  // nothing counts any more
        exchange->end(0);
        EXPECT_FALSE(exchange->begun());
        const Reply reply = exchange->reply();
        EXPECT_EQ(reply.status, 400);
        EXPECT_EQ(reply.body,
                  R"({"error":{"message":"600 tokens, the context holds 512","type":"invalid_request_error","param":null,)"
                  R"("code":"context_length_exceeded"}})");
    }
}

TEST(ChatCompletions, LaterErrorsEndTheStream) {
    const auto exchange = open(R"("stream": true)");
    exchange->take(0, {0, accepted()});
    exchange->take(0, {0, content("a")});
    (void)exchange->frames();
    exchange->take(0, {0, ErrorEvent{{ErrorCode::sampling_failed, "no token is left"}}});
    EXPECT_TRUE(exchange->done());
    EXPECT_EQ(exchange->frames(),
              "data: "
              R"({"error":{"message":"no token is left","type":"server_error","param":null,"code":null}})"
              "\n\n");
    exchange->take(0, {0, content("b")});
    exchange->end(0);
    EXPECT_EQ(exchange->frames(), "");
}

TEST(ChatCompletions, LaterErrorsAreTheAnswer) {
    const auto exchange = open("");
    exchange->take(0, {0, accepted()});
    exchange->take(0, {0, content("a")});
    exchange->fail({.status = 503, .message = "too slow", .retry_after = 2});
    exchange->fail({.status = 500, .message = "and again"});
    const Reply reply = exchange->reply();
    EXPECT_EQ(reply.status, 503);
    EXPECT_EQ(test::header(reply, "retry-after"), "2");
    EXPECT_NE(reply.body.find("too slow"), std::string::npos);
}

TEST(ChatCompletions, AnEndTooEarlyIsAnError) {
    const auto missing = open(R"("n": 2)");
    missing->take(0, {0, accepted()});
    missing->take(0, {0, finished()});
    missing->end(0);
    EXPECT_EQ(missing->reply().status, 500);
    const auto cancelled = open("");
    cancelled->take(0, {0, accepted()});
    cancelled->take(0, {0, finished(Finish::cancelled)});
    EXPECT_TRUE(cancelled->done());
    EXPECT_EQ(cancelled->reply().status, 503);
}

TEST(ChatCompletions, HeadersNameWhatIsIgnored) {
    const std::string members = R"("typical_p": 0.5, "top_k": 40, "seed": -5, "hlg": true, "response_format":
        {"type": "json_schema", "json_schema": {"schema": {"type": "array", "items": {"type": "null"}, "uniqueItems": true}}})";
    for (const char* streams : {"true", "false"}) {
        const auto exchange = open(members + R"(, "stream": )" + streams);
        AcceptedEvent event = accepted(static_cast<std::uint64_t>(-5));
        event.settings.ignored = {"top_k"};
        event.settings.params.hlg = CurveParams();
        exchange->take(0, {0, event});
        exchange->take(0, {0, finished()});
        exchange->end(0);
        const Reply reply = exchange->streams() ? exchange->head() : exchange->reply();
        EXPECT_EQ(test::header(reply, "x-hlg-ignored"), "top_k, typical_p");
        EXPECT_EQ(test::header(reply, "x-hlg-schema-ignored"), "uniqueItems");
        const Json told = exchange->streams() ? test::chunks(exchange->frames()).back() : Json::parse(reply.body);
        EXPECT_EQ(told["hlg"]["ignored"], Json::parse(R"(["top_k", "typical_p"])"));
        EXPECT_EQ(told["hlg"]["width"], 1.6);
        EXPECT_EQ(told["seed"], -5);
    }
}

}  // namespace
}  // namespace hlg::api
