// SPDX-License-Identifier: MIT
#include "engine/text_stream.hpp"

#include <gtest/gtest.h>

namespace hlg::engine {
namespace {

/** Everything shown, piece by piece as it is cut. */
std::string shown(TextStream stream, std::string_view text, std::size_t step) {
    std::string all;
    for (std::size_t at = 0; at < text.size(); at += step) all += stream.push(text.substr(at, step));
    return all + stream.finish();
}

TEST(TextStream, ShowsAllWithoutStops) {
    const std::string text = "Grüße, 世界 🌍!";
    for (std::size_t step = 1; step < 9; ++step) EXPECT_EQ(shown(TextStream(), text, step), text);
}

TEST(TextStream, EndsBeforeTheFirstStopHoweverItIsCut) {
    for (std::size_t step = 1; step < 12; ++step) {
        EXPECT_EQ(shown(TextStream({"END", "STOP"}), "a STOP b END", step), "a ");
        EXPECT_EQ(shown(TextStream({"\n\n"}), "one\ntwo\n\nthree", step), "one\ntwo");
        EXPECT_EQ(shown(TextStream({"界"}), "世界 🌍", step), "世");
    }
}

TEST(TextStream, APrefixOfAStopIsHeldAndFlushedOnce) {
    TextStream stream({"</end>"});
    EXPECT_EQ(stream.push("x </e"), "x ");
    EXPECT_EQ(stream.held(), 3U);
    EXPECT_EQ(stream.push("mpty"), "</empty");
    EXPECT_EQ(stream.push("</end"), "");
    EXPECT_EQ(stream.finish(), "</end");
    EXPECT_EQ(stream.finish(), "");
}

TEST(TextStream, HoldsTheLongestOfSeveralPrefixes) {
    TextStream stream({"aab", "ab"});
    EXPECT_EQ(stream.push("xaa"), "x");
    EXPECT_EQ(stream.push("a"), "a");
    EXPECT_EQ(stream.push("b"), "");
    EXPECT_EQ(stream.stopped(), "aab");
    EXPECT_EQ(stream.push("more"), "");
    EXPECT_EQ(stream.finish(), "");
}

TEST(TextStream, TornCharactersAreDroppedAtTheEnd) {
    TextStream stream({"stop"});
    EXPECT_EQ(stream.push("ok \xF0\x9F"), "ok ");
    EXPECT_EQ(stream.held(), 2U);
    EXPECT_EQ(stream.finish(), "");
}

TEST(TextStream, EmptyStopsNeverMatch) { EXPECT_EQ(shown(TextStream({""}), "text", 1), "text"); }

}  // namespace
}  // namespace hlg::engine
