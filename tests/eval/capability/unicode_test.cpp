// Characters, letters and cases, whatever the bytes and the user's locale are.
#include "eval/capability/unicode.hpp"

#include <gtest/gtest.h>

#include "eval/capability/language.hpp"

namespace hlg::eval::capability {
namespace {

TEST(Unicode, CharactersAndBack) {
    EXPECT_EQ(characters("aé中😀"), U"aé中😀");
    EXPECT_EQ(utf8(U"aé中😀"), "aé中😀");
    // Bytes that fit nowhere, a torn end, an overlong form, half of a surrogate pair, a code beyond the last.
    for (const char* bytes : {"\xff", "\xc3", "\xc0\xaf", "\xed\xb1\xb1", "\xf4\x90\x80\x80", "\xe0\x80\xaf"}) {
        const std::u32string read = characters(bytes);
        EXPECT_EQ(read, std::u32string(std::string_view(bytes).size(), U'\ufffd')) << bytes;
    }
    EXPECT_EQ(characters("\xc3(é"), U"\ufffd(é");
}

TEST(Unicode, LettersAndCases) {
    EXPECT_TRUE(is_letter(U'ß') && is_letter(U'中') && !is_letter(U'1') && !is_letter(U'。'));
    EXPECT_TRUE(is_letter_or_digit(U'1') && !is_letter_or_digit(U'-'));
    EXPECT_EQ(lower_case("ÀÉ Я X1"), "àé я x1");
    EXPECT_TRUE(all_capitals("ÀB, 1!") && !all_capitals("Àb") && !all_capitals("1") && !all_capitals("中"));
    EXPECT_TRUE(no_capitals("àb, 1!") && !no_capitals("àB") && !no_capitals(""));
}

TEST(Unicode, WordsAndPieces) {
    EXPECT_EQ(word_runs("don't stop_it, é2!"), (std::vector<std::string>{"don", "t", "stop_it", "é2"}));
    EXPECT_EQ(stripped(" \n a b\t"), "a b");
    EXPECT_EQ(stripped(" \n"), "");
    EXPECT_EQ(split("a**b**", "**"), (std::vector<std::string_view>{"a", "b", ""}));
    EXPECT_EQ(split("", "**"), (std::vector<std::string_view>{""}));
}

TEST(Language, ByMostOfTheText) {
    EXPECT_EQ(language_of("The miller had three sons and an old cat."), "en");
    EXPECT_EQ(language_of("Le meunier avait trois fils et un vieux chat."), "fr");
    EXPECT_EQ(language_of("他有三个儿子和一只老猫。"), "zh");
    EXPECT_EQ(language_of("12, 34!"), std::nullopt);
    EXPECT_EQ(language_of(""), std::nullopt);
    EXPECT_TRUE(language_of("The miller \xff\xed\xb1\xb1 had three sons and an old cat."));
}

}  // namespace
}  // namespace hlg::eval::capability
