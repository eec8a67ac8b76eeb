// SPDX-License-Identifier: MIT
//
// Anthropic's messages answered by the demo model.
#include "api/events.hpp"

namespace hlg::api {
namespace {

constexpr const char* path = "/v1/messages";

std::string with(const std::string& members) {
    return R"({"messages": [{"role": "user", "content": "Hello"}], "max_tokens": 250, )" + members + "}";
}

/** The message that a client puts together from a stream. */
Json assembled(const std::vector<Json>& events) {
    Json message;
    std::vector<std::string> inputs;
    for (const Json& event : events) {
        const std::string type = event["type"];
        if (type == "message_start") message = event["message"];
        if (type == "content_block_start") {
            EXPECT_EQ(event["index"], message["content"].size());
            message["content"].push_back(event["content_block"]);
            inputs.emplace_back();
        }
        if (type == "content_block_delta") {
            const std::size_t index = event["index"];
            Json& block = message["content"][index];
            for (const auto& [name, value] : event["delta"].items()) {
                if (name == "partial_json") inputs[index] += value.get<std::string>();
                if (name == "text" || name == "thinking" || name == "signature")
                    block[name] = block[name].get<std::string>() + value.get<std::string>();
            }
        }
        if (type == "message_delta") {
            message.update(event["delta"]);
            message["usage"].update(event["usage"]);
        }
    }
    for (std::size_t i = 0; i < inputs.size(); ++i)
        if (!inputs[i].empty()) message["content"][i]["input"] = Json::parse(inputs[i]);
    return message;
}

/** What two answers to one request have in common, whoever came first. */
std::string essence(Json message) {
    for (const char* name : {"id", "usage"}) message.erase(name);
    for (Json& block : message["content"]) block.erase("id");
    return nlohmann::json(message).dump();
}

TEST(MessagesEngine, AStreamIsTheReplyInPieces) {
    const Json whole = test::answer(path, with(R"("seed": 5, "hlg": true)"));
    EXPECT_FALSE(whole["content"][0]["text"].get<std::string>().empty());
    EXPECT_EQ(whole["seed"], 5);
    EXPECT_EQ(whole["hlg"]["enabled"], true);
    const auto events = test::stream_events(path, with(R"("seed": 5, "hlg": true, "stream": true)"));
    const Json streamed = assembled(events);
    EXPECT_EQ(essence(streamed), essence(whole));
    const Json counted = test::answer("/v1/messages/count_tokens", with(R"("seed": 5)"));
    EXPECT_EQ(events[0]["message"]["usage"]["input_tokens"], counted["input_tokens"]);
    for (const Json& one : {whole, streamed})
        EXPECT_EQ(one["usage"]["input_tokens"].get<int>() + one["usage"]["cache_read_input_tokens"].get<int>(),
                  counted["input_tokens"]);
}

TEST(MessagesEngine, ASchemaAndAStopSequence) {
    const std::string forced =
        R"("output_config": {"format": {"type": "json_schema", "schema": {"const": "Grüße 😀 STOP more"}}})";
    const Json whole = test::answer(path, with(forced));
    EXPECT_EQ(whole["content"][0]["text"], R"("Grüße 😀 STOP more")");
    EXPECT_EQ(whole["stop_reason"], "end_turn");
    const std::string stopped = forced + R"(, "stop_sequences": ["never", "STOP"])";
    for (const Json& one :
         {test::answer(path, with(stopped)), assembled(test::stream_events(path, with(stopped + R"(, "stream": true)")))}) {
        EXPECT_EQ(one["content"][0]["text"], "\"Grüße 😀 ");
        EXPECT_EQ(one["stop_reason"], "stop_sequence");
        EXPECT_EQ(one["stop_sequence"], "STOP");
    }
}

// The tool's name is forced by the choice, its input by the schema.
TEST(MessagesEngine, TheNamedToolIsUsed) {
    const std::string tools =
        R"("seed": 3, "tools": [{"name": "other", "input_schema": {"type": "object"}}, {"name": "get_weather",
        "input_schema": {"type": "object", "properties": {"city": {"const": "Zürich"}}, "required": ["city"]}}],
        "tool_choice": {"type": "tool", "name": "get_weather", "disable_parallel_tool_use": true})";
    const Json whole = test::answer(path, with(tools));
    ASSERT_EQ(whole["content"].size(), 1U) << whole;
    EXPECT_EQ(whole["content"][0]["name"], "get_weather");
    EXPECT_EQ(whole["content"][0]["input"].dump(), R"({"city":"Zürich"})");
    EXPECT_EQ(whole["content"][0]["id"].get<std::string>().substr(0, 6), "toolu_");
    EXPECT_EQ(whole["stop_reason"], "tool_use");
    EXPECT_EQ(essence(assembled(test::stream_events(path, with(tools + R"(, "stream": true)")))), essence(whole));
}

// The last message of the assistant is the beginning of the answer, which is told without it.
TEST(MessagesEngine, AnAnswerIsContinued) {
    const auto body = [](const std::string& last) {
        return R"({"max_tokens": 60, "output_config": {"format": {"type": "json_schema", "schema": {"const": "the king"}}},
            "messages": [{"role": "user", "content": "Hello"}, {"role": ")" +
               last + "}]}";
    };
    EXPECT_EQ(test::answer(path, body(R"(user", "content": "Who?")"))["content"][0]["text"], "\"the king\"");
    EXPECT_EQ(test::answer(path, body(R"(assistant", "content": "\"the")"))["content"][0]["text"], " king\"");
}

TEST(MessagesEngine, ThinkingIsAskedFor) {
    const auto tokens = [](const std::string& thinking) {
        return test::answer("/v1/messages/count_tokens", with("\"thinking\": " + thinking))["input_tokens"].get<int>();
    };
    EXPECT_EQ(tokens("null"), tokens(R"({"type": "disabled"})"));
    EXPECT_GT(tokens("null"), tokens(R"({"type": "enabled"})"));  // the template closes the thinking that there is none of
}

TEST(MessagesEngine, AFullContextIsToldAsSuch) {
    const std::string body = R"({"messages": [{"role": "user", "content": "Hello"}], "max_tokens": 100000, "logit_bias": )";
    const auto end = test::shared_engine().model().end_tokens();
    std::string bias = "{";
    for (const engine::Token token : end) bias += (bias.size() > 1 ? ", \"" : "\"") + std::to_string(token) + "\": -100";
    const Json reply = test::answer(path, body + bias + "}}");
    EXPECT_EQ(reply["stop_reason"], "model_context_window_exceeded");
    EXPECT_EQ(reply["usage"]["output_tokens"].get<int>() + reply["usage"]["input_tokens"].get<int>() +
                  reply["usage"]["cache_read_input_tokens"].get<int>(),
              513);  // the last token needs no place
}

TEST(MessagesEngine, APromptTooLongIsRefusedWithBothNumbers) {
    std::string words;
    for (int i = 0; i < 600; ++i) words += " word";
    const auto exchange =
        test::open(path, R"({"max_tokens": 5, "stream": true, "messages": [{"role": "user", "content": ")" + words + "\"}]}");
    EXPECT_EQ(test::run(*exchange), "");
    const Reply reply = exchange->reply();
    EXPECT_EQ(reply.status, 400);
    EXPECT_NE(reply.body.find("512"), std::string::npos) << reply.body;
}

TEST(MessagesEngine, AnAnswerThatCantBeIsTheRequestsFault) {
    const Json error = test::answer(path, with(R"("output_config": {"format": {"type": "json_schema",
        "schema": {"type": "integer", "minimum": 5, "maximum": 3}}})"),
                                    400)["error"];
    EXPECT_EQ(error["message"], "output_config.format: the grammar matches nothing");
    EXPECT_EQ(error["type"], "invalid_request_error");
}

}  // namespace
}  // namespace hlg::api
