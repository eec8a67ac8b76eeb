// SPDX-License-Identifier: MIT
#include "cli/canvas.hpp"

#include <gtest/gtest.h>

namespace hlg::cli {
namespace {

TEST(Canvas, BrailleDotsShareACell) {
    Canvas canvas(2, 1, true);
    EXPECT_EQ(canvas.width(), 4);
    EXPECT_EQ(canvas.height(), 4);
    canvas.dot(0, 0, Ink::plain, '*');
    canvas.dot(1, 3, Ink::plain, '*');
    canvas.dot(3, 0, Ink::plain, '*');
    EXPECT_EQ(canvas.line(0, false), "\u2881\u2808");
}

TEST(Canvas, AsciiHasOneDotACell) {
    Canvas canvas(4, 2, false);
    canvas.dot(1, 0, Ink::warm, '*');
    canvas.dot(3, 1, Ink::warm, '.');
    EXPECT_EQ(canvas.line(0, false), " *");
    EXPECT_EQ(canvas.line(1, false), "   .");
}

TEST(Canvas, GlyphsLieOverDots) {
    Canvas canvas(1, 1, true);
    EXPECT_TRUE(canvas.blank(0, 0));
    canvas.dot(0, 0, Ink::plain, '*');
    canvas.glyph(0, 0, "o", Ink::plain);
    EXPECT_FALSE(canvas.blank(0, 0));
    EXPECT_EQ(canvas.line(0, false), "o");
}

TEST(Canvas, OutsideIsIgnored) {
    Canvas canvas(1, 1, true);
    canvas.dot(-1, 0, Ink::plain, '*');
    canvas.dot(0, 4, Ink::plain, '*');
    canvas.glyph(1, 0, "o", Ink::plain);
    EXPECT_EQ(canvas.line(0, false), "");
}

TEST(Canvas, ColoursRunsNotCells) {
    Canvas canvas(4, 1, false);
    canvas.glyph(0, 0, "a", Ink::faint);
    canvas.glyph(1, 0, "b", Ink::faint);
    canvas.glyph(3, 0, "c", Ink::plain);
    EXPECT_EQ(canvas.line(0, true), "\x1b[2mab\x1b[0m c");
    EXPECT_EQ(canvas.line(0, false), "ab c");
}

}  // namespace
}  // namespace hlg::cli
