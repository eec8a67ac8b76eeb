// SPDX-License-Identifier: MIT
#include "net/access_rules.hpp"

#include <gtest/gtest.h>

namespace hlg::net {
namespace {

api::HttpRequest with(std::vector<api::Header> headers) {
    return {.method = "GET", .path = "/", .headers = std::move(headers), .body = {}};
}

std::string value_of(const std::vector<api::Header>& headers, const std::string& name) {
    for (const api::Header& header : headers)
        if (header.name == name) return header.value;
    return "-";
}

TEST(AccessRules, EqualInConstantTime) {
    EXPECT_TRUE(equal_in_constant_time("secret", "secret"));
    for (const char* other : {"secreT", "Secret", "secre", "secrets", "secretsecret", ""})
        EXPECT_FALSE(equal_in_constant_time(other, "secret")) << other;
    EXPECT_FALSE(equal_in_constant_time("x", ""));
}

TEST(AccessRules, WithoutKeysAllAreAdmitted) { EXPECT_TRUE(AccessRules({}, {}).admits(with({}))); }

TEST(AccessRules, AnyOfTheKeysInEitherHeader) {
    const AccessRules rules({"one", "two"}, {});
    EXPECT_FALSE(rules.admits(with({})));
    EXPECT_TRUE(rules.admits(with({{"authorization", "Bearer two"}})));
    EXPECT_TRUE(rules.admits(with({{"authorization", "bearer  one"}})));
    EXPECT_TRUE(rules.admits(with({{"x-api-key", "one"}})));
    EXPECT_TRUE(rules.admits(with({{"authorization", "Bearer made-up"}, {"x-api-key", "two"}})));
    for (const char* bad : {"Bearer three", "Bearer", "Bearer ", "one", "Basic one", "Bearer one "})
        EXPECT_FALSE(rules.admits(with({{"authorization", bad}}))) << bad;
    EXPECT_FALSE(rules.admits(with({{"x-api-key", ""}})));
}

TEST(AccessRules, CorsIsOffUnlessAsked) {
    const AccessRules rules({}, {});
    EXPECT_TRUE(rules.cors(with({{"origin", "https://a"}})).empty());
    EXPECT_EQ(value_of(rules.options(with({{"origin", "https://a"}}), "POST").headers, "access-control-allow-origin"), "-");
}

TEST(AccessRules, CorsForSomeOrAll) {
    const AccessRules some({}, {"https://a", "https://b"});
    EXPECT_EQ(value_of(some.cors(with({{"origin", "https://b"}})), "access-control-allow-origin"), "https://b");
    EXPECT_EQ(value_of(some.cors(with({{"origin", "https://b"}})), "vary"), "origin");
    EXPECT_EQ(value_of(some.cors(with({{"origin", "https://c"}})), "access-control-allow-origin"), "-");
    EXPECT_EQ(value_of(some.cors(with({{"origin", "https://c"}})), "vary"), "origin");
    EXPECT_EQ(value_of(AccessRules({}, {"*"}).cors(with({{"origin", "https://c"}})), "access-control-allow-origin"), "*");
}

// Client libraries read their vendor's name of the request's id, in a browser only where it is exposed.
TEST(AccessRules, BothNamesOfTheRequestsIdAreExposed) {
    const std::string exposed =
        value_of(AccessRules({}, {"*"}).cors(with({{"origin", "https://a"}})), "access-control-expose-headers");
    EXPECT_EQ(exposed, "x-request-id, request-id, x-hlg-ignored, x-hlg-schema-ignored, retry-after");
}

TEST(AccessRules, Preflight) {
    const AccessRules rules({"key"}, {"https://a"});
    const api::Reply reply = rules.options(with({{"origin", "https://a"},
                                                 {"access-control-request-method", "POST"},
                                                 {"access-control-request-headers", "authorization,x-stainless-os"}}),
                                           "POST, OPTIONS");
    EXPECT_EQ(reply.status, 204);
    EXPECT_EQ(value_of(reply.headers, "access-control-allow-headers"), "authorization,x-stainless-os");
    EXPECT_EQ(value_of(reply.headers, "access-control-allow-methods"), "POST, OPTIONS");
    EXPECT_EQ(value_of(reply.headers, "allow"), "POST, OPTIONS");
    const auto other = rules.options(with({{"origin", "https://b"}}), "GET").headers;
    EXPECT_EQ(value_of(other, "access-control-allow-methods"), "-");
    EXPECT_EQ(value_of(other, "allow"), "GET");
    // Nothing is claimed of a path that is not known yet.
    const auto unknown = rules.options(with({{"origin", "https://a"}}), {}).headers;
    EXPECT_EQ(value_of(unknown, "access-control-allow-origin"), "https://a");
    EXPECT_EQ(value_of(unknown, "access-control-allow-methods"), "-");
    EXPECT_EQ(value_of(unknown, "allow"), "-");
}

int against(const AccessRules& rules, std::vector<api::Header> headers) {
    const auto problem = rules.against_pages(with(std::move(headers)));
    return problem ? problem->status : 0;
}

TEST(AccessRules, PagesOfOtherOriginsMayNotCall) {
    const AccessRules rules({}, {});
    EXPECT_EQ(against(rules, {{"host", "localhost:8080"}}), 0);
    EXPECT_EQ(against(rules, {{"host", "localhost:8080"}, {"origin", "http://localhost:8080"}}), 0);
    for (const char* origin : {"http://evil.example", "http://localhost:5173", "null", ""})
        EXPECT_EQ(against(rules, {{"host", "localhost:8080"}, {"origin", origin}}), 403) << origin;
    EXPECT_EQ(against(rules, {{"origin", "http://evil.example"}}), 403);  // HTTP/1.0
    const AccessRules some({}, {"https://a", "null"});
    EXPECT_EQ(against(some, {{"host", "h"}, {"origin", "https://a"}}), 0);
    EXPECT_EQ(against(some, {{"host", "h"}, {"origin", "null"}}), 0);
    EXPECT_EQ(against(some, {{"host", "h"}, {"origin", "https://b"}}), 403);
    EXPECT_EQ(against(AccessRules({}, {"*"}), {{"host", "h"}, {"origin", "https://b"}}), 0);
}

TEST(AccessRules, AKeyMakesUpForTheOrigin) {
    const AccessRules rules({"one"}, {});
    EXPECT_EQ(against(rules, {{"host", "h"}, {"origin", "https://a"}, {"x-api-key", "one"}}), 0);
    EXPECT_EQ(against(rules, {{"host", "h"}, {"origin", "https://a"}, {"x-api-key", "two"}}), 403);
    EXPECT_EQ(against(rules, {{"host", "h"}, {"origin", "https://a"}}), 403);
    EXPECT_EQ(against(rules, {{"host", "h"}, {"origin", "https://h"}}), 0);  // the playground asks for the key
}

// A name server may say of any name that it is this machine.
TEST(AccessRules, AServerOfThisMachineKnowsItsNames) {
    AccessRules rules({}, {});
    EXPECT_EQ(against(rules, {{"host", "evil.example:8080"}}), 0);  // it can be reached by any name, for all it knows
    rules.only_this_machine("Mine");
    for (const char* host : {"localhost:8080", "LOCALHOST", "127.0.0.1:1", "127.1.2.3", "[::1]:8080", "mine:8080", ""})
        EXPECT_EQ(against(rules, {{"host", host}}), 0) << host;
    for (const char* host : {"evil.example:8080", "evil.example", "192.168.0.1:8080", "localhost.evil.example"}) {
        EXPECT_EQ(against(rules, {{"host", host}}), 403) << host;
        EXPECT_EQ(against(rules, {{"host", host}, {"origin", "http://" + std::string(host)}}), 403) << host;
    }
    AccessRules named({}, {"https://llm.example.org"});
    named.only_this_machine("127.0.0.1");
    EXPECT_EQ(against(named, {{"host", "llm.example.org"}}), 0);
    EXPECT_EQ(against(named, {{"host", "evil.example"}}), 403);
    for (AccessRules open : {AccessRules({}, {"*"}), AccessRules({"key"}, {})}) {
        open.only_this_machine("127.0.0.1");
        EXPECT_EQ(against(open, {{"host", "hlg"}}), 0);  // a proxy's name for its upstream
    }
}

}  // namespace
}  // namespace hlg::net
