// SPDX-License-Identifier: MIT
#include <cmath>

#include "api/events.hpp"

namespace hlg::api {
namespace {

using engine::Finish;
using engine::GenerateRequest;

constexpr const char* path = "/v1/responses";

std::unique_ptr<Exchange> open(const std::string& members) { return test::open(path, R"({"input": "Hello")" + members + "}"); }

GenerateRequest request_of(const std::string& members) {
    const auto exchange = open(members);
    return exchange ? std::get<GenerateRequest>(exchange->requests().at(0)) : GenerateRequest();
}

Json reply_to(Exchange& exchange, std::vector<engine::Event> events) {
    EXPECT_EQ(test::played(exchange, std::move(events)), "");
    return Json::parse(exchange.reply().body);
}

TEST(Responses, Asks) {
    const GenerateRequest plain = request_of("");
    EXPECT_EQ(std::get<engine::ChatRequest>(plain.prompt).messages, R"([{"role":"user","content":"Hello"}])");
    EXPECT_FALSE(plain.max_tokens || plain.log_probabilities);
    const GenerateRequest full = request_of(R"(, "model": "org/teller", "max_output_tokens": 5, "temperature": 0.5, "top_p": 0.9,
        "include": ["message.output_text.logprobs"], "top_logprobs": 2, "hlg": {"width": 2}, "stop": "x", "seed": 3)");
    EXPECT_EQ(full.max_tokens, 5U);
    EXPECT_EQ(full.sampling.temperature, 0.5);
    EXPECT_EQ(full.sampling.top_p, 0.9);
    EXPECT_EQ(full.log_probabilities, 2U);
    EXPECT_EQ(full.sampling.hlg.width, 2.0);
    EXPECT_EQ(full.sampling.seed, 3U);
    EXPECT_EQ(full.stop, std::vector<std::string>{"x"});
}

TEST(Responses, Refuses) {
    const Json error = Json::parse(test::reply_of(test::post(path, R"({"input": "x", "previous_response_id": "r"})")).body);
    EXPECT_EQ(error.dump(),
              R"({"error":{"message":"previous_response_id is not supported, for nothing is stored here: send the whole )"
              R"(conversation as input","type":"invalid_request_error","param":"previous_response_id","code":null}})");
    for (const char* body :
         {"{}", R"({"input": "x", "stream": 1})", R"({"input": "x", "stop": ""})", R"({"input": "x", "top_p": 2})"})
        EXPECT_EQ(test::reply_of(test::post(path, body)).status, 400) << body;
    EXPECT_EQ(test::reply_of(test::post(path, R"({"input": "x", "model": "gpt-5"})")).status, 404);
}

constexpr const char* after_output = R"("temperature":1.0,"top_p":1.0,)";
constexpr const char* told =
    R"("background":false,"instructions":null,"max_output_tokens":null,"max_tool_calls":null,"metadata":{},)"
    R"("parallel_tool_calls":true,"previous_response_id":null,"reasoning":{"effort":null,"summary":null},)"
    R"("service_tier":"default","store":false,"text":{"format":{"type":"text"},"verbosity":"medium"},)"
    R"("tool_choice":"auto","tools":[],"top_logprobs":0,"truncation":"disabled",)"
    R"("seed":7,"hlg":{"enabled":false,"ignored":[]}})";

std::string usage(int reasoning) {
    return R"("usage":{"input_tokens":10,"input_tokens_details":{"cached_tokens":4,"cache_write_tokens":0},"output_tokens":5,)"
           R"("output_tokens_details":{"reasoning_tokens":)" +
           std::to_string(reasoning) + R"(},"total_tokens":15},)";
}

std::string response(const std::string& status, const std::string& output, const std::string& usage = R"("usage":null,)",
                     const std::string& error = "null", const std::string& details = "null") {
    return R"({"id":"resp_ID","object":"response","created_at":0,"status":")" + status + R"(","completed_at":)" +
           (status == "completed" ? "10" : "null") + R"(,"error":)" + error + R"(,"incomplete_details":)" + details +
           R"(,"model":"storyteller","output":)" + output + "," + after_output + usage + told;
}

std::string list(const std::vector<std::string>& items) {
    std::string all;
    for (const std::string& item : items) all += (all.empty() ? "[" : ",") + item;
    return all + "]";
}

const std::string text_part = R"({"type":"output_text","annotations":[],"logprobs":[],"text":"Good day"})";
const std::string thought_part = R"({"type":"reasoning_text","text":"Hm."})";

std::string message(const std::string& status, const std::string& parts) {
    return R"({"id":"msg_ID","type":"message","status":")" + status + R"(","role":"assistant","content":[)" + parts + "]}";
}

std::string reasoning(const std::string& status, const std::string& parts) {
    return R"({"id":"rs_ID","type":"reasoning","status":")" + status + R"(","summary":[],"content":[)" + parts + "]}";
}

std::string call(const std::string& status, const std::string& arguments, const std::string& id = "call_1") {
    return R"({"id":"fc_ID","type":"function_call","status":")" + status + R"(","arguments":")" + arguments + R"(","call_id":")" +
           id + R"(","name":"f"})";
}

std::vector<engine::Event> thought_and_said(Finish finish) {
    return {test::accepted_event(),
            test::chat_event({test::thought("Hm")}, {{.token = 1}, {.token = 2}}),
            test::chat_event({}, {{.token = 3}}),
            test::chat_event({test::thought("."), test::said("Good")}, {{.token = 4}}),
            test::chat_event({test::said(" day")}, {{.token = 5}}),
            test::finished_event(finish)};
}

TEST(Responses, Reply) {
    const auto exchange = open("");
    EXPECT_EQ(test::played(*exchange, thought_and_said(Finish::stop)), "");
    EXPECT_EQ(exchange->reply().status, 200);
    EXPECT_EQ(test::normal(exchange->reply().body),
              response("completed", list({reasoning("completed", thought_part), message("completed", text_part)}), usage(4)));
}

TEST(Responses, IncompleteReplies) {
    for (const Finish finish : {Finish::length, Finish::context}) {
        const auto exchange = open("");
        EXPECT_EQ(test::played(*exchange, thought_and_said(finish)), "");
        EXPECT_EQ(test::normal(exchange->reply().body),
                  response("incomplete", list({reasoning("completed", thought_part), message("incomplete", text_part)}), usage(4),
                           "null", R"({"reason":"max_output_tokens"})"));
    }
}

TEST(Responses, RepliesWithCallsAndWithNothing) {
    const auto exchange = open("");
    const Json reply =
        reply_to(*exchange, {test::accepted_event(), test::chat_event({test::called(0, "{\"a\"", "call_1", "f")}),
                             test::chat_event({test::called(0, ":1}")}), test::finished_event(Finish::tool_calls)});
    EXPECT_EQ(reply["status"], "completed");
    EXPECT_EQ(test::normal(reply["output"].dump()), list({call("completed", R"({\"a\":1})")}));
    const auto silent = open("");
    EXPECT_EQ(reply_to(*silent, {test::accepted_event(), test::finished_event()})["output"][0]["content"][0]["text"], "");
}

/** Numbers the frames. */
class Frames {
public:
    Frames& add(const std::string& type, const std::string& more) {
        text_ += "event: response." + type + "\ndata: {\"type\":\"response." + type +
                 "\",\"sequence_number\":" + std::to_string(count_++) + "," + more + "}\n\n";
        return *this;
    }
    Frames& add(const std::string& type, const std::string& id, int index, const std::string& more, bool content = true) {
        return add(type, "\"item_id\":\"" + id + "_ID\",\"output_index\":" + std::to_string(index) +
                             (content ? ",\"content_index\":0" : "") + "," + more);
    }
    Frames& item(const std::string& type, int index, const std::string& item) {
        return add("output_item." + type, "\"output_index\":" + std::to_string(index) + ",\"item\":" + item);
    }
    Frames& start() {
        const std::string begun = "\"response\":" + response("in_progress", "[]");
        return add("created", begun).add("in_progress", begun);
    }
    [[nodiscard]] const std::string& text() const { return text_; }

private:
    std::string text_;
    int count_ = 0;
};

TEST(Responses, Stream) {
    const auto exchange = open(R"(, "stream": true)");
    ASSERT_TRUE(exchange->streams());
    const std::string frames = test::normal(test::played(*exchange, thought_and_said(Finish::length)));
    const std::string empty_text = R"("part":{"type":"output_text","annotations":[],"logprobs":[],"text":""})";
    const std::string items = list({reasoning("completed", thought_part), message("incomplete", text_part)});
    Frames expected;
    expected.start()
        .item("added", 0, reasoning("in_progress", ""))
        .add("content_part.added", "rs", 0, R"("part":{"type":"reasoning_text","text":""})")
        .add("reasoning_text.delta", "rs", 0, R"("delta":"Hm")")
        .add("reasoning_text.delta", "rs", 0, R"("delta":".")")
        .add("reasoning_text.done", "rs", 0, R"("text":"Hm.")")
        .add("content_part.done", "rs", 0, "\"part\":" + thought_part)
        .item("done", 0, reasoning("completed", thought_part))
        .item("added", 1, message("in_progress", ""))
        .add("content_part.added", "msg", 1, empty_text)
        .add("output_text.delta", "msg", 1, R"("delta":"Good","logprobs":[])")
        .add("output_text.delta", "msg", 1, R"("delta":" day","logprobs":[])")
        .add("output_text.done", "msg", 1, R"("text":"Good day","logprobs":[])")
        .add("content_part.done", "msg", 1, "\"part\":" + text_part)
        .item("done", 1, message("incomplete", text_part))
        .add("incomplete",
             "\"response\":" + response("incomplete", items, usage(4), "null", R"({"reason":"max_output_tokens"})"));
    EXPECT_EQ(frames, expected.text());
}

TEST(Responses, StreamOfCalls) {
    const auto exchange = open(R"(, "stream": true)");
    const std::string frames = test::normal(test::played(
        *exchange, {test::accepted_event(), test::chat_event({test::called(0, "", "call_1", "f")}),
                    test::chat_event({test::called(0, "{}"), test::called(1, "1", "call_2", "f")}), test::finished_event()}));
    Frames expected;
    expected.start()
        .item("added", 0, call("in_progress", ""))
        .add("function_call_arguments.delta", "fc", 0, R"("delta":"{}")", false)
        .add("function_call_arguments.done", "fc", 0, R"("name":"f","arguments":"{}")", false)
        .item("done", 0, call("completed", "{}"))
        .item("added", 1, call("in_progress", "", "call_2"))
        .add("function_call_arguments.delta", "fc", 1, R"("delta":"1")", false)
        .add("function_call_arguments.done", "fc", 1, R"("name":"f","arguments":"1")", false)
        .item("done", 1, call("completed", "1", "call_2"))
        .add("completed", "\"response\":" +
                              response("completed", list({call("completed", "{}"), call("completed", "1", "call_2")}), usage(0)));
    EXPECT_EQ(frames, expected.text());
}

TEST(Responses, IdsStayTheSameThroughAStream) {
    const auto exchange = open(R"(, "stream": true)");
    const auto events = test::named_events(test::played(*exchange, thought_and_said(Finish::stop)));
    EXPECT_EQ(events.front()["response"]["id"], events.back()["response"]["id"]);
    const Json& output = events.back()["response"]["output"];
    EXPECT_NE(output[0]["id"], output[1]["id"]);
    for (const Json& event : events) {
        if (!event.contains("output_index")) continue;
        const std::string id = output[event["output_index"].get<std::size_t>()]["id"];
        EXPECT_EQ(event.value("item_id", id), id);
        EXPECT_EQ(event.value("item", Json::object()).value("id", id), id);
    }
}

TEST(Responses, AFailureEndsTheStream) {
    const auto exchange = open(R"(, "stream": true)");
    const std::string frames =
        test::normal(test::played(*exchange, {test::accepted_event(),
                                              test::chat_event({test::said("Good day")}),
                                              {0, engine::ErrorEvent{{engine::ErrorCode::decode_failed, "it broke"}}}}));
    Frames expected;
    expected.start()
        .item("added", 0, message("in_progress", ""))
        .add("content_part.added", "msg", 0, R"("part":{"type":"output_text","annotations":[],"logprobs":[],"text":""})")
        .add("output_text.delta", "msg", 0, R"("delta":"Good day","logprobs":[])")
        .add("failed", "\"response\":" + response("failed", list({message("incomplete", text_part)}), R"("usage":null,)",
                                                  R"({"code":"server_error","message":"it broke"})"));
    EXPECT_EQ(frames, expected.text());
    const auto early = open(R"(, "stream": true)");
    EXPECT_EQ(test::played(*early, {{0, engine::ErrorEvent{{engine::ErrorCode::too_busy, "busy"}}}}), "");
    EXPECT_EQ(early->reply().status, 429);
    const auto banned = open(R"(, "stream": true)");
    const std::string refused = test::played(
        *banned, {test::accepted_event(), {0, engine::ErrorEvent{{engine::ErrorCode::bad_request, "no token is left to draw"}}}});
    EXPECT_NE(refused.find(R"("error":{"code":"invalid_prompt","message":"logit_bias: no token is left to draw"})"),
              std::string::npos);
}

TEST(Responses, LogProbabilities) {
    const auto events_of = [](float value) {
        const engine::GeneratedToken token{.token = 300, .bytes = "Go", .log_probability = value, .highest = {{1, -INFINITY}}};
        return std::vector<engine::Event>{test::accepted_event(), test::chat_event({}, {token}),
                                          test::chat_event({test::said("GoGo")}, {token}), test::finished_event()};
    };
    const std::string include = R"(, "include": ["message.output_text.logprobs"], "top_logprobs": 1)";
    const auto exchange = open(include);
    const Json scores = reply_to(*exchange, events_of(-0.5F))["output"][0]["content"][0]["logprobs"];
    ASSERT_EQ(scores.size(), 2U);
    EXPECT_EQ(scores[0]["token"], "Go");
    EXPECT_EQ(scores[0]["logprob"], -0.5);
    EXPECT_EQ(scores[0]["bytes"].dump(), "[71,111]");
    EXPECT_EQ(scores[0]["top_logprobs"][0]["logprob"], -9999.0);
    const auto streamed = open(include + R"(, "stream": true)");
    int told = 0;
    for (const Json& event : test::named_events(test::played(*streamed, events_of(-0.5F)))) {
        EXPECT_EQ(event.value("logprobs", scores), scores) << event;
        told += event.contains("logprobs") ? 1 : 0;
        if (event["type"] != "response.content_part.done") continue;
        EXPECT_EQ(event["part"]["logprobs"], scores);
    }
    EXPECT_EQ(told, 2);
}

TEST(Responses, TellsWhatWasIgnored) {
    const auto exchange = open(R"(, "truncation": "auto", "xtc_probability": 0.5)");
    EXPECT_EQ(reply_to(*exchange, {test::accepted_event(), test::finished_event()})["hlg"]["ignored"].dump(),
              R"(["xtc_probability","truncation"])");
    EXPECT_EQ(test::header(exchange->reply(), "x-hlg-ignored"), "xtc_probability, truncation");
}

}  // namespace
}  // namespace hlg::api
