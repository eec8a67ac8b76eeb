// SPDX-License-Identifier: MIT
//
// HTTP/1.1 itself: connections that are kept, requests behind one another, requests that are too long, too slow or none at all.
#include <gtest/gtest.h>

#include "net/response_text.hpp"
#include "net/server_fixture.hpp"

namespace hlg::net {
namespace {

TEST(Protocol, AConnectionIsKept) {
    TestServer server;
    HttpClient client(server.port());
    for (const char* body : {"a", "bb", "ccc"}) {
        client.ask("POST", "/now", body);
        const Response response = client.answer();
        EXPECT_EQ(response.status, 200);
        EXPECT_EQ(response.body, std::string("POST ") + body);
        EXPECT_EQ(response.headers.count("connection"), 0U);
    }
}

TEST(Protocol, PipelinedRequestsAreAnsweredInTheirOrder) {
    TestServer server;
    HttpClient client(server.port());
    client.ask("POST", "/stream", "x");  // all at once, and the first takes longest
    client.ask("POST", "/now", "second");
    client.ask("GET", "/health");
    client.ask("POST", "/whole", "x");
    const auto first = server.backend().request(0);
    first->accept();
    first->say("one");
    first->finish();
    EXPECT_EQ(client.answer().body, "data: one\n\ndata: [DONE]\n\n");
    EXPECT_EQ(client.answer().body, "POST second");
    EXPECT_EQ(client.answer().body, "{\"status\":\"ok\"}\n");
    const auto last = server.backend().request(1);
    last->accept();
    last->say("four");
    last->finish();
    EXPECT_EQ(client.answer().body, "four[DONE]");
}

TEST(Protocol, ManyPipelinedRequests) {
    TestServer server;
    HttpClient client(server.port());
    for (int i = 0; i < 500; ++i) client.ask("POST", "/now", std::to_string(i) + std::string(300, 'x'));
    for (int i = 0; i < 500; ++i) ASSERT_EQ(client.answer().body, "POST " + std::to_string(i) + std::string(300, 'x'));
}

TEST(Protocol, Http10IsClosed) {
    TestServer server;
    HttpClient client(server.port());
    client.send("POST /stream HTTP/1.0\r\nContent-Length: 1\r\n\r\nx");
    const auto request = server.backend().request(0);
    request->accept();
    request->say("one");
    request->finish();
    const Response response = client.answer();
    EXPECT_EQ(response.headers.count("transfer-encoding"), 0U);
    EXPECT_EQ(response.body, "data: one\n\ndata: [DONE]\n\n");
}

TEST(Protocol, HeadIsGetWithoutABody) {
    TestServer server;
    HttpClient client(server.port());
    for (int i = 0; i < 2; ++i) {
        client.ask("HEAD", "/health");
        const Response head = client.answer(true);
        EXPECT_EQ(head.status, 200);
        EXPECT_EQ(head.headers.at("content-length"), "16");
    }
    client.ask("GET", "/health");
    EXPECT_EQ(client.answer().body.size(), 16U);
    EXPECT_NE(server.lines().with("method=\"HEAD\"").find("bytes=0"), std::string::npos);
}

TEST(Protocol, OtherPathsAndMethods) {
    TestServer server;
    EXPECT_EQ(server.ask("GET", "/nothing").status, 404);
    EXPECT_EQ(server.ask("POST", "/health", "x").status, 405);
    EXPECT_EQ(server.ask("GET", "/").headers.at("content-type"), "text/html; charset=utf-8");
    EXPECT_NE(server.ask("GET", "/metrics?x=y").body.find("# TYPE hlg:e2e_request_latency_seconds histogram"), std::string::npos);
}

// RFC 9110, 15.5.6: a 405 lists the methods that the path knows. OPTIONS lists them too, and no others.
TEST(Protocol, APathTellsItsMethods) {
    TestServer server;
    const auto allowed = [&](const std::string& method, const std::string& path, int status) {
        const Response response = server.ask(method, path);
        EXPECT_EQ(response.status, status) << method << path;
        return response.headers.count("allow") != 0 ? response.headers.at("allow") : "-";
    };
    for (const char* path : {"/health", "/metrics", "/", "/report"}) {
        for (const char* method : {"POST", "TRACE", "DELETE"})
            EXPECT_EQ(allowed(method, path, 405), "GET, HEAD, OPTIONS") << method << path;
        EXPECT_EQ(allowed("OPTIONS", path, 204), "GET, HEAD, OPTIONS") << path;
    }
    for (const char* method : {"GET", "TRACE", "PUT"}) EXPECT_EQ(allowed(method, "/now", 405), "POST, OPTIONS") << method;
    EXPECT_EQ(allowed("OPTIONS", "/now", 204), "POST, OPTIONS");
    EXPECT_EQ(allowed("OPTIONS", "/nothing", 204), "OPTIONS");
    EXPECT_EQ(allowed("OPTIONS", "*", 204), "GET, HEAD, POST, OPTIONS");
    TestServer loading({}, false);
    EXPECT_EQ(loading.ask("OPTIONS", "/now").headers.count("allow"), 0U);
    EXPECT_EQ(loading.ask("OPTIONS", "/health").headers.at("allow"), "GET, HEAD, OPTIONS");
}

TEST(Protocol, PagesAreCompressedForWhoTakesIt) {
    TestServer server;
    for (const char* path : {"/", "/report"}) {
        const Response plain = server.ask("GET", path);
        EXPECT_EQ(plain.headers.count("content-encoding"), 0U);
        EXPECT_TRUE(plain.body.starts_with("<!doctype html>")) << path;
        const Response packed = server.ask("GET", path, {}, "Accept-Encoding: gzip, deflate\r\n");
        EXPECT_EQ(packed.headers.at("content-encoding"), "gzip");
        EXPECT_TRUE(packed.body.starts_with("\x1f\x8b"));
        EXPECT_LT(packed.body.size(), plain.body.size() / 2);
        for (const Response& page : {plain, packed}) {
            EXPECT_EQ(page.headers.at("vary"), "accept-encoding");
            EXPECT_EQ(page.headers.at("x-content-type-options"), "nosniff");
            EXPECT_NE(page.headers.at("content-security-policy").find("default-src 'none'"), std::string::npos);
        }
    }
    const auto packed = [&](const std::string& accepted) {
        return server.ask("GET", "/", {}, "Accept-Encoding: " + accepted + "\r\n").headers.count("content-encoding") == 1;
    };
    EXPECT_TRUE(packed("br;q=1.0, GZIP;q=0.5"));
    EXPECT_TRUE(packed("*"));
    EXPECT_FALSE(packed("br, deflate"));
    EXPECT_FALSE(packed("gzip;q=0, br"));
    EXPECT_FALSE(packed("gzip;q=0.000"));
    EXPECT_FALSE(packed("xgzip, gzipped"));
}

TEST(Protocol, TooLongHeadersAndBodies) {
    ServerOptions options;
    options.max_body = 1000;
    TestServer server(options);
    EXPECT_EQ(server.ask("GET", "/health", {}, "X-Long: " + std::string(40'000, 'x') + "\r\n").status, 431);
    const Response refused = server.ask("POST", "/now", std::string(1001, 'x'));
    EXPECT_EQ(refused.status, 413);
    EXPECT_EQ(refused.headers.at("connection"), "close");
    EXPECT_NE(refused.body.find("1000 bytes"), std::string::npos);
    EXPECT_EQ(server.ask("POST", "/now", std::string(1000, 'x')).status, 200);
}

TEST(Protocol, ATooLongBodyIsRefusedAsItsPathSpeaks) {
    ServerOptions options;
    options.max_body = 100'000;
    TestServer server(options);
    const auto refused = [&](const std::string& id, const std::string& rest) {
        HttpClient client(server.port());
        client.send("POST /v1/messages HTTP/1.1\r\nHost: localhost\r\nX-Request-Id: " + id + "\r\n" + rest);
        const Response response = client.answer();
        EXPECT_EQ(response.status, 413) << id;
        EXPECT_NE(response.body.find("\"type\":\"request_too_large\""), std::string::npos) << response.body;
        EXPECT_NE(response.body.find("\"request_id\":\"" + id + "\""), std::string::npos) << response.body;
        EXPECT_EQ(response.headers.at("x-request-id"), id);
        const std::string line = server.lines().with("id=\"" + id + "\"");
        EXPECT_NE(line.find("method=\"POST\" path=\"/v1/messages\" status=413"), std::string::npos) << line;
    };
    refused("by-length", "Content-Length: 99999999\r\n\r\n");
    for (const std::size_t size : {std::size_t{0x4000}, std::size_t{0x10000}, std::size_t{0x40000}}) {
        std::string chunks;
        for (std::size_t sent = 0; sent <= options.max_body; sent += size) chunks += chunk_text(std::string(size, 'x'));
        refused("by-chunks-" + std::to_string(size), "Transfer-Encoding: chunked\r\n\r\n" + chunks);
    }
    EXPECT_NE(server.ask("GET", "/metrics").body.find(",method=\"POST\",status=\"413\"} 4\n"), std::string::npos);
}

// More than the sockets' buffers hold: the client is still sending when it is refused, and must get to read why.
TEST(Protocol, ARefusalReachesAClientThatStillSends) {
    ServerOptions options;
    options.max_body = 1000;
    TestServer server(options);
    for (int i = 0; i < 5; ++i) EXPECT_EQ(server.ask("POST", "/now", std::string(std::size_t{8} << 20U, 'x')).status, 413);
    EXPECT_EQ(server.ask("GET", "/health").status, 200);
}

TEST(Protocol, NoRequestAtAll) {
    TestServer server;
    for (const char* garbage :
         {"\x16\x03\x01\x02\x00\x01\r\n\r\n", "hello\r\n\r\n", "GET / HTTP/9.9\r\n\r\n", "\r\n\r\n\r\n\r\n"}) {
        HttpClient client(server.port());
        client.send(garbage);
        const Response response = client.answer();
        EXPECT_EQ(response.status, 400) << garbage;
        EXPECT_NE(response.body.find("error"), std::string::npos);
    }
    EXPECT_EQ(server.ask("GET", "/health").status, 200);
}

TEST(Protocol, SlowHeadersAndBodies) {
    ServerOptions options;
    options.limits.head = 50ms;
    options.limits.body = 50ms;
    options.limits.idle = 10s;
    TestServer server(options);
    HttpClient head(server.port());
    head.send("GET /health HTTP/1.1\r\nHo");
    EXPECT_EQ(head.answer().status, 408);
    EXPECT_TRUE(head.closed_within(5s));
    HttpClient body(server.port());
    body.send("POST /now HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\nab");
    EXPECT_EQ(body.answer().status, 408);
    EXPECT_NE(server.lines().with("path=\"/now\"").find("status=408"), std::string::npos);
}

TEST(Protocol, AnIdleConnectionIsClosed) {
    ServerOptions options;
    options.limits.idle = 50ms;
    TestServer server(options);
    HttpClient client(server.port());
    client.ask("GET", "/health");
    EXPECT_EQ(client.answer().status, 200);
    EXPECT_TRUE(client.closed_within(5s));
}

TEST(Protocol, TheBodyIsAskedFor) {
    TestServer server;
    HttpClient client(server.port());
    client.send("POST /now HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n");
    EXPECT_EQ(client.read_until("\r\n\r\n"), "HTTP/1.1 100 Continue\r\n\r\n");
    client.send("ab");
    EXPECT_EQ(client.answer().body, "POST ab");
    client.send("POST /now HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: 99999999\r\n\r\n");
    EXPECT_EQ(client.answer().status, 413);
}

TEST(Protocol, AHalfSentRequestLeavesNothing) {
    TestServer server;
    {
        HttpClient client(server.port());
        client.send("POST /stream HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\nab");
        client.close();
        HttpClient other(server.port());
        other.send("POST /stream HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\nab");
        other.reset();
    }
    EXPECT_EQ(server.ask("GET", "/health").status, 200);
}

TEST(Protocol, TooManyConnections) {
    ServerOptions options;
    options.max_connections = 2;
    TestServer server(options);
    HttpClient first(server.port());
    HttpClient second(server.port());
    second.ask("GET", "/health");
    EXPECT_EQ(second.answer().status, 200);
    HttpClient third(server.port());
    EXPECT_EQ(third.answer().status, 503);
    first.ask("GET", "/health");
    EXPECT_EQ(first.answer().status, 200);
}

}  // namespace
}  // namespace hlg::net
