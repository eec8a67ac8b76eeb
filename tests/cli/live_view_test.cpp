// SPDX-License-Identifier: MIT
#include "cli/live_view.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "cli/chat_command.hpp"
#include "cli/engine_options.hpp"
#include "cli/run_output.hpp"

namespace hlg::cli {
namespace {

using Lines = std::vector<std::string>;

TEST(LiveView, OneLineIsNeverWider) {
    EXPECT_EQ(one_line("short", 10), "short");
    EXPECT_EQ(one_line("exactly 10", 10), "exactly 10");
    EXPECT_EQ(one_line("eleven char", 10), "eleven ...");
    EXPECT_EQ(one_line("a\nb\tc", 10), "a b c");
    EXPECT_EQ(one_line("\u00fcber \u00fcber", 6), "\u00fcbe...");
    EXPECT_EQ(one_line("", 10), "");
    EXPECT_EQ(one_line("\u00e4\u00f6\u00fc", 3), "\u00e4\u00f6\u00fc");
}

TEST(LiveView, LastLinesAreBrokenBetweenWords) {
    EXPECT_EQ(last_lines("one two three four", 9, 5), (Lines{"one two", "three", "four"}));
    EXPECT_EQ(last_lines("one two three four", 9, 2), (Lines{"three", "four"}));
    EXPECT_EQ(last_lines("one\n\ntwo\n", 9, 5), (Lines{"one", "", "two"}));
    EXPECT_EQ(last_lines("", 9, 5), Lines{});
    EXPECT_EQ(last_lines("a\x1b[2Jb\r", 9, 5), (Lines{"a [2Jb "}));
}

// The lines must stand still while a long text grows.
TEST(LiveView, LinesOfALongTextStayAsItGrows) {
    std::string text;
    std::size_t moved = 0;
    Lines before;
    for (int word = 0; word < 6'000; ++word) {
        text += "word" + std::to_string(word) + ' ';
        if (word % 7 != 0) continue;
        Lines lines = last_lines(text, 60, 4);
        if (lines.size() == 4 && before.size() == 4 && lines[0] != before[0] && lines[0] != before[1] && lines[0] != before[2])
            ++moved;
        before = std::move(lines);
    }
    EXPECT_LT(moved, 12U);
}

TEST(LiveView, PictureFitsTheTerminal) {
    std::vector<RunReport> reports(9);
    for (std::size_t i = 0; i < reports.size(); ++i) {
        reports[i].index = i;
        reports[i].prompt = std::string(100, 'p');
        for (int word = 0; word < 100; ++word) reports[i].text += "words ";
    }
    for (const int height : {1, 2, 3, 10, 24, 100}) {
        const Lines lines = live_lines(reports, 2, {40, height}, false);
        EXPECT_LE(lines.size(), static_cast<std::size_t>(std::max(height - 1, 2))) << height;
        for (const std::string& line : lines) EXPECT_LE(line.size(), 40U);
        EXPECT_TRUE(lines.front().starts_with("3  ppp")) << lines.front();
    }
    EXPECT_EQ(live_lines(reports, 2, {40, 10}, false).back(), "and 5 more");
    EXPECT_EQ(live_lines(reports, 9, {40, 10}, false).size(), 0U);
}

TEST(Header, NamesWhatDiffers) {
    std::vector<RunReport> reports(4);
    reports[1].choice = reports[3].choice = 1;
    EXPECT_EQ(header(std::span(reports).first(2), 1, 80), "==> 2 of 2 <==");
    reports[2].index = reports[3].index = 1;
    reports[2].prompt = reports[3].prompt = "Dear diary, today I saw a king";
    EXPECT_EQ(header(reports, 3, 80), "==> 4 of 4: Dear diary, today I saw a king (answer 2) <==");
    EXPECT_EQ(header(reports, 3, 40), "==> 4 of 4: Dear diary... (answer 2) <==");
}

TEST(ChatCommand, Commands) {
    EXPECT_FALSE(chat_command("hello"));
    EXPECT_FALSE(chat_command(""));
    EXPECT_FALSE(chat_command("//etc"));
    EXPECT_FALSE(chat_command(" /reset"));
    EXPECT_EQ(spoken("//etc"), "/etc");
    EXPECT_EQ(spoken("etc/"), "etc/");
    EXPECT_EQ(chat_command("/reset ")->kind, ChatCommand::Kind::reset);
    EXPECT_EQ(chat_command("/seed  42 ")->argument, "42");
    EXPECT_EQ(chat_command("/seed")->argument, "");
    EXPECT_EQ(chat_command("/exit now")->kind, ChatCommand::Kind::unknown);
    EXPECT_NE(chat_command("/bye")->argument.find("no command /bye; there are /reset, /seed"), std::string::npos);
    EXPECT_NE(chat_command("/rest")->argument.find("did you mean /reset?"), std::string::npos);
    EXPECT_EQ(chat_command("/")->kind, ChatCommand::Kind::unknown);
}

TEST(Lora, ScaleBehindTheLastColon) {
    EXPECT_EQ(parse_lora("a.gguf").path, "a.gguf");
    EXPECT_EQ(parse_lora("a.gguf").scale, 1.0F);
    EXPECT_EQ(parse_lora("C:a.gguf:-0.5").path, "C:a.gguf");
    EXPECT_EQ(parse_lora("C:a.gguf:-0.5").scale, -0.5F);
}

}  // namespace
}  // namespace hlg::cli
