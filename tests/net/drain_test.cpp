// SPDX-License-Identifier: MIT
//
// A server's beginning and end: before its model is there, and after it was told to stop.
#include <gtest/gtest.h>

#include <future>

#include "net/server_fixture.hpp"

namespace hlg::net {
namespace {

TEST(Drain, WhileTheModelLoads) {
    TestServer server({}, false);
    const Response health = server.ask("GET", "/health");
    EXPECT_EQ(health.status, 503);
    EXPECT_EQ(health.body, "{\"status\":\"loading\"}\n");
    const Response refused = server.ask("POST", "/v1/chat/completions", "{}");
    EXPECT_EQ(refused.status, 503);
    EXPECT_EQ(refused.headers.count("retry-after"), 1U);
    EXPECT_NE(refused.body.find("the model is loading"), std::string::npos);
    EXPECT_EQ(server.ask("GET", "/metrics").status, 200);
    EXPECT_EQ(server.ask("GET", "/").status, 200);
    server.load();
    EXPECT_EQ(server.ask("GET", "/health").body, "{\"status\":\"ok\"}\n");
    EXPECT_EQ(server.ask("POST", "/now", "x").status, 200);
}

TEST(Drain, AnIdleServerEndsAtOnce) {
    TestServer server;
    HttpClient idle(server.port());
    idle.ask("GET", "/health");
    EXPECT_EQ(idle.answer().status, 200);
    server->drain();
    server->wait();
    EXPECT_TRUE(idle.closed_within(5s));
}

TEST(Drain, WhatRunsMayEndAndNothingNewBegins) {
    TestServer server;
    HttpClient running(server.port());
    running.ask("POST", "/stream", "x");
    const auto request = server.backend().request(0);
    request->accept();
    running.head();
    HttpClient kept(server.port());
    kept.ask("GET", "/health");
    kept.answer();
    server->drain();
    HttpClient late(server.port());
    late.ask("GET", "/health");
    EXPECT_EQ(late.answer().body, "{\"status\":\"draining\"}\n");
    kept.ask("POST", "/now", "x");
    const Response refused = kept.answer();
    EXPECT_EQ(refused.status, 503);
    EXPECT_EQ(refused.headers.at("connection"), "close");
    request->say("last");
    request->finish();
    EXPECT_NE(running.read_until("0\r\n\r\n").find("data: [DONE]"), std::string::npos);
    server->wait();
    EXPECT_NE(server.lines().with("path=\"/stream\"").find("end=complete"), std::string::npos);
}

TEST(Drain, WhatDoesNotEndIsCutWithALastEvent) {
    ServerOptions options;
    options.limits.drain = 50ms;
    TestServer server(options);
    HttpClient stream(server.port());
    stream.ask("POST", "/stream", "x");
    const auto request = server.backend().request(0);
    request->accept();
    request->say("a");
    stream.head();
    HttpClient whole(server.port());
    whole.ask("POST", "/whole", "x");
    server.backend().request(1)->accept();
    server->drain();
    EXPECT_NE(stream.read_until("0\r\n\r\n").find("data: error: the server is stopping"), std::string::npos);
    EXPECT_EQ(whole.answer().status, 503);
    server->wait();
    const std::string cut = server.lines().with("path=\"/stream\"");
    EXPECT_NE(cut.find("status=200"), std::string::npos) << cut;
    EXPECT_NE(cut.find("end=drain_timeout"), std::string::npos) << cut;
    EXPECT_NE(server.lines().with("path=\"/whole\"").find("end=drain_timeout"), std::string::npos);
    EXPECT_TRUE(request->gone_within(5s));
}

TEST(Drain, AClientThatDoesNotReadHoldsNothingUp) {
    ServerOptions options;
    options.send_buffer = 4096;
    options.limits.drain = 20ms;
    options.limits.farewell = 20ms;
    TestServer server(options);
    HttpClient client(server.port(), 4096);
    client.ask("POST", "/stream", "x");
    const auto request = server.backend().request(0);
    request->accept();
    // More than fits into the buffers between the two, at once.
    for (int i = 0; i < 10; ++i) request->say(std::string(100'000, 'x'));
    EXPECT_TRUE(request->taken_within(1, 5s));
    server->drain();
    server->wait();
    const std::string line = server.lines().with("path=\"/stream\"");
    EXPECT_NE(line.find("end=stopped"), std::string::npos) << line;
}

TEST(Drain, AServerMayGoWithEverythingUnderWay) {
    auto server = std::make_unique<TestServer>();
    HttpClient first(server->port());
    first.ask("POST", "/stream", "x");
    const auto request = server->backend().request(0);
    request->accept();
    first.head();
    HttpClient second(server->port());
    second.send("POST /now HTTP/1.1\r\nHo");
    server.reset();
    EXPECT_TRUE(request->gone_within(5s));
    request->say("nobody hears it");
    EXPECT_TRUE(first.closed_within(5s));
    EXPECT_TRUE(second.closed_within(5s));
}

TEST(Drain, WhatAStoppedServerLeavesIsLogged) {
    Lines lines;
    {
        AccessLog log(LogFormat::text, [&](std::string_view line) { lines.add(line); });
        ServerOptions options;
        options.port = 0;
        const auto backend = std::make_shared<FakeBackend>();
        auto server = std::make_unique<Server>(options, log);
        server->serve(backend);
        HttpClient client(server->port());
        client.ask("POST", "/stream", "x");
        backend->request(0)->accept();
        client.head();
        server.reset();
    }
    EXPECT_NE(lines.with("path=\"/stream\"").find("end=stopped"), std::string::npos);
}

}  // namespace
}  // namespace hlg::net
