// SPDX-License-Identifier: MIT
//
// Everything together: sockets, the api, the engine, the demo model.
#include <gtest/gtest.h>

#include <thread>
#include <vector>

#include <nlohmann/json.hpp>

#include "engine/demo_engine.hpp"
#include "net/engine_backend.hpp"
#include "net/http_client.hpp"
#include "net/server.hpp"

namespace hlg::net {
namespace {

using namespace std::chrono_literals;
using Json = nlohmann::json;

const std::string chats = "/v1/chat/completions";

/** A server over an engine of its own. */
struct DemoServer {
    explicit DemoServer(std::size_t lanes = 4, std::size_t most_requests = 512, ServerOptions options = {}) {
        std::unique_ptr<engine::Engine> made = engine::demo_engine({.context = {.lanes = lanes}, .most_requests = most_requests});
        engine = made.get();
        backend = engine_backend(std::move(made), {});
        options.port = 0;
        server.emplace(std::move(options), log);
        server->serve(backend);
    }

    [[nodiscard]] std::uint16_t port() const { return server->port(); }

    /** Whether so many choices run and none waits, looking for so long. */
    bool runs_within(std::size_t running, std::chrono::milliseconds time) const {
        const auto until = std::chrono::steady_clock::now() + time;
        do {
            const engine::EngineStatistics now = engine->statistics();
            if (now.running == running && now.waiting + now.preparing == 0) return true;
            std::this_thread::sleep_for(1ms);
        } while (std::chrono::steady_clock::now() < until);
        return false;
    }

    AccessLog log{LogFormat::none};
    engine::Engine* engine = nullptr;
    std::shared_ptr<Backend> backend;
    std::optional<Server> server;
};

std::string chat(std::size_t tokens, bool stream, std::uint64_t seed = 7) {
    return Json{{"messages", {{{"role", "user"}, {"content", "Once upon a time"}}}},
                {"max_tokens", tokens},
                {"seed", seed},
                {"stream", stream},
                {"logit_bias", {{"0", -100}}}}
        .dump();
}

/** A stream's text, put together again. */
std::string text_of(const std::string& stream) {
    std::string text;
    for (std::size_t at = 0; (at = stream.find("data: {", at)) != std::string::npos;) {
        at += 6;
        const Json chunk = Json::parse(stream.substr(at, stream.find('\n', at) - at));
        for (const Json& choice : chunk["choices"]) text += choice["delta"].value("content", "");
    }
    return text;
}

/** A stream that goes on until somebody stops it; its first token is there. */
void run(HttpClient& client) {
    client.ask("POST", chats, chat(100'000, true));
    client.read_until("\"content\":");
}

/** One like it that is accepted, and waits for a lane. */
void queue(HttpClient& client) {
    client.ask("POST", chats, chat(100'000, true));
    EXPECT_EQ(client.head().status, 200);
}

TEST(Serving, AStreamSaysWhatAWholeAnswerSays) {
    DemoServer server;
    const Json whole = Json::parse(ask(server.port(), "POST", chats, chat(40, false)).body);
    const Response stream = ask(server.port(), "POST", chats, chat(40, true));
    EXPECT_EQ(stream.headers.at("content-type"), "text/event-stream");
    EXPECT_EQ(text_of(stream.body), whole["choices"][0]["message"]["content"]);
    EXPECT_TRUE(stream.body.ends_with("data: [DONE]\n\n"));
}

TEST(Serving, ErrorsHaveTheVendorsShape) {
    DemoServer server;
    const Response response = ask(server.port(), "POST", chats, R"({"messages": [], "stream": true})");
    EXPECT_EQ(response.status, 400);
    EXPECT_EQ(Json::parse(response.body)["error"]["param"], "messages");
    std::string longer(4000, 'x');
    for (std::size_t i = 0; i < longer.size(); i += 2) longer[i] = ' ';
    const Json body{{"messages", {{{"role", "user"}, {"content", longer}}}}, {"stream", true}};
    EXPECT_EQ(ask(server.port(), "POST", chats, body.dump()).status, 400);
    EXPECT_EQ(ask(server.port(), "GET", "/v1/models/a%2Fb").status, 404);
    EXPECT_EQ(ask(server.port(), "GET", "/health").status, 200);
    const std::string counts = ask(server.port(), "GET", "/metrics").body;  // nothing of all that has run
    EXPECT_NE(counts.find("finished_reason=\"error\"} 0\n"), std::string::npos) << counts;
}

TEST(Serving, EndpointsTellTheirMethods) {
    DemoServer server;
    for (const std::string method : {"GET", "TRACE"})
        EXPECT_EQ(ask(server.port(), method, chats).headers.at("allow"), "POST, OPTIONS") << method;
    EXPECT_EQ(ask(server.port(), "POST", "/v1/models").headers.at("allow"), "GET, HEAD, OPTIONS");
    EXPECT_EQ(ask(server.port(), "OPTIONS", chats).headers.at("allow"), "POST, OPTIONS");
    EXPECT_EQ(ask(server.port(), "OPTIONS", "/v1/models/x").headers.at("allow"), "GET, HEAD, OPTIONS");
}

TEST(Serving, ALaneIsFreeSoonAfterItsClientHasGone) {
    DemoServer server(2);
    for (int round = 0; round < 10; ++round) {
        HttpClient client(server.port());
        client.ask("POST", chats, chat(100'000, true, static_cast<std::uint64_t>(round)));
        client.read_until("\"content\":");
        client.read_until("\"content\":");
        round % 2 == 0 ? client.close() : client.reset();
        EXPECT_TRUE(server.runs_within(0, 50ms)) << round;
    }
    const std::string counts = ask(server.port(), "GET", "/metrics").body;
    EXPECT_NE(counts.find("finished_reason=\"abort\"} 10\n"), std::string::npos) << counts;
}

TEST(Serving, WhatWaitsForALaneIsDroppedToo) {
    DemoServer server(1);
    HttpClient running(server.port());
    run(running);
    {
        HttpClient waiting(server.port());
        waiting.ask("POST", chats, chat(100'000, false));
        HttpClient streaming(server.port());
        queue(streaming);
    }
    EXPECT_TRUE(server.runs_within(1, 50ms));
}

TEST(Serving, MoreThanMayWaitAreToldToComeBack) {
    DemoServer server(1, 2);
    HttpClient running(server.port());
    run(running);
    HttpClient waiting(server.port());
    queue(waiting);
    const Response refused = ask(server.port(), "POST", chats, chat(10, true));
    EXPECT_EQ(refused.status, 429);
    EXPECT_EQ(refused.headers.count("retry-after"), 1U);
    running.close();
    EXPECT_TRUE(server.runs_within(1, 5s));
    EXPECT_EQ(ask(server.port(), "POST", chats, chat(2, false)).status, 200);
}

// One client that does not read holds its lane's events, and one lane at most; all others get all of theirs.
TEST(Serving, SlowClientsAmongManyOthers) {
    ServerOptions options;
    options.send_buffer = 4096;
    DemoServer server(4, 512, options);
    HttpClient slow(server.port(), 2048);
    slow.ask("POST", chats, chat(100'000, true));
    const std::string expected = text_of(ask(server.port(), "POST", chats, chat(60, true, 3)).body);
    std::vector<std::thread> clients;
    clients.reserve(16);
    std::atomic<int> right = 0;
    for (int i = 0; i < 16; ++i) {
        clients.emplace_back([&, i] {
            const Response response = ask(server.port(), "POST", chats, chat(60, i % 2 == 0, 3));
            const std::string text = i % 2 == 0
                                         ? text_of(response.body)
                                         : Json::parse(response.body)["choices"][0]["message"]["content"].get<std::string>();
            if (text == expected) ++right;
        });
    }
    for (std::thread& client : clients) client.join();
    EXPECT_EQ(right, 16);
    const Response rest = slow.answer();
    EXPECT_TRUE(rest.body.ends_with("data: [DONE]\n\n"));
}

TEST(Serving, DrainingCutsWithATerminalEvent) {
    ServerOptions options;
    options.limits.drain = 30ms;
    DemoServer server(1, 512, options);
    HttpClient running(server.port());
    run(running);
    HttpClient waiting(server.port());
    queue(waiting);
    server.server->drain();
    // The engine may come to the end of its context first; the stream ends as it should in either case.
    EXPECT_NE(running.read_until("0\r\n\r\n").find("data: "), std::string::npos);
    EXPECT_NE(waiting.read_until("0\r\n\r\n").find("data: "), std::string::npos);
    server.server->wait();
    EXPECT_TRUE(server.runs_within(0, 1s));
}

TEST(Serving, Metrics) {
    DemoServer server;
    ask(server.port(), "POST", chats, chat(10, true));
    EXPECT_TRUE(server.runs_within(0, 5s));
    const std::string text = ask(server.port(), "GET", "/metrics").body;
    for (const char* line : {"hlg:generation_tokens_total{model_name=\"storyteller\"} 10\n",
                             "hlg:inter_token_latency_seconds_count{model_name=\"storyteller\"} ",
                             "hlg:num_requests_running{model_name=\"storyteller\"} 0\n",
                             "hlg:request_success_total{model_name=\"storyteller\",finished_reason=\"length\"} 1\n"})
        EXPECT_NE(text.find(line), std::string::npos) << line;
}

}  // namespace
}  // namespace hlg::net
