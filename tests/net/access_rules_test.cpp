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

}  // namespace
}  // namespace hlg::net
