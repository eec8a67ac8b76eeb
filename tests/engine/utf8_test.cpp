// SPDX-License-Identifier: MIT
#include "engine/utf8.hpp"

#include <gtest/gtest.h>

namespace hlg::engine {
namespace {

TEST(Utf8, AsciiPassesAtOnce) {
    Utf8Assembler characters;
    EXPECT_EQ(characters.push("abc"), "abc");
    EXPECT_EQ(characters.push(""), "");
    EXPECT_TRUE(characters.pending().empty());
}

TEST(Utf8, ACharacterWaitsUntilItIsWhole) {
    for (const std::string text : {"\u00e9", "\u20ac", "\U0001F600", "\U0010FFFF"}) {
        Utf8Assembler characters;
        for (std::size_t i = 0; i + 1 < text.size(); ++i) EXPECT_EQ(characters.push(text.substr(i, 1)), "") << text;
        EXPECT_EQ(characters.push(text.substr(text.size() - 1)), text);
        EXPECT_TRUE(characters.pending().empty());
    }
}

TEST(Utf8, EverySplitOfATextGivesTheText) {
    const std::string text = "na\u00efve \u20ac5 \U0001F600!";
    for (std::size_t first = 0; first <= text.size(); ++first) {
        for (std::size_t second = first; second <= text.size(); ++second) {
            Utf8Assembler characters;
            std::string out = characters.push(text.substr(0, first));
            out += characters.push(text.substr(first, second - first));
            out += characters.push(text.substr(second));
            EXPECT_EQ(out, text);
        }
    }
}

TEST(Utf8, TornBytesAtTheEndStayPending) {
    Utf8Assembler characters;
    EXPECT_EQ(characters.push("ok\xF0\x9F\x98"), "ok");
    EXPECT_EQ(characters.pending(), "\xF0\x9F\x98");
}

TEST(Utf8, WhatFitsNowhereIsReplaced) {
    const std::string bad = "\uFFFD";
    const std::pair<std::string, std::string> cases[] = {
        {"\x80"
         "a",
         bad + "a"},  // a continuation byte alone
        {"\xC3"
         "a",
         bad + "a"},                                  // a lead without its continuation
        {"\xC0\xAF", bad + bad},                      // overlong
        {"\xE0\x80\xAF", bad + bad + bad},            // overlong
        {"\xED\xA0\x80", bad + bad + bad},            // a surrogate
        {"\xF4\x90\x80\x80", bad + bad + bad + bad},  // beyond U+10FFFF
        {"\xF0\x9F\x98"
         "a",
         bad + "a"},  // a torn character in the middle is one mistake
        {"\xFF", bad},
    };
    for (const auto& [input, expected] : cases) {
        Utf8Assembler characters;
        EXPECT_EQ(characters.push(input), expected);
        EXPECT_TRUE(characters.pending().empty());
    }
}

TEST(Utf8, SaysWhereTextStopsBeingUtf8) {
    EXPECT_EQ(first_invalid_utf8(""), std::nullopt);
    EXPECT_EQ(first_invalid_utf8("na\u00efve \U0001F600"), std::nullopt);
    EXPECT_EQ(first_invalid_utf8("\xFF"), 0U);
    EXPECT_EQ(first_invalid_utf8("\u00ef\x80"), 2U);      // a continuation without its lead
    EXPECT_EQ(first_invalid_utf8("ab\xE2\x82"), 2U);      // torn at the end
    EXPECT_EQ(first_invalid_utf8("a\xF0\x9F\x98z"), 1U);  // torn in the middle
    EXPECT_EQ(first_invalid_utf8("ab\xED\xA0\x80"), 2U);  // a surrogate
    EXPECT_EQ(first_invalid_utf8("abc\xC0\xAF"), 3U);     // overlong
    EXPECT_EQ(first_invalid_utf8(std::string_view("\0a", 2)), std::nullopt);
}

TEST(Utf8, ATornCharacterThenAnotherOne) {
    Utf8Assembler characters;
    EXPECT_EQ(characters.push("\xE2\x82"), "");
    EXPECT_EQ(characters.push("\xE2\x82\xAC"), "\uFFFD\u20ac");
}

}  // namespace
}  // namespace hlg::engine
