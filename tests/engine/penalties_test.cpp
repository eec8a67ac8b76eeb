// SPDX-License-Identifier: MIT
#include "engine/penalties.hpp"

#include <map>

#include <gtest/gtest.h>

namespace hlg::engine {
namespace {

const std::vector<float> logits{4.0F, -2.0F, 1.0F, 0.0F, -std::numeric_limits<float>::infinity(), 3.0F};

/** The sum of each token's deltas. */
std::map<Token, float> deltas(EditList& list) {
    std::map<Token, float> sums;
    for (const Edit& edit : list.edits(logits)) sums[edit.token] += edit.delta;
    return sums;
}

TEST(EditList, NothingToDoIsNoEdit) {
    EditList list({}, {}, std::vector<Token>{0, 1, 2});
    list.accept(3);
    EXPECT_TRUE(list.edits(logits).empty());
}

TEST(EditList, RepeatScalesLogitsOfPromptAndTextTowardsLess) {
    EditList list({.repeat = 2.0}, {}, std::vector<Token>{0, 1});
    EXPECT_EQ(deltas(list), (std::map<Token, float>{{0, -2.0F}, {1, -2.0F}}));
    list.accept(5);
    EXPECT_EQ(deltas(list), (std::map<Token, float>{{0, -2.0F}, {1, -2.0F}, {5, -1.5F}}));
}

TEST(EditList, PresenceAndFrequencyCountWhatWasGenerated) {
    EditList list({.presence = 0.5, .frequency = 0.25}, {}, std::vector<Token>{0, 0, 0});
    EXPECT_TRUE(deltas(list).empty());
    list.accept(2);
    EXPECT_EQ(deltas(list), (std::map<Token, float>{{2, -0.75F}}));
    list.accept(2);
    list.accept(0);
    EXPECT_EQ(deltas(list), (std::map<Token, float>{{2, -1.0F}, {0, -0.75F}}));
}

TEST(EditList, TheWindowOfRepeatSlides) {
    EditList list({.repeat = 2.0, .last_n = 2}, {}, std::vector<Token>{0, 1, 2});
    EXPECT_EQ(deltas(list), (std::map<Token, float>{{1, -2.0F}, {2, -0.5F}}));
    list.accept(2);
    EXPECT_EQ(deltas(list), (std::map<Token, float>{{2, -0.5F}}));
    list.accept(5);
    list.accept(5);
    EXPECT_EQ(deltas(list), (std::map<Token, float>{{5, -1.5F}}));
}

TEST(EditList, AllOrNoneOfTheTextCanBeLookedAt) {
    std::vector<Token> prompt(1000, 3);
    prompt.front() = 0;
    EditList all({.repeat = 2.0, .last_n = -1}, {}, prompt);
    EXPECT_EQ(deltas(all), (std::map<Token, float>{{0, -2.0F}}));  // 0 halved is 0
    EditList none({.repeat = 2.0, .last_n = 0}, {}, prompt);
    none.accept(0);
    EXPECT_TRUE(deltas(none).empty());
}

TEST(EditList, AMaskedTokenStaysMasked) {
    EditList list({.repeat = 2.0, .presence = 1.0}, {}, std::vector<Token>{4});
    EXPECT_TRUE(deltas(list).empty());
    list.accept(4);
    EXPECT_EQ(deltas(list), (std::map<Token, float>{{4, -1.0F}}));
}

TEST(EditList, BiasesComeOnTopAndEditsAreSorted) {
    EditList list({.presence = 1.0}, {{5, 2.0F}, {0, -1.0F}}, {});
    for (const Token token : {5, 3, 0}) list.accept(token);
    EXPECT_EQ(deltas(list), (std::map<Token, float>{{0, -2.0F}, {3, -1.0F}, {5, 1.0F}}));
    const auto edits = list.edits(logits);
    EXPECT_TRUE(std::is_sorted(edits.begin(), edits.end(), [](const Edit& a, const Edit& b) { return a.token < b.token; }));
}

}  // namespace
}  // namespace hlg::engine
