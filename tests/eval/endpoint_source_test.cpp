// SPDX-License-Identifier: MIT
//
// The client of OpenAI's completions: against our own server on the demo model, and against what other servers are known to say.
#include "eval/endpoint_source.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

#include "engine/chat_templates.hpp"
#include "engine/demo_engine.hpp"
#include "eval/engine_source.hpp"
#include "net/engine_backend.hpp"
#include "net/server.hpp"

namespace hlg::eval {
namespace {

class DemoServer {
public:
    explicit DemoServer(net::ServerOptions options = {}, std::size_t most_requests = 512) {
        options.port = 0;
        server_.emplace(std::move(options), log_);
        server_->serve(net::engine_backend(engine::demo_engine({.context = {.lanes = 2},
                                                                .chat_template = engine::test::hermes,
                                                                .reproducible = true,
                                                                .most_requests = most_requests}),
                                           {}));
    }
    [[nodiscard]] std::string url() const { return "http://127.0.0.1:" + std::to_string(server_->port()); }

private:
    net::AccessLog log_{net::LogFormat::none};
    std::optional<net::Server> server_;
};

std::vector<TextJob> stories(std::size_t n) {
    std::vector<TextJob> jobs;
    for (std::size_t i = 0; i < n; ++i) {
        TextJob job{.prompt = "Once upon a time", .max_tokens = 5 + i % 7, .ignore_end = true, .log_probabilities = true};
        job.sampling.seed = i;
        job.sampling.temperature = 1.1;
        job.sampling.hlg.preset = "balanced";
        jobs.push_back(std::move(job));
    }
    return jobs;
}

TEST(EndpointSource, WritesWhatTheModelItselfWrites) {
    const DemoServer server;
    EndpointSource endpoint({.url = server.url() + "/v1/", .concurrency = 4});
    EXPECT_EQ(endpoint.facts().id, "storyteller");
    EXPECT_EQ(endpoint.facts().vocabulary, 4096U);
    EXPECT_TRUE(endpoint.facts().knows_hlg);
    EngineSource model(engine::demo_engine({.context = {.lanes = 2}, .reproducible = true}), "storyteller");
    const std::vector<TextJob> jobs = stories(20);
    const std::vector<WrittenText> there = write_all(endpoint, jobs);
    const std::vector<WrittenText> here = write_all(model, jobs);
    for (std::size_t i = 0; i < jobs.size(); ++i) {
        EXPECT_EQ(there[i].text, here[i].text) << i;
        EXPECT_EQ(there[i].generated_tokens, here[i].generated_tokens);
        EXPECT_EQ(there[i].finish, here[i].finish);
        ASSERT_EQ(there[i].tokens.size(), here[i].tokens.size());
        for (std::size_t t = 0; t < here[i].tokens.size(); ++t)
            EXPECT_NEAR(there[i].tokens[t].log_probability, here[i].tokens[t].log_probability, 1e-4);
    }
}

TEST(EndpointSource, ChatsAndTools) {
    const DemoServer server;
    EndpointSource endpoint({.url = server.url()});
    TextJob chat{.prompt = engine::ChatRequest{.messages = R"([{"role": "user", "content": "Tell me of the fox."}])"},
                 .max_tokens = 8};
    chat.log_probabilities = true;
    chat.ignore_end = true;
    TextJob call{.prompt = engine::ChatRequest{.messages = R"([{"role": "user", "content": "Weather?"}])",
                                               .tools = R"([{"type": "function", "function": {"name": "weather", "parameters":
                                                   {"type": "object", "properties": {"wet": {"type": "boolean"}},
                                                    "required": ["wet"], "additionalProperties": false}}}])",
                                               .tool_choice = {engine::ToolChoice::Kind::function, "weather"},
                                               .parallel_tool_calls = false}};
    call.max_tokens = 300;
    call.sampling.seed = 3;
    const std::vector<WrittenText> texts = write_all(endpoint, std::vector{chat, call});
    EXPECT_FALSE(texts[0].text.empty());
    EXPECT_EQ(texts[0].tokens.size(), 8U);
    ASSERT_EQ(texts[1].tool_calls.size(), 1U) << texts[1].text << texts[1].finish << texts[1].error;
    EXPECT_EQ(texts[1].tool_calls[0].name, "weather");
}

TEST(EndpointSource, TriesAgainWhereTheServerIsBusy) {
    const DemoServer server({}, 1);  // one request at a time, the others are refused with 429
    EndpointSource endpoint({.url = server.url(), .concurrency = 3, .pause = std::chrono::milliseconds(20), .retries = 100});
    for (const WrittenText& text : write_all(endpoint, stories(4))) EXPECT_EQ(text.finish, "length");
    EndpointSource impatient({.url = server.url(), .concurrency = 8, .retries = 0});
    std::vector<TextJob> jobs = stories(8);
    for (TextJob& job : jobs) job.max_tokens = 400;
    EXPECT_THROW(write_all(impatient, jobs), std::runtime_error);
}

TEST(EndpointSource, SaysWhatIsWrong) {
    const auto message_of = [](const EndpointOptions& options) -> std::string {
        try {
            EndpointSource source(options);
        } catch (const std::runtime_error& error) {
            return error.what();
        }
        return "no error";
    };
    net::ServerOptions locked;
    locked.api_keys = {"sesame"};
    const DemoServer server(locked);
    EXPECT_NE(message_of({.url = server.url()}).find("401"), std::string::npos) << message_of({.url = server.url()});
    EXPECT_EQ(message_of({.url = server.url(), .key = "sesame"}), "no error");
    EXPECT_NE(message_of({.url = server.url(), .key = "sesame", .model = "gpt"}).find("has no model gpt, only storyteller"),
              std::string::npos);
    EXPECT_NE(message_of({.url = "localhost:1"}).find("http://"), std::string::npos);
    EXPECT_NE(message_of({.url = "http://127.0.0.1:1"}).find("onnect"), std::string::npos);
    EndpointSource source({.url = server.url(), .key = "sesame"});
    std::vector<TextJob> jobs = stories(2);
    jobs[0].sampling.temperature = -1.0;
    const std::vector<WrittenText> texts = write_all(source, jobs);
    EXPECT_EQ(texts[0].finish, "error");
    EXPECT_NE(texts[0].error.find("temperature"), std::string::npos) << texts[0].error;
    EXPECT_EQ(texts[1].finish, "length");
}

TEST(EndpointSource, StopsWhenTold) {
    const DemoServer server;
    EndpointSource endpoint({.url = server.url()});
    std::vector<TextJob> jobs = stories(1);
    jobs[0].max_tokens = 400;
    EXPECT_THROW(endpoint.write(
                     jobs, [](std::size_t, const WrittenText&) {}, [](double) { return false; }),
                 Stopped);
}

TEST(EndpointJson, ABodyForAnyServerHasNothingThatWasNotAskedFor) {
    TextJob job{.prompt = "x", .max_tokens = 3};
    EXPECT_EQ(endpoint_body(job, "m").dump(), R"({"model":"m","max_tokens":3,"prompt":"x"})");
    job.sampling = {.temperature = 0.5, .top_p = 0.9, .seed = 7};
    job.sampling.hlg = {.enabled = true, .preset = "bold", .width = off};
    job.stop = {"\n"};
    EXPECT_EQ(endpoint_body(job, "m").dump(),
              R"({"model":"m","max_tokens":3,"temperature":0.5,"top_p":0.9,"seed":7,)"
              R"("hlg":{"enabled":true,"preset":"bold","width":"off"},"stop":["\n"],"prompt":"x"})");
}

TEST(EndpointJson, ReadsWhatOtherServersAnswer) {
    // As vLLM answers completions with logprobs.
    const WrittenText legacy = endpoint_text(
        R"({"choices":[{"index":0,"text":" a b","logprobs":{"tokens":[" a"," b"],"token_logprobs":[-0.5,-1.25],"top_logprobs":[null]},
            "finish_reason":"length"}],"usage":{"prompt_tokens":1,"completion_tokens":2}})");
    EXPECT_EQ(legacy.text, " a b");
    ASSERT_EQ(legacy.tokens.size(), 2U);
    EXPECT_FLOAT_EQ(legacy.tokens[1].log_probability, -1.25F);
    EXPECT_EQ(legacy.generated_tokens, 2U);
    // As llama-server does: the chat's spelling for both.
    const WrittenText content = endpoint_text(
        R"({"choices":[{"text":" a","logprobs":{"content":[{"token":" a","logprob":-0.5,"bytes":[32,97]}]},"finish_reason":"stop"}]})");
    ASSERT_EQ(content.tokens.size(), 1U);
    EXPECT_FLOAT_EQ(content.tokens[0].log_probability, -0.5F);
    const WrittenText chat = endpoint_text(
        R"({"choices":[{"message":{"role":"assistant","content":null,"tool_calls":[{"id":"c","type":"function",
            "function":{"name":"f","arguments":"{}"}}]},"logprobs":null,"finish_reason":"tool_calls"}],"usage":null})");
    EXPECT_EQ(chat.text, "");
    ASSERT_EQ(chat.tool_calls.size(), 1U);
    EXPECT_EQ(chat.tool_calls[0].arguments, "{}");
    EXPECT_THROW(endpoint_text("<html>"), std::runtime_error);
    EXPECT_THROW(endpoint_text(R"({"choices":[]})"), std::runtime_error);
}

}  // namespace
}  // namespace hlg::eval
