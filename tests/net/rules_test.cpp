// SPDX-License-Identifier: MIT
//
// Keys, pages of other origins, request ids, where a server may listen.
#include <set>

#include <gtest/gtest.h>

#include "net/server_fixture.hpp"

namespace hlg::net {
namespace {

TEST(Rules, EveryEndpointButHealthAndPagesAsksForAKey) {
    ServerOptions options;
    options.api_keys = {"one", "two"};
    TestServer server(options);
    for (const char* path : {"/health", "/", "/report"}) EXPECT_EQ(server.ask("GET", path).status, 200) << path;
    for (const char* path : {"/metrics", "/now", "/v1/messages", "/nothing"}) {
        const Response refused = server.ask("GET", path);
        EXPECT_EQ(refused.status, 401) << path;
        EXPECT_EQ(refused.headers.at("www-authenticate"), "Bearer");
        EXPECT_EQ(server.ask("GET", path, {}, "Authorization: Bearer three\r\n").status, 401);
    }
    EXPECT_EQ(server.ask("POST", "/now", "x", "Authorization: Bearer two\r\n").status, 200);
    EXPECT_EQ(server.ask("POST", "/now", "x", "x-api-key: one\r\n").status, 200);
    EXPECT_NE(server.ask("POST", "/v1/chat/completions", "x").body.find("\"code\":\"invalid_api_key\""), std::string::npos);
    EXPECT_NE(server.ask("POST", "/v1/messages", "x").body.find("\"authentication_error\""), std::string::npos);
}

// What a client may send is looked at before what it says; a refused one may still use its connection.
TEST(Rules, ARefusedClientMayTryAgain) {
    ServerOptions options;
    options.api_keys = {"one"};
    TestServer server(options);
    HttpClient client(server.port());
    client.ask("POST", "/now", "x");
    EXPECT_EQ(client.answer().status, 401);
    client.ask("POST", "/now", "x", "x-api-key: one\r\n");
    EXPECT_EQ(client.answer().status, 200);
}

TEST(Rules, NoBodyIsReadOfAClientWithoutAKey) {
    ServerOptions options;
    options.api_keys = {"one"};
    TestServer server(options);
    HttpClient client(server.port());
    client.send("POST /now HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n");
    const Response refused = client.answer();
    EXPECT_EQ(refused.status, 401);
    EXPECT_EQ(refused.headers.at("connection"), "close");
}

TEST(Rules, PagesOfOtherOrigins) {
    ServerOptions options;
    options.cors_origins = {"https://a"};
    options.api_keys = {"one"};
    TestServer server(options);
    const std::string origin = "Origin: https://a\r\n";
    const Response preflight = server.ask("OPTIONS", "/now", {},
                                          origin +
                                              "Access-Control-Request-Method: POST\r\n"
                                              "Access-Control-Request-Headers: authorization, content-type\r\n");
    EXPECT_EQ(preflight.status, 204);
    EXPECT_EQ(preflight.headers.at("access-control-allow-origin"), "https://a");
    EXPECT_EQ(preflight.headers.at("access-control-allow-headers"), "authorization, content-type");
    EXPECT_EQ(preflight.headers.at("access-control-allow-methods"), "POST, OPTIONS");
    const std::string key = "x-api-key: one\r\n";
    EXPECT_EQ(server.ask("POST", "/now", "x", origin + key).headers.at("access-control-allow-origin"), "https://a");
    EXPECT_EQ(server.ask("POST", "/now", "x", origin).headers.at("access-control-allow-origin"), "https://a");  // 401, readable
    const Response other = server.ask("POST", "/now", "x", "Origin: https://b\r\n" + key);
    EXPECT_EQ(other.status, 200);
    EXPECT_EQ(other.headers.count("access-control-allow-origin"), 0U);
    EXPECT_EQ(server.ask("POST", "/now", "x", "Origin: https://b\r\n").status, 403);
    HttpClient client(server.port());
    client.ask("POST", "/stream", "x", origin + key);
    server.backend().request(0)->accept();
    EXPECT_EQ(client.head().headers.at("access-control-allow-origin"), "https://a");
}

TEST(Rules, CorsIsOffByDefault) {
    TestServer server;
    const Response response = server.ask("GET", "/health", {}, "Origin: https://a\r\n");
    EXPECT_EQ(response.headers.count("access-control-allow-origin"), 0U);
    EXPECT_EQ(server.ask("OPTIONS", "/now", {}, "Origin: https://a\r\n").headers.count("access-control-allow-origin"), 0U);
}

// A page may send a text/plain request anywhere without asking before: that it can't read the answer does not save the work.
TEST(Rules, NothingRunsForPagesOfOtherOrigins) {
    TestServer server;
    for (const std::string headers : {"Origin: http://evil.example\r\nContent-Type: text/plain\r\n", "Origin: null\r\n"}) {
        const Response refused = server.ask("POST", "/now", "x", headers);
        EXPECT_EQ(refused.status, 403) << headers;
        EXPECT_NE(refused.body.find("\"code\":\"origin_not_allowed\""), std::string::npos) << refused.body;
        EXPECT_NE(refused.body.find("--cors-origin"), std::string::npos) << refused.body;
        for (const char* path : {"/health", "/metrics", "/"}) EXPECT_EQ(server.ask("GET", path, {}, headers).status, 403) << path;
    }
    EXPECT_NE(server.ask("POST", "/v1/messages", "x", "Origin: null\r\n").body.find("\"permission_error\""), std::string::npos);
    EXPECT_EQ(server.ask("POST", "/now", "x", "Origin: http://localhost\r\n").status, 200);  // as it is called
    HttpClient client(server.port());
    client.send(
        "POST /now HTTP/1.1\r\nHost: localhost\r\nOrigin: http://evil.example\r\nExpect: 100-continue\r\nContent-Length: "
        "2\r\n\r\n");
    EXPECT_EQ(client.answer().status, 403);  // before there is a body
}

// A name server that is an attacker's lets its name mean this machine: its pages are then of the server's own origin.
TEST(Rules, AServerOfThisMachineIsNotCalledByOtherNames) {
    TestServer server;
    const auto status = [](std::uint16_t port, const std::string& host) {
        HttpClient client(port);
        client.send("POST /now HTTP/1.1\r\nHost: " + host + "\r\nContent-Length: 1\r\n\r\nx");
        return client.answer().status;
    };
    const std::string port = ":" + std::to_string(server.port());
    for (const std::string host : {"localhost", "127.0.0.1", "127.9.9.9", "[::1]"}) {
        EXPECT_EQ(status(server.port(), host), 200) << host;
        EXPECT_EQ(status(server.port(), host + port), 200) << host;
    }
    EXPECT_EQ(status(server.port(), "evil.example" + port), 403);
    ServerOptions options;
    options.host = "0.0.0.0";
    options.open_to_all = true;
    const TestServer open(options);
    EXPECT_EQ(status(open.port(), "any.example"), 200);
    options = {};
    options.cors_origins = {"https://llm.example.org"};
    const TestServer named(options);
    EXPECT_EQ(status(named.port(), "llm.example.org"), 200);
    EXPECT_EQ(status(named.port(), "evil.example"), 403);
}

TEST(Rules, RequestIdsAreEchoedOrMade) {
    TestServer server;
    const auto named = server.ask("POST", "/now", "x", "X-Request-Id: mine-1\r\n").headers;
    EXPECT_EQ(named.at("x-request-id"), "mine-1");
    EXPECT_EQ(named.at("request-id"), "mine-1");
    EXPECT_NE(server.lines().with("id=\"mine-1\"").find("status=200"), std::string::npos);
    std::set<std::string> made;
    for (const char* bad : {"", "X-Request-Id: a b\r\n", "X-Request-Id: \xC3\xA4\r\n"})
        made.insert(server.ask("POST", "/now", "x", bad).headers.at("x-request-id"));
    made.insert(server.ask("POST", "/now", "x", "X-Request-Id: " + std::string(129, 'x') + "\r\n").headers.at("x-request-id"));
    EXPECT_EQ(made.size(), 4U);
    for (const std::string& id : made) EXPECT_EQ(id.size(), 36U) << id;
}

TEST(Rules, BeyondThisMachineAKeyIsNeeded) {
    AccessLog log(LogFormat::none);
    ServerOptions options;
    options.port = 0;
    for (const char* host : {"0.0.0.0", "::"}) {
        options.host = host;
        EXPECT_THROW(Server(options, log), OpenToAllError) << host;
    }
    options.host = "0.0.0.0";
    options.open_to_all = true;
    EXPECT_NO_THROW(Server(options, log));
    options.open_to_all = false;
    options.api_keys = {"key"};
    EXPECT_NO_THROW(Server(options, log));
    options.api_keys = {};
    for (const char* host : {"localhost", "127.0.0.1", "127.8.8.8"}) {
        options.host = host;
        EXPECT_NO_THROW(Server(options, log)) << host;
    }
}

TEST(Rules, AnAddressThatCannotBeHad) {
    TestServer server;
    AccessLog log(LogFormat::none);
    ServerOptions options;
    options.port = server.port();
    EXPECT_THROW(Server(options, log), ListenError);
    options.port = 0;
    options.host = "no.such.host.invalid";
    EXPECT_THROW(Server(options, log), ListenError);
}

// A server that was killed leaves connections behind that the system still knows.
TEST(Rules, ThePortIsFreeAtOnce) {
    AccessLog log(LogFormat::none);
    ServerOptions options;
    auto first = std::make_unique<TestServer>();
    options.port = first->port();
    HttpClient client(options.port);
    client.ask("GET", "/health");
    EXPECT_EQ(client.answer().status, 200);
    first.reset();
    EXPECT_NO_THROW(Server(options, log));
}

}  // namespace
}  // namespace hlg::net
