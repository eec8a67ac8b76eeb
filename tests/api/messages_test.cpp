// SPDX-License-Identifier: MIT
#include "api/events.hpp"

namespace hlg::api {
namespace {

using engine::Finish;
using engine::GenerateRequest;

constexpr const char* path = "/v1/messages";

std::string with(const std::string& members, const std::string& max_tokens = "9") {
    return R"({"messages": [{"role": "user", "content": "Hello"}], "max_tokens": )" + max_tokens + members + "}";
}

std::unique_ptr<Exchange> open(const std::string& members) { return test::open(path, with(members)); }

GenerateRequest request_of(const std::string& members) {
    const auto exchange = open(members);
    return exchange ? std::get<GenerateRequest>(exchange->requests().at(0)) : GenerateRequest();
}

Json refused(const std::string& body) { return Json::parse(test::reply_of(test::post(path, body)).body); }

Json reply_to(Exchange& exchange, std::vector<engine::Event> events) {
    EXPECT_EQ(test::played(exchange, std::move(events)), "");
    return Json::parse(exchange.reply().body);
}

constexpr const char* usage = R"("usage":{"input_tokens":6,"cache_creation_input_tokens":0,"cache_read_input_tokens":4,)"
                              R"("output_tokens":5,"output_tokens_details":null,"server_tool_use":null)";
constexpr const char* more_usage = R"(,"cache_creation":null,"inference_geo":null,"speed":null,"service_tier":"standard"})";
constexpr const char* in_force = R"("seed":7,"hlg":{"enabled":false,"ignored":[]}})";

TEST(Messages, Asks) {
    const GenerateRequest plain = request_of("");
    EXPECT_EQ(std::get<engine::ChatRequest>(plain.prompt).messages, R"([{"role":"user","content":"Hello"}])");
    EXPECT_EQ(plain.max_tokens, 9U);
    EXPECT_EQ(plain.choices, 1U);
    EXPECT_TRUE(plain.stop.empty());
    const GenerateRequest full = request_of(R"(, "model": "org/teller", "temperature": 0.5, "top_p": 0.9, "top_k": 5, "seed": 3,
        "stop_sequences": ["a", "b"], "hlg": {"width": 2}, "metadata": {"user_id": "u"}, "service_tier": "auto",
        "system": "Be.", "thinking": {"type": "enabled", "budget_tokens": 2000})");
    EXPECT_EQ(full.sampling.temperature, 0.5);
    EXPECT_EQ(full.sampling.top_p, 0.9);
    EXPECT_EQ(full.sampling.top_k, 5);
    EXPECT_EQ(full.sampling.seed, 3U);
    EXPECT_EQ(full.sampling.hlg.width, 2.0);
    EXPECT_EQ(full.stop, (std::vector<std::string>{"a", "b"}));
    EXPECT_EQ(std::get<engine::ChatRequest>(full.prompt).thinking, true);
    EXPECT_TRUE(request_of(R"(, "stop_sequences": null, "temperature": null, "top_k": null)").stop.empty());
}

TEST(Messages, Refuses) {
    const std::pair<std::string, const char*> cases[] = {
        {R"({"messages": [{"role": "user", "content": "x"}]})", "max_tokens is required"},
        {with("", "null"), "max_tokens is required"},
        {with("", "0"), "max_tokens must be an integer, 1 or more, got 0"},
        {with("", "-1"), "max_tokens must be an integer, 1 or more, got -1"},
        {with("", "1.5"), "max_tokens must be an integer, 1 or more, got 1.5"},
        {with("", "\"9\""), "max_tokens must be an integer, 1 or more, got \"9\""},
        {with(R"(, "stop_sequences": "x")"), "stop_sequences must be an array, got \"x\""},
        {with(R"(, "stop_sequences": [""])"), "stop_sequences[0] must be a string that is not empty, got \"\""},
        {with(R"(, "stream": 1)"), "stream must be true or false, got 1"},
        {with(R"(, "temperature": "hot")"), "temperature must be a number from 0 to 100, got \"hot\""},
        {with(R"(, "top_k": -2)"), "top_k must be an integer, -1 to 9223372036854775807; 0 and -1 are off, got -2"},
        {with(R"(, "tool_choice": {"type": "any"})"), "tool_choice asks for a call, and there are no tools"},
        {R"({"max_tokens": 5})", "messages is required"},
        {"{", "the body is not JSON: parse error"},
    };
    for (const auto& [body, message] : cases) {
        const Json error = refused(body);
        EXPECT_EQ(error["type"], "error");
        EXPECT_EQ(error["error"]["type"], "invalid_request_error");
        EXPECT_EQ(error["error"]["message"].get<std::string>().substr(0, std::string_view(message).size()), message);
    }
    EXPECT_EQ(refused(with(R"(, "model": "claude")")).dump(),
              R"({"type":"error","error":{"type":"not_found_error","message":)"
              R"("model claude does not exist; there is storyteller, org/teller"},"request_id":null})");
}

TEST(Messages, NamesWhatItDoesNotRead) {
    const auto exchange = open(R"(, "grammar": "root ::= \"a\"", "json_schema": {"type": "null"}, "n": 2, "stop": ["x"],
        "response_format": {"type": "json_object"}, "top_a": 0.5)");
    const Json reply = reply_to(*exchange, {test::accepted_event(), test::chat_event({test::said("a")}), test::finished_event()});
    EXPECT_EQ(reply["hlg"]["ignored"], Json::array({"top_a", "grammar", "json_schema", "response_format", "n", "stop"}));
    EXPECT_EQ(test::header(exchange->reply(), "x-hlg-ignored"), "top_a, grammar, json_schema, response_format, n, stop");
}

TEST(Messages, Reply) {
    const auto exchange = open("");
    EXPECT_EQ(test::played(*exchange, {test::accepted_event(),
                                       test::chat_event({test::thought("Hm"), test::thought("."), test::said("Good")}),
                                       test::chat_event({test::said(" day")}), test::finished_event()}),
              "");
    const Reply reply = exchange->reply();
    EXPECT_EQ(reply.status, 200);
    EXPECT_TRUE(reply.headers.empty());
    EXPECT_EQ(test::normal(reply.body),
              std::string(R"({"id":"msg_ID","type":"message","role":"assistant","model":"storyteller","content":[)"
                          R"({"type":"thinking","thinking":"Hm.","signature":""},)"
                          R"({"type":"text","text":"Good day"}],"stop_reason":"end_turn","stop_sequence":null,)"
                          R"("stop_details":null,"container":null,"diagnostics":null,)") +
                  usage + more_usage + "," + in_force);
}

TEST(Messages, ReplyWithToolUse) {
    const auto exchange = open("");
    const Json reply = reply_to(*exchange, {test::accepted_event(), test::chat_event({test::called(0, "{\"a\"", "call_1", "f")}),
                                            test::chat_event({test::called(0, ":1}"), test::called(1, "{\"cut", "own2", "g")}),
                                            test::finished_event(Finish::tool_calls)});
    EXPECT_EQ(reply["content"].dump(),
              R"([{"type":"tool_use","id":"toolu_1","name":"f","input":{"a":1},"caller":{"type":"direct"}},)"
              R"({"type":"tool_use","id":"own2","name":"g","input":{},"caller":{"type":"direct"}}])");
    EXPECT_EQ(reply["stop_reason"], "tool_use");
}

TEST(Messages, StopReasons) {
    const auto stop = [](Finish finish, std::optional<std::string> string) {
        const auto exchange = open(R"(, "stop_sequences": ["END"])");
        const Json reply = reply_to(*exchange, {test::accepted_event(), test::finished_event(finish, std::move(string))});
        EXPECT_EQ(reply["content"], Json::array());
        return reply["stop_reason"].dump() + " " + reply["stop_sequence"].dump();
    };
    EXPECT_EQ(stop(Finish::stop, {}), R"("end_turn" null)");
    EXPECT_EQ(stop(Finish::stop, "END"), R"("stop_sequence" "END")");
    EXPECT_EQ(stop(Finish::stop, "<|template's own|>"), R"("end_turn" null)");
    EXPECT_EQ(stop(Finish::length, {}), R"("max_tokens" null)");
    EXPECT_EQ(stop(Finish::context, {}), R"("model_context_window_exceeded" null)");
    EXPECT_EQ(stop(Finish::tool_calls, {}), R"("tool_use" null)");
}

std::string frame(const std::string& type, const std::string& more = "") {
    return "event: " + type + "\ndata: {\"type\":\"" + type + "\"" + more + "}\n\n";
}

std::string start_frames() {
    return frame(
               "message_start",
               std::string(R"(,"message":{"id":"msg_ID","type":"message","role":"assistant","model":"storyteller","content":[],)"
                           R"("stop_reason":null,"stop_sequence":null,"stop_details":null,"container":null,"diagnostics":null,)"
                           R"("usage":{"input_tokens":10,"cache_creation_input_tokens":0,"cache_read_input_tokens":0,)"
                           R"("output_tokens":0,"output_tokens_details":null,"server_tool_use":null)") +
                   more_usage + "," + in_force) +
           frame("ping");
}

std::string end_frames(const std::string& reason) {
    return frame("message_delta", R"(,"delta":{"container":null,"stop_details":null,"stop_reason":")" + reason +
                                      R"(","stop_sequence":null},)" + usage + "}") +
           frame("message_stop");
}

std::string block_start(int index, const std::string& block) {
    return frame("content_block_start", ",\"index\":" + std::to_string(index) + ",\"content_block\":" + block);
}

std::string block_delta(int index, const std::string& delta) {
    return frame("content_block_delta", ",\"index\":" + std::to_string(index) + ",\"delta\":" + delta);
}

std::string block_stop(int index) { return frame("content_block_stop", ",\"index\":" + std::to_string(index)); }

TEST(Messages, Stream) {
    const auto exchange = open(R"(, "stream": true)");
    ASSERT_TRUE(exchange->streams());
    EXPECT_FALSE(exchange->begun());
    const std::string frames = test::played(
        *exchange, {test::accepted_event(), test::chat_event({test::thought("Hm")}),
                    test::chat_event({test::thought("."), test::said("Go"), test::said("od")}),
                    test::chat_event({test::called(0, "", "call_1", "f")}), test::chat_event({test::called(0, "{}")}),
                    test::chat_event({test::called(1, "{\"a\":1}", "call_2", "g")}), test::finished_event(Finish::tool_calls)});
    const std::string call = R"({"type":"tool_use","id":"toolu_1","name":"f","input":{},"caller":{"type":"direct"}})";
    const std::string other = R"({"type":"tool_use","id":"toolu_2","name":"g","input":{},"caller":{"type":"direct"}})";
    EXPECT_EQ(test::normal(frames),
              start_frames() + block_start(0, R"({"type":"thinking","thinking":"","signature":""})") +
                  block_delta(0, R"({"type":"thinking_delta","thinking":"Hm"})") +
                  block_delta(0, R"({"type":"thinking_delta","thinking":"."})") +
                  block_delta(0, R"({"type":"signature_delta","signature":""})") + block_stop(0) +
                  block_start(1, R"({"type":"text","text":""})") + block_delta(1, R"({"type":"text_delta","text":"Go"})") +
                  block_delta(1, R"({"type":"text_delta","text":"od"})") + block_stop(1) + block_start(2, call) +
                  block_delta(2, R"({"type":"input_json_delta","partial_json":"{}"})") + block_stop(2) + block_start(3, other) +
                  block_delta(3, R"({"type":"input_json_delta","partial_json":"{\"a\":1}"})") + block_stop(3) +
                  end_frames("tool_use"));
    EXPECT_EQ(exchange->head().content_type, "text/event-stream");
}

TEST(Messages, StreamOfNothing) {
    const auto exchange = open(R"(, "stream": true)");
    EXPECT_EQ(test::normal(test::played(*exchange, {test::accepted_event(), test::finished_event(Finish::length)})),
              start_frames() + end_frames("max_tokens"));
}

// Text after a call is a block of its own, and a call's late rest goes to the call.
TEST(Messages, PartsThatInterleave) {
    const auto exchange = open("");
    const Json reply =
        reply_to(*exchange, {test::accepted_event(), test::chat_event({test::said("a"), test::called(0, "{", "c", "f")}),
                             test::chat_event({test::said("b"), test::called(0, "}")}), test::finished_event()});
    ASSERT_EQ(reply["content"].size(), 3U);
    EXPECT_EQ(reply["content"][0]["text"], "a");
    EXPECT_EQ(reply["content"][1]["input"], Json::object());
    EXPECT_EQ(reply["content"][2]["text"], "b");
}

TEST(Messages, AnErrorBeforeTheBeginningIsAReply) {
    const auto exchange = open(R"(, "stream": true)");
    EXPECT_EQ(test::played(*exchange, {{0, engine::ErrorEvent{{engine::ErrorCode::prompt_too_long, "too long"}}}}), "");
    EXPECT_FALSE(exchange->begun());
    EXPECT_EQ(exchange->reply().status, 400);
    EXPECT_EQ(exchange->reply().body,
              R"({"type":"error","error":{"type":"invalid_request_error","message":"too long"},"request_id":null})");
}

TEST(Messages, AnErrorTellsTheRequestsId) {
    const auto exchange = open(R"(, "stream": true)");
    exchange->identify("req-7");
    test::played(*exchange, {{0, engine::ErrorEvent{{engine::ErrorCode::prompt_too_long, "too long"}}}});
    EXPECT_EQ(Json::parse(exchange->reply().body)["request_id"], "req-7");
    const auto begun = open(R"(, "stream": true)");
    begun->identify("req-8");
    const std::string late =
        test::played(*begun, {test::accepted_event(), {0, engine::ErrorEvent{{engine::ErrorCode::decode_failed, "it broke"}}}});
    EXPECT_NE(late.find(R"("request_id":"req-8")"), std::string::npos) << late;
}

TEST(Messages, ALateErrorIsAnEvent) {
    const auto exchange = open(R"(, "stream": true)");
    EXPECT_EQ(test::normal(test::played(*exchange, {test::accepted_event(),
                                                    {0, engine::ErrorEvent{{engine::ErrorCode::decode_failed, "it broke"}}},
                                                    test::finished_event()})),
              start_frames() + frame("error", R"(,"error":{"type":"api_error","message":"it broke"},"request_id":null)"));
    const auto stopping = open(R"(, "stream": true)");
    EXPECT_NE(test::played(*stopping, {test::accepted_event(), test::finished_event(Finish::cancelled)}).find("overloaded_error"),
              std::string::npos);
}

TEST(Messages, TellsWhatWasIgnored) {
    const auto exchange = open(R"(, "thinking": {"type": "enabled", "budget_tokens": 1024}, "mirostat": 2,
        "tools": [{"name": "f", "input_schema": {"type": "object", "minProperties": 1}}])");
    const Json reply = reply_to(*exchange, {test::accepted_event(), test::finished_event()});
    EXPECT_EQ(reply["hlg"]["ignored"].dump(), R"(["mirostat","thinking.budget_tokens"])");
    EXPECT_EQ(test::header(exchange->reply(), "x-hlg-ignored"), "mirostat, thinking.budget_tokens");
    EXPECT_EQ(test::header(exchange->reply(), "x-hlg-schema-ignored"), "minProperties");
}

TEST(Messages, CountsTokens) {
    const std::string count = "/v1/messages/count_tokens";
    const std::string body = R"({"messages": [{"role": "user", "content": "Hello"}]})";
    const auto exchange = test::open(count, body);
    const auto requests = exchange->requests();
    ASSERT_EQ(requests.size(), 1U);
    EXPECT_TRUE(std::holds_alternative<engine::CountRequest>(requests[0]));
    EXPECT_EQ(test::played(*exchange, {{0, engine::CountedEvent{12}}}), "");
    EXPECT_EQ(exchange->reply().body, R"({"input_tokens":12})");
    const Json refusal = Json::parse(test::reply_of(test::post(count, R"({"messages": []})")).body);
    EXPECT_EQ(refusal["error"]["message"], "messages must have at least one message");
    EXPECT_EQ(Json::parse(test::reply_of(test::post(count, R"({"model": "x"})")).body)["error"]["type"], "not_found_error");
}

}  // namespace
}  // namespace hlg::api
