// SPDX-License-Identifier: MIT
#include "net/request_reader.hpp"

#include <gtest/gtest.h>

#include "net/access_rules.hpp"

namespace hlg::net {
namespace {

using State = RequestReader::State;

/** A reader that was given these bytes, `step` at a time. */
RequestReader read(const std::string& bytes, std::size_t step = std::string::npos, std::size_t* left = nullptr) {
    RequestReader reader(1024, 64);
    std::string input;
    for (std::size_t at = 0; at < bytes.size() && (reader.state() == State::head || reader.state() == State::body);) {
        const std::string piece = bytes.substr(at, step);
        at += piece.size();
        input += piece;
        input.erase(0, reader.take(input));
        if (left != nullptr) *left = input.size() + bytes.size() - at;
    }
    return reader;
}

int problem_of(const std::string& bytes) {
    const RequestReader reader = read(bytes);
    EXPECT_EQ(reader.state(), State::bad) << bytes;
    return reader.state() == State::bad ? reader.problem().status : 0;
}

TEST(RequestReader, ARequestMayComeInAnyPieces) {
    const std::string bytes =
        "POST /v1/x%2Fy?beta=true HTTP/1.1\r\nHost: h\r\nX-Api-Key: Kk\r\nContent-Length: 5\r\n\r\nhelloGET / HTTP/1.1";
    for (std::size_t step = 1; step <= bytes.size(); ++step) {
        std::size_t left = 0;
        RequestReader reader = read(bytes, step, &left);
        ASSERT_EQ(reader.state(), State::complete) << step;
        const IncomingRequest& request = reader.request();
        EXPECT_EQ(request.http.method, "POST");
        EXPECT_EQ(request.http.path, "/v1/x/y");
        EXPECT_EQ(request.http.body, "hello");
        EXPECT_EQ(header_of(request.http, "x-api-key"), "Kk");
        EXPECT_TRUE(request.keep_alive);
        EXPECT_EQ(left, std::string("GET / HTTP/1.1").size());
    }
}

TEST(RequestReader, ChunksAreJoined) {
    const std::string bytes =
        "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2;x=y\r\nde\r\n0\r\nTrailer: t\r\n\r\n";
    for (std::size_t step = 1; step <= bytes.size(); ++step) {
        RequestReader reader = read(bytes, step);
        ASSERT_EQ(reader.state(), State::complete) << step;
        EXPECT_EQ(reader.request().http.body, "abcde");
    }
}

// However long its chunk is, and however much of it comes with the line: a body that is too long is no line that is too long.
TEST(RequestReader, ChunksOfAnyLengthAreTooLong) {
    const std::string start = "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n";
    for (const std::size_t step : {std::size_t{1}, std::size_t{100}, std::size_t{2000}, std::string::npos}) {
        for (const std::string& first : {std::string(), "20\r\n" + std::string(32, 'x') + "\r\n"}) {
            const RequestReader reader = read(start + first + "4000\r\n" + std::string(0x4000, 'x') + "\r\n0\r\n\r\n", step);
            ASSERT_EQ(reader.state(), State::bad) << step;
            EXPECT_EQ(reader.problem().status, 413) << step << first;
        }
    }
}

// The answer has the shape, the id and the line in the log that belong to the request.
TEST(RequestReader, WhoseBodyIsTooLongIsKnown) {
    const std::string start = "POST /v1/messages HTTP/1.1\r\nHost: h\r\nX-Request-Id: big\r\n";
    for (const std::string body : {"Content-Length: 65\r\n\r\n", "Transfer-Encoding: chunked\r\n\r\n41\r\n"}) {
        RequestReader reader = read(start + body);
        ASSERT_EQ(reader.state(), State::bad);
        EXPECT_EQ(reader.problem().status, 413);
        EXPECT_EQ(reader.request().http.method, "POST");
        EXPECT_EQ(reader.request().http.path, "/v1/messages");
        EXPECT_EQ(header_of(reader.request().http, "x-request-id"), "big");
    }
}

// A line between chunks that never ends must not be kept for ever either.
TEST(RequestReader, LinesBetweenChunksAreBounded) {
    const std::string start = "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n";
    for (const std::size_t step : {std::size_t{1}, std::size_t{100}, std::string::npos}) {
        for (const std::string line : {"1;x=", "0\r\nT: ", "1"})
            EXPECT_EQ(read(start + line + std::string(3000, '0'), step).problem().status, 431) << line << step;
        for (const std::string line : {"1;x=", "0\r\nT: "})
            EXPECT_EQ(read(start + line + std::string(1024, '0') + "\r\n\r\n", step).problem().status, 431) << line << step;
    }
    EXPECT_EQ(read(start + "0;x=" + std::string(1000, '0') + "\r\n\r\n").state(), State::complete);
}

// What comes behind the body is no header, however it is cut: who strips headers on the way does not look there.
TEST(RequestReader, TrailersAreDropped) {
    const std::string bytes =
        "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\nX-Api-Key: k\r\nHost: other\r\n\r\n";
    for (std::size_t step = 1; step <= bytes.size(); ++step) {
        RequestReader reader = read(bytes, step);
        ASSERT_EQ(reader.state(), State::complete) << step;
        EXPECT_EQ(header_of(reader.request().http, "x-api-key"), std::nullopt) << step;
        EXPECT_EQ(reader.request().http.headers.size(), 2U) << step;
    }
}

TEST(RequestReader, OldAndClosingClients) {
    RequestReader old = read("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
    ASSERT_EQ(old.state(), State::complete);
    EXPECT_FALSE(old.request().keep_alive);
    EXPECT_FALSE(old.request().chunks);
    RequestReader closing = read("HEAD / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n");
    EXPECT_FALSE(closing.request().keep_alive);
    EXPECT_TRUE(closing.request().head_only);
    EXPECT_EQ(closing.request().http.method, "GET");
}

TEST(RequestReader, LimitsAreExact) {
    EXPECT_EQ(read("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 64\r\n\r\n" + std::string(64, 'x')).state(), State::complete);
    EXPECT_EQ(problem_of("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 65\r\n\r\n"), 413);
    EXPECT_EQ(problem_of("POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n41\r\n" + std::string(65, 'x')), 413);
    EXPECT_EQ(problem_of("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 99999999999999999999\r\n\r\n"), 400);
    EXPECT_EQ(problem_of("GET / HTTP/1.1\r\nHost: h\r\nX: " + std::string(1024, 'x') + "\r\n\r\n"), 431);
    EXPECT_EQ(problem_of("GET /" + std::string(2000, 'x')), 431);
    RequestReader endless(1024, 64);
    std::string input;  // a line that never ends must not be kept for ever
    for (int i = 0; i < 3000 && endless.state() == State::head; ++i) {
        input += 'x';
        input.erase(0, endless.take(input));
    }
    EXPECT_EQ(endless.state(), State::bad);
}

TEST(RequestReader, ALongHeadIsTooLongInAnyPieces) {
    const auto head = [](std::size_t size) {
        const std::string start = "GET / HTTP/1.1\r\nHost: h\r\nX: ";
        return start + std::string(size - start.size() - 4, 'x') + "\r\n\r\n";
    };
    for (const std::size_t step : {std::size_t{1}, std::size_t{7}, std::size_t{1000}, std::string::npos}) {
        EXPECT_EQ(read(head(1024), step).state(), State::complete) << step;
        EXPECT_EQ(read(head(1025), step).problem().status, 431) << step;
    }
}

TEST(RequestReader, WhatIsNoRequestIsRefused) {
    EXPECT_EQ(problem_of("\x16\x03\x01\x02\r\n\r\n"), 400);  // TLS
    EXPECT_EQ(problem_of("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"), 400);
    EXPECT_EQ(problem_of("GET / HTTP/1.1\r\nHost: h\r\nContent-Length: x\r\n\r\n"), 400);
    EXPECT_EQ(problem_of("GET / HTTP/1.1\r\nHost: h\r\nContent-Length: -1\r\n\r\n"), 400);
    EXPECT_EQ(problem_of("GET / HTTP/1.1\r\nHost : h\r\n\r\n"), 400);
    EXPECT_EQ(problem_of("GET / HTTP/1.1\r\n\r\n"), 400);  // no Host
    EXPECT_EQ(problem_of("GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n"), 400);
    EXPECT_EQ(problem_of("CONNECT h:80 HTTP/1.1\r\nHost: h\r\n\r\n"), 400);
    EXPECT_EQ(problem_of("GET /%0a HTTP/1.1\r\nHost: h\r\n\r\n"), 400);
    EXPECT_EQ(problem_of("GET / HTTP/1.1\r\nHost: h\r\nExpect: tea\r\n\r\n"), 417);
}

// Two servers in a row that disagree about where a request ends are an attacker's tool.
TEST(RequestReader, AmbiguousLengthsAreRefused) {
    EXPECT_EQ(problem_of("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabcd"), 400);
    EXPECT_EQ(problem_of("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"), 400);
    EXPECT_EQ(problem_of("POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n0\r\n\r\n"), 400);
    EXPECT_EQ(problem_of("POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"), 400);
}

TEST(RequestReader, OnlyChunkedIsATransferCoding) {
    for (const char* coding : {"gzip", "gzip, chunked", "chunked, gzip", "chunked, chunked", "identity", "xchunked", ""})
        EXPECT_EQ(problem_of("POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: " + std::string(coding) + "\r\n\r\n0\r\n\r\n"),
                  501)
            << coding;
    EXPECT_EQ(problem_of("POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
              501);
    EXPECT_EQ(read("POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: Chunked\r\n\r\n0\r\n\r\n").state(), State::complete);
}

TEST(RequestReader, AClientMayAskBeforeItSendsTheBody) {
    const std::string head = "POST / HTTP/1.1\r\nHost: h\r\nExpect: 100-Continue\r\nContent-Length: 2\r\n\r\n";
    EXPECT_TRUE(read(head).expects_continue());
    EXPECT_FALSE(read(head + "ab").expects_continue());
    EXPECT_EQ(problem_of("POST / HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 200\r\n\r\n"), 413);
}

TEST(RequestReader, Paths) {
    const auto decoded = [](std::string_view target) {
        std::string path;
        return decode_path(target, path) ? path : "?";
    };
    EXPECT_EQ(decoded("/a%20b?c=d%"), "/a b");
    EXPECT_EQ(decoded("http://host:1/a"), "/a");
    EXPECT_EQ(decoded("http://host"), "/");
    EXPECT_EQ(decoded("*"), "*");
    EXPECT_EQ(decoded("/%C3%A4"), "/\xC3\xA4");
    for (const char* bad : {"a", "", "/%", "/%4", "/%zz", "/%00", "/%c3", "/%7f", "/%0d%0aX:y"})
        EXPECT_EQ(decoded(bad), "?") << bad;
}

}  // namespace
}  // namespace hlg::net
