// SPDX-License-Identifier: MIT
//
// Measures of texts: by hand, and against the same measures written down once more (tests/vectors/text_measures.py).
#include "eval/text_measures.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include <nlohmann/json.hpp>

#include "eval/character_model.hpp"
#include "eval/passage.hpp"
#include "eval/random.hpp"

namespace hlg::eval {
namespace {

nlohmann::json vectors() {
    std::ifstream in(HLG_TEXT_VECTORS);
    return nlohmann::json::parse(in);
}

TEST(Words, RunsOfLettersWithApostrophesInside) {
    EXPECT_EQ(words_of("The fox's den, 'Come in!' don\xE2\x80\x99t-- 12 caf\xC3\xA9s."),
              (Words{"the", "fox's", "den", "come", "in", "don't", "caf\xC3\xA9s"}));
    EXPECT_EQ(words_of("\xE2\x80\x9CYes\xE2\x80\x9D\xE2\x80\x94no\xC2\xBB \xC2\xB5s"), (Words{"yes", "no", "\xC2\xB5s"}));
    EXPECT_TRUE(words_of(" 12 '' -- ").empty());
}

TEST(Words, AContinuationJoinsThePromptAndLeavesATornEndOut) {
    EXPECT_EQ(continuation_words("He saw the win", "dow and wen", true), (Words{"window", "and"}));
    EXPECT_EQ(continuation_words("He saw the win", "dow and wen", false), (Words{"window", "and", "wen"}));
    EXPECT_EQ(continuation_words("He saw the", " window. And ", true), (Words{"window", "and"}));
    EXPECT_EQ(continuation_words("so", "\xE2\x80\x94he went\xE2\x80\x99", true), (Words{"he", "went"}));
    EXPECT_EQ(continuation_words("so,", "he went.", true), (Words{"he", "went"}));
    EXPECT_TRUE(continuation_words("x", "", true).empty());
}

TEST(WordList, CaseAndPossessivesDoNotCount) {
    const WordList list = WordList::parse("Fox\nden\ndon't\n\nthe\n");
    EXPECT_EQ(list.size(), 4U);
    for (const char* word : {"fox", "fox's", "don't", "the"}) EXPECT_TRUE(list.has(word)) << word;
    for (const char* word : {"foxes", "'s", "s", "cat"}) EXPECT_FALSE(list.has(word)) << word;
    const std::vector<Words> texts{{"the", "fox"}, {"the", "blorp"}, {}};
    EXPECT_DOUBLE_EQ(non_words(texts, list), 0.25);
    EXPECT_TRUE(std::isnan(non_words(std::vector<Words>{{}}, list)));
}

TEST(TextMeasures, ByHand) {
    // a b / a b: the same. a b / c d: nothing in common. a b / a c: one count of three (a, b, ab), so a cosine of 1/3.
    EXPECT_NEAR(dissimilarity(cosines(std::vector<Words>{{"a", "b"}, {"a", "b"}})), 0.0, 1e-15);
    EXPECT_DOUBLE_EQ(dissimilarity(cosines(std::vector<Words>{{"a", "b"}, {"c", "d"}})), 1.0);
    const std::vector<Words> three{{"a", "b"}, {"a", "c"}, {"d", "e"}};
    EXPECT_NEAR(dissimilarity(cosines(three)), 1.0 - (1.0 / 3) / 3, 1e-15);
    EXPECT_DOUBLE_EQ(distinct(three, 1), 5.0 / 6);
    EXPECT_DOUBLE_EQ(distinct(three, 2), 1.0);
    EXPECT_TRUE(std::isnan(distinct(three, 3)));
    // 6 words evenly from 10: 10 (1 - .9^6) different ones are expected.
    EXPECT_NEAR(expectation_adjusted_distinct(three, 10), 5.0 / (10 * (1 - std::pow(0.9, 6))), 1e-12);
    // All alike: one text in effect; all different: as many as there are.
    EXPECT_NEAR(vendi(cosines(std::vector<Words>{{"a"}, {"a"}, {"a"}})), 1.0, 1e-9);
    EXPECT_NEAR(vendi(cosines(std::vector<Words>{{"a"}, {"b"}, {"c"}})), 3.0, 1e-9);
    // Runs of four in a b c d a b c d e: abcd bcda cdab dabc abcd bcde, the fifth had before.
    EXPECT_DOUBLE_EQ(repetition(std::vector<Words>{{"a", "b", "c", "d", "a", "b", "c", "d", "e"}}), 1.0 / 6);
    // The same text again is a perfect match; one that shares no word matches nothing.
    EXPECT_NEAR(self_bleu(std::vector<Words>{{"a", "b", "c", "d", "e"}, {"a", "b", "c", "d", "e"}}), 1.0, 1e-12);
    EXPECT_DOUBLE_EQ(self_bleu(std::vector<Words>{{"a", "b", "c", "d"}, {"e", "f", "g", "h"}}), 0.0);
    EXPECT_TRUE(std::isnan(self_bleu(std::vector<Words>{{"a"}})));
    EXPECT_TRUE(std::isnan(dissimilarity(cosines(std::vector<Words>{{"a"}}))));
}

TEST(TextMeasures, AsWrittenDownOnceMore) {
    const nlohmann::json all = vectors();
    ASSERT_EQ(all["cases"].size(), 5U);
    for (const auto& one : all["cases"]) {
        const auto texts = one["texts"].get<std::vector<Words>>();
        const std::vector<double> matrix = cosines(texts);
        EXPECT_NEAR(dissimilarity(matrix), one["dissimilarity"].get<double>(), 1e-12);
        EXPECT_NEAR(vendi(matrix), one["vendi"].get<double>(), 1e-9);
        for (std::size_t n = 1; n <= 3; ++n) EXPECT_NEAR(distinct(texts, n), one["distinct"][n - 1].get<double>(), 1e-12);
        EXPECT_NEAR(expectation_adjusted_distinct(texts, 50), one["adjusted"].get<double>(), 1e-12);
        EXPECT_NEAR(self_bleu(texts), one["self_bleu"].get<double>(), 1e-12);
        EXPECT_NEAR(repetition(texts), one["repetition"].get<double>(), 1e-12);
    }
}

TEST(TextMeasures, MoreSamplesDoNotMakeTextsMoreDissimilar) {
    // Of texts of one kind, the mean over pairs is the same for few and for many: it has no bias.
    Random dice(5);
    const auto texts = [&](std::size_t n) {
        std::vector<Words> made(n);
        for (Words& words : made)
            for (std::size_t i = 0; i < 12; ++i) words.push_back(std::string(1, static_cast<char>('a' + dice.below(9))));
        return made;
    };
    double few = 0.0;
    for (int i = 0; i < 400; ++i) few += dissimilarity(cosines(texts(3))) / 400;
    EXPECT_NEAR(few, dissimilarity(cosines(texts(120))), 0.012);
}

TEST(CharacterModel, ByHand) {
    // Of "aab": a twice, b once, two different ones. p(a) = (2 + 2/256) / 5.
    CharacterModel one(1);
    one.learn("aab");
    EXPECT_NEAR(one.score("", "a").log_probability, std::log((2 + 2.0 / 256) / 5), 1e-12);
    EXPECT_NEAR(one.score("", "z").log_probability, std::log((2.0 / 256) / 5), 1e-12);
    // Behind an a came a and b: p(b | a) = (1 + 2 p(b)) / 4.
    CharacterModel two(2);
    two.learn("aab");
    EXPECT_NEAR(two.score("a", "b").log_probability, std::log((1 + 2 * (1 + 2.0 / 256) / 5) / 4), 1e-12);
    EXPECT_EQ(two.score("a", "b  c\n").characters, 4U);
}

TEST(CharacterModel, AsWrittenDownOnceMore) {
    const nlohmann::json all = vectors();
    ASSERT_EQ(all["characters"].size(), 9U);
    for (const auto& one : all["characters"]) {
        CharacterModel model(one["order"].get<std::size_t>());
        model.learn(one["real"].get<std::string>());
        EXPECT_NEAR(model.score(one["before"].get<std::string>(), one["text"].get<std::string>()).log_probability,
                    one["ln_p"].get<double>(), 1e-9);
    }
}

TEST(Passages, SumsOverAPromptsTexts) {
    const WordList list = WordList::parse("the\nfox\nden\n");
    const WrittenText first{.text = " fox den", .finish = "stop", .tokens = {{" fox", -1.0F}, {" den", -3.0F}}};
    const WrittenText second{.text = " blorp fo", .finish = "length", .tokens = {{" blorp", -10.0F}}};
    const std::vector<Passage> passages{read_passage("The", first, nullptr), read_passage("The", second, nullptr)};
    EXPECT_EQ(passages[1].words, (Words{"blorp"}));
    const TextMeasures values = measure_texts(passages, list, 100);
    const auto at = [&](TextMeasure measure) { return values[static_cast<std::size_t>(measure)]; };
    EXPECT_DOUBLE_EQ(at(TextMeasure::surprisal), 14.0 / 3);
    EXPECT_DOUBLE_EQ(at(TextMeasure::deep_tail), 1.0 / 3);
    EXPECT_DOUBLE_EQ(at(TextMeasure::non_words), 1.0 / 3);
    EXPECT_DOUBLE_EQ(at(TextMeasure::dissimilarity), 1.0);
    EXPECT_TRUE(std::isnan(at(TextMeasure::perplexity)));
    EXPECT_THROW(read_passage("The", {.finish = "error", .error = "no"}, nullptr), std::runtime_error);
}

}  // namespace
}  // namespace hlg::eval
