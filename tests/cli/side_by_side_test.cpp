// SPDX-License-Identifier: MIT
#include "cli/side_by_side.hpp"

#include <gtest/gtest.h>

namespace hlg::cli {
namespace {

eval::Trace words(const std::vector<std::string>& tokens, const std::string& region = "", double p = 0.5, double q = 0.5) {
    eval::Trace trace;
    for (const std::string& token : tokens) trace.tokens.push_back({token, p, q, region});
    return trace;
}

TEST(SideBySide, ColumnsAreBrokenBetweenWords) {
    const eval::Trace one = words({" the", " quick", " brown", " fox", " jumps", " over", " it"});
    const eval::Trace other = words({"a\n", "b"});
    EXPECT_EQ(side_by_side({{"one", &one}, {"other", &other}}, 51, false),
              "one                        other\n"
              "the quick brown fox        a\n"
              "jumps over it              b\n");
}

TEST(SideBySide, CharactersCountOnceAndCursorsStayWhereTheyAre) {
    const eval::Trace text = words({"\u00e4\u00f6\u00fc", " ", "x\x1b[2J"});
    EXPECT_EQ(side_by_side({{"t", &text}, {"t", &text}}, 51, false),
              "t                          t\n"
              "\u00e4\u00f6\u00fc x[2J                   \u00e4\u00f6\u00fc x[2J\n");
}

TEST(SideBySide, LongWordsAreCut) {
    const eval::Trace text = words({std::string(30, 'x')});
    EXPECT_EQ(side_by_side({{"t", &text}}, 24, false), "t\n" + std::string(24, 'x') + "\n" + std::string(6, 'x') + "\n");
}

TEST(SideBySide, NarrowTerminalsHaveThemOneBelowTheOther) {
    const eval::Trace text = words({"one"});
    EXPECT_EQ(side_by_side({{"a", &text}, {"b", &text}}, 40, false), "a\none\n\nb\none\n");
}

TEST(SideBySide, ColoursTellRegionAndMove) {
    const eval::Trace toe = words({"x"}, "toe", 0.5, 0.1);
    EXPECT_NE(side_by_side({{"t", &toe}}, 30, true).find("\033[1;94mx\033[0m"), std::string::npos);
    const eval::Trace shoulder = words({"x"}, "shoulder", 0.5, 0.4);
    EXPECT_NE(side_by_side({{"t", &shoulder}}, 30, true).find("\033[33mx\033[0m"), std::string::npos);
    const eval::Trace mid = words({"x"}, "mid", 0.5, 0.4);
    EXPECT_EQ(side_by_side({{"t", &mid}}, 30, true).find("\033[3"), std::string::npos);
    EXPECT_EQ(colour_key(false), "");
}

}  // namespace
}  // namespace hlg::cli
