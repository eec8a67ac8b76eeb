// SPDX-License-Identifier: MIT
//
// Answers that come by and by: when they begin, how they fail, and clients that are slow, silent or gone.
#include <gtest/gtest.h>

#include "net/server_fixture.hpp"

namespace hlg::net {
namespace {

TEST(Stream, HeadThenFramesAsTheyCome) {
    TestServer server;
    HttpClient client(server.port());
    client.ask("POST", "/stream", "x");
    const auto request = server.backend().request(0);
    request->accept();
    const Response head = client.head();  // before there is any text
    EXPECT_EQ(head.status, 200);
    EXPECT_EQ(head.headers.at("content-type"), "text/event-stream");
    EXPECT_EQ(head.headers.at("cache-control"), "no-cache");
    EXPECT_EQ(head.headers.at("x-accel-buffering"), "no");
    EXPECT_EQ(head.headers.at("transfer-encoding"), "chunked");
    EXPECT_EQ(head.headers.at("x-fake"), "stream");
    for (const char* text : {"a", "b"}) {
        request->say(text);
        EXPECT_EQ(client.read_until("\n\n\r\n"), std::string("9\r\ndata: ") + text + "\n\n\r\n");
    }
    request->finish();
    EXPECT_EQ(client.read_until("0\r\n\r\n"), "e\r\ndata: [DONE]\n\n\r\n0\r\n\r\n");
    client.ask("GET", "/health");  // and the connection goes on
    EXPECT_EQ(client.answer().status, 200);
    EXPECT_NE(server.lines().with("path=\"/stream\"").find("tokens=2 bytes=32"), std::string::npos);
}

TEST(Stream, SeveralRequestsOfOneExchange) {
    TestServer server;
    HttpClient client(server.port());
    client.ask("POST", "/whole", "xyz");
    for (int i = 2; i >= 0; --i) {
        const auto request = server.backend().request(static_cast<std::size_t>(i));
        request->accept();
        request->say("t");
        request->finish();
    }
    EXPECT_EQ(client.answer().body, "ttt[DONE]");
}

TEST(Stream, AnErrorBeforeTheBeginningIsAnHttpError) {
    TestServer server;
    HttpClient client(server.port());
    client.ask("POST", "/stream", "x");
    server.backend().request(0)->fail(engine::ErrorCode::prompt_too_long, "the prompt is too long");
    const Response response = client.answer();
    EXPECT_EQ(response.status, 400);
    EXPECT_NE(response.body.find("the prompt is too long"), std::string::npos);
    client.ask("POST", "/stream", "xy");
    server.backend().request(1)->accept();
    server.backend().request(2)->fail(engine::ErrorCode::too_busy, "busy");
    const Response busy = client.answer();
    EXPECT_EQ(busy.status, 429);
    EXPECT_EQ(busy.headers.count("retry-after"), 1U);
    EXPECT_TRUE(server.backend().request(1)->gone_within(5s));
}

TEST(Stream, AnErrorAfterItIsTheLastEvent) {
    TestServer server;
    HttpClient client(server.port());
    client.ask("POST", "/stream", "x");
    const auto request = server.backend().request(0);
    request->accept();
    request->say("a");
    request->fail(engine::ErrorCode::decode_failed, "broken");
    const Response response = client.answer();
    EXPECT_EQ(response.status, 200);
    EXPECT_EQ(response.body, "data: a\n\ndata: error: broken\n\n");
    EXPECT_NE(server.lines().with("path=\"/stream\"").find("end=error"), std::string::npos);
}

TEST(Stream, SilenceIsBrokenByPings) {
    ServerOptions options;
    options.limits.ping = 20ms;
    TestServer server(options);
    HttpClient client(server.port());
    client.ask("POST", "/stream", "x");
    const auto request = server.backend().request(0);
    request->accept();
    client.head();
    for (int i = 0; i < 3; ++i) EXPECT_EQ(client.read_until("\n\n\r\n"), "8\r\n: ping\n\n\r\n");
    request->finish();
    EXPECT_NE(client.read_until("0\r\n\r\n").find("data: [DONE]"), std::string::npos);
}

// Not before the head, and not in what is no stream.
TEST(Stream, NoPingsWhereTheyWouldBeWrong) {
    ServerOptions options;
    options.limits.ping = 1ms;
    TestServer server(options);
    HttpClient whole(server.port());
    whole.ask("POST", "/whole", "x");
    const auto first = server.backend().request(0);  // before the next one is asked: two threads open them
    HttpClient stream(server.port());
    stream.ask("POST", "/stream", "x");
    const auto second = server.backend().request(1);
    HttpClient other(server.port());
    other.ask("POST", "/stream", "x");
    server.backend().request(2)->accept();
    other.head();
    for (int i = 0; i < 5; ++i) other.read_until(": ping");  // time passes
    EXPECT_FALSE(whole.closed_within(1ms));
    first->accept();
    first->say("a");
    first->finish();
    EXPECT_EQ(whole.answer().body, "a[DONE]");
    second->fail(engine::ErrorCode::bad_request, "no");
    EXPECT_EQ(stream.answer().status, 400);
}

TEST(Stream, AClientThatGoesAwayFreesItsLane) {
    TestServer server;
    for (const bool begun : {false, true}) {
        for (const bool reset : {false, true}) {
            const std::size_t number = (begun ? 2U : 0U) + (reset ? 1U : 0U);
            HttpClient client(server.port());
            client.ask("POST", begun ? "/stream" : "/whole", "x");
            const auto request = server.backend().request(number);
            request->accept();
            if (begun) client.head();
            reset ? client.reset() : client.close();
            EXPECT_TRUE(request->gone_within(50ms)) << begun << reset;
        }
    }
    EXPECT_NE(server.lines().with("path=\"/whole\"").find("status=499"), std::string::npos);
    EXPECT_NE(server.lines().with("path=\"/stream\"").find("status=200"), std::string::npos);
}

TEST(Stream, AClientThatGoesAwayBehindPipelinedRequestsToo) {
    TestServer server;
    HttpClient client(server.port());
    client.ask("POST", "/stream", "x");
    client.ask("POST", "/now", std::string(10'000, 'x'));
    const auto request = server.backend().request(0);
    client.close();
    EXPECT_TRUE(request->gone_within(50ms));
}

TEST(Stream, AClientThatGoesAwayWhileItsRequestIsOpened) {
    TestServer server;
    server.backend().hold(true);
    HttpClient client(server.port());
    client.ask("POST", "/stream", "x");
    client.ask("GET", "/health");  // so that it is certain that the first was read when the answer comes
    client.close();
    EXPECT_NE(server.lines().with("path=\"/stream\"").find("status=499"), std::string::npos);
    server.backend().hold(false);
    EXPECT_EQ(server.ask("GET", "/health").status, 200);
}

// The slow client's events stay where they are, bounded by the engine; the other's come through.
TEST(Stream, ASlowClientSlowsItselfOnly) {
    ServerOptions options;
    options.send_buffer = 4096;
    TestServer server(options);
    HttpClient slow(server.port(), 4096);
    slow.ask("POST", "/stream", "x");
    const auto held = server.backend().request(0);
    held->accept();
    const std::string text(1000, 'x');
    constexpr std::size_t texts = 1000;
    for (std::size_t i = 0; i < texts; ++i) held->say(text);
    held->finish();
    HttpClient quick(server.port());
    quick.ask("POST", "/stream", "x");
    const auto free = server.backend().request(1);
    free->accept();
    quick.head();
    for (int i = 0; i < 100; ++i) {
        free->say("a");
        ASSERT_NE(quick.read_until("\n\n\r\n").find("data: a"), std::string::npos);
    }
    EXPECT_LT(held->taken(), 200U);  // some 32 KiB here, and what the sockets hold
    const Response response = slow.answer();
    EXPECT_EQ(response.body.size(), texts * (text.size() + 8) + std::string("data: [DONE]\n\n").size());
}

TEST(Stream, AClientThatStopsReadingIsDropped) {
    ServerOptions options;
    options.send_buffer = 4096;
    options.limits.write = 100ms;
    TestServer server(options);
    HttpClient client(server.port(), 4096);
    client.ask("POST", "/stream", "x");
    const auto request = server.backend().request(0);
    request->accept();
    for (int i = 0; i < 1000; ++i) request->say(std::string(1000, 'x'));
    EXPECT_TRUE(request->gone_within(5s));
    EXPECT_NE(server.lines().with("path=\"/stream\"").find("end=too_slow"), std::string::npos);
}

TEST(Stream, ARequestMayTakeSoLong) {
    ServerOptions options;
    options.limits.request = 300ms;
    TestServer server(options);
    HttpClient whole(server.port());
    whole.ask("POST", "/whole", "x");
    EXPECT_EQ(whole.answer().status, 504);
    EXPECT_TRUE(server.backend().request(0)->gone_within(5s));
    HttpClient stream(server.port());
    stream.ask("POST", "/stream", "x");
    server.backend().request(1)->accept();
    const Response response = stream.answer();
    EXPECT_EQ(response.status, 200);
    EXPECT_NE(response.body.find("data: error: the answer took longer"), std::string::npos);
    EXPECT_NE(server.lines().with("path=\"/stream\"").find("end=timeout"), std::string::npos);
}

TEST(Stream, Metrics) {
    TestServer server;
    HttpClient client(server.port());
    client.ask("POST", "/stream", "x");
    const auto request = server.backend().request(0);
    request->accept();
    for (int i = 0; i < 3; ++i) request->say("a");
    request->finish();
    client.answer();
    const std::string text = server.ask("GET", "/metrics").body;
    for (const char* line : {"hlg:time_to_first_token_seconds_count{model_name=\"fake\"} 1\n",
                             "hlg:inter_token_latency_seconds_count{model_name=\"fake\"} 2\n",
                             "hlg:e2e_request_latency_seconds_count{model_name=\"fake\"} 1\n",
                             "hlg:request_success_total{model_name=\"fake\",finished_reason=\"stop\"} 1\n"})
        EXPECT_NE(text.find(line), std::string::npos) << line << text;
}

/** The counts of request_success_total: abort, error, length, stop. */
std::string ends(TestServer& server) {
    const std::string text = server.ask("GET", "/metrics").body;
    std::string counts;
    for (const std::string reason : {"abort", "error", "length", "stop"}) {
        const std::string start = "finished_reason=\"" + reason + "\"} ";
        const std::size_t at = text.find(start) + start.size();
        counts += text.substr(at, text.find('\n', at) - at) + " ";
    }
    return counts;
}

TEST(Stream, GenerationsOfClientsThatGoAreCountedAsAborted) {
    TestServer server;
    for (std::size_t number = 0; number < 2; ++number) {
        HttpClient client(server.port());
        client.ask("POST", number == 0 ? "/stream" : "/whole", "x");
        const auto request = server.backend().request(number);
        request->accept();
        request->say("a");
        EXPECT_TRUE(request->taken_within(2, 5s));
        client.close();
        EXPECT_TRUE(request->gone_within(5s));
    }
    EXPECT_EQ(ends(server), "2 0 0 0 ");
    HttpClient client(server.port());
    client.ask("POST", "/stream", "xy");  // one of the two has ended
    server.backend().request(2)->accept();
    server.backend().request(2)->finish();
    server.backend().request(3)->accept();
    EXPECT_TRUE(server.backend().request(2)->taken_within(2, 5s));
    EXPECT_TRUE(server.backend().request(3)->taken_within(1, 5s));
    client.close();
    EXPECT_TRUE(server.backend().request(3)->gone_within(5s));
    EXPECT_EQ(ends(server), "3 0 0 1 ");
}

TEST(Stream, WhatNeverBeganIsNotCounted) {
    TestServer server;
    HttpClient refused(server.port());
    refused.ask("POST", "/stream", "x");
    server.backend().request(0)->fail(engine::ErrorCode::prompt_too_long, "the prompt is too long");
    EXPECT_EQ(refused.answer().status, 400);
    HttpClient gone(server.port());
    gone.ask("POST", "/stream", "x");
    const auto request = server.backend().request(1);
    gone.close();
    EXPECT_TRUE(request->gone_within(5s));
    EXPECT_EQ(ends(server), "0 0 0 0 ");
    refused.ask("POST", "/stream", "xy");  // of two, the one that was accepted is given up for the other's failure
    server.backend().request(2)->accept();
    EXPECT_TRUE(server.backend().request(2)->taken_within(1, 5s));
    server.backend().request(3)->fail(engine::ErrorCode::too_busy, "busy");
    EXPECT_EQ(refused.answer().status, 429);
    EXPECT_EQ(ends(server), "1 0 0 0 ");
    refused.ask("POST", "/stream", "x");
    server.backend().request(4)->accept();
    server.backend().request(4)->fail(engine::ErrorCode::decode_failed, "broken");
    EXPECT_EQ(refused.answer().status, 200);
    EXPECT_EQ(ends(server), "1 1 0 0 ");
}

}  // namespace
}  // namespace hlg::net
