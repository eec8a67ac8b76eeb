// SPDX-License-Identifier: MIT
#include "net/authority.hpp"

#include <gtest/gtest.h>

namespace hlg::net {
namespace {

TEST(Authority, TheNameOfAHost) {
    EXPECT_EQ(host_name("LLM.example.org:8443"), "llm.example.org");
    EXPECT_EQ(host_name("localhost"), "localhost");
    EXPECT_EQ(host_name("[::1]:8080"), "[::1]");
    EXPECT_EQ(host_name("[::1]"), "[::1]");
    EXPECT_EQ(host_name("[::1"), "[::1");
    EXPECT_EQ(host_name(""), "");
    EXPECT_EQ(host_name(host_of_origin("https://a.example:1")), "a.example");
    EXPECT_EQ(host_of_origin("null"), "");
    EXPECT_EQ(host_of_origin("*"), "");
}

TEST(Authority, APageAndItsServer) {
    EXPECT_TRUE(is_origin_of("http://localhost:8080", "localhost:8080"));
    EXPECT_TRUE(is_origin_of("https://llm.example.org", "LLM.example.org"));
    EXPECT_TRUE(is_origin_of("https://llm.example.org", "llm.example.org:443"));
    EXPECT_TRUE(is_origin_of("http://[::1]:8080", "[::1]:8080"));
    EXPECT_TRUE(is_origin_of("http://a", "a:80"));
    EXPECT_FALSE(is_origin_of("http://localhost:5173", "localhost:8080"));
    EXPECT_FALSE(is_origin_of("http://localhost", "localhost:8080"));
    EXPECT_FALSE(is_origin_of("http://evil.example", "localhost:8080"));
    EXPECT_FALSE(is_origin_of("http://a", "a:443"));
    EXPECT_FALSE(is_origin_of("null", ""));
    EXPECT_FALSE(is_origin_of("null", "null"));
    EXPECT_FALSE(is_origin_of("", ""));
    EXPECT_FALSE(is_origin_of("http://", ""));
    EXPECT_FALSE(is_origin_of("moz-extension://localhost:8080", "localhost:8080"));
}

TEST(Authority, NamesOfThisMachine) {
    for (const char* name : {"localhost", "127.0.0.1", "127.8.8.8", "[::1]"}) EXPECT_TRUE(is_loopback_name(name)) << name;
    for (const char* name : {"", "evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "128.0.0.1", "0.0.0.0",
                             "[::2]", "[::1", "127.0.0.1x", "localhost."})
        EXPECT_FALSE(is_loopback_name(name)) << name;
}

}  // namespace
}  // namespace hlg::net
