// SPDX-License-Identifier: MIT
#include "engine/json_limits.hpp"

#include <string>

#include <gtest/gtest.h>

namespace hlg::engine {
namespace {

std::string nested(std::size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); }

std::string message(const Failure& failure) { return failure ? failure->message : ""; }

TEST(JsonLimits, TheDeepestAndTheDeeper) {
    EXPECT_FALSE(check_json(nested(max_json_depth), "tools"));
    EXPECT_EQ(message(check_json(nested(max_json_depth + 1), "tools")), "tools has a nesting depth of 65, the limit is 64");
    EXPECT_EQ(check_json(nested(max_json_depth + 1), "tools")->code, ErrorCode::bad_request);
    EXPECT_TRUE(check_json(std::string(100'000, '{'), "tools"));
}

TEST(JsonLimits, BracketsInStringsDoNotNest) {
    const std::string brackets(1000, '[');
    EXPECT_FALSE(check_json("[\"" + brackets + "\"]", "x"));
    EXPECT_FALSE(check_json("[\"\\\"" + brackets + "\"]", "x"));
    EXPECT_TRUE(check_json("[\"\\\\\"" + brackets, "x"));  // the quote ends behind an escaped backslash
}

TEST(JsonLimits, ManyBesideOneAnotherAreNotDeep) {
    std::string many;
    for (int i = 0; i < 10'000; ++i) many += "[{}],";
    EXPECT_FALSE(check_json("[" + many + "[]]", "x"));
}

TEST(JsonLimits, TheLongestAndTheLonger) {
    EXPECT_FALSE(check_json(std::string(max_schema_bytes, ' '), "x"));
    EXPECT_EQ(message(check_json(std::string(max_schema_bytes + 1, ' '), "x")),
              "x has a size in bytes of 262145, the limit is 262144");
    EXPECT_FALSE(check_json(std::string(max_schema_bytes + 1, ' '), "x", max_messages_bytes));
}

TEST(JsonLimits, OnlyUtf8) { EXPECT_EQ(message(check_json("[\"\xFF\"]", "x")), "x is not UTF-8 at byte 2"); }

TEST(OneLine, IsOne) {
    EXPECT_EQ(one_line("a\n  b\tc \n"), "a b c");
    EXPECT_EQ(one_line("\n----\nWhile executing at line 3\nError: Jinja Exception: roles must alternate"),
              "Jinja Exception: roles must alternate");
    EXPECT_EQ(one_line(std::string(299, 'x') + "\u00e9\u00e9"), std::string(299, 'x') + "...");  // no half of a character
}

}  // namespace
}  // namespace hlg::engine
