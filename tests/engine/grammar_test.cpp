// SPDX-License-Identifier: MIT
#include "engine/grammar.hpp"

#include "engine/grammar_ends.hpp"
#include "engine/grammar_support.hpp"

namespace hlg::engine {
namespace {

class GrammarTest : public test::WithVocabulary {
protected:
    static std::string refusal(std::string_view text) {
        const auto grammar = Grammar::from_gbnf(*vocabulary_, text);
        EXPECT_FALSE(grammar) << text;
        return grammar ? "" : grammar.error().message;
    }

    static Token end() { return vocabulary_->ends().front(); }

    static std::vector<std::uint32_t> mask(const Grammar& grammar) {
        std::vector<std::uint32_t> bits((vocabulary_->size() + 31) / 32);
        EXPECT_FALSE(grammar.mask(bits));
        return bits;
    }

    static bool set(const std::vector<std::uint32_t>& bits, Token token) {
        return ((bits[static_cast<std::size_t>(token) / 32] >> (static_cast<unsigned>(token) % 32U)) & 1U) != 0;
    }
};

TEST_F(GrammarTest, LiteralsAlternativesAndRules) {
    const Grammar grammar =
        gbnf("# a comment\nroot ::= \"the \" animal | # another\n  \"no one\"\nanimal ::= (\"king\" | \"queen\") \"\\n\"\n");
    EXPECT_TRUE(matches(grammar, "the king\n"));
    EXPECT_TRUE(matches(grammar, "the queen\n"));
    EXPECT_TRUE(matches(grammar, "no one"));
    EXPECT_FALSE(matches(grammar, "the king"));
    EXPECT_FALSE(matches(grammar, "the dog\n"));
    EXPECT_FALSE(matches(grammar, "no one at all"));
}

TEST_F(GrammarTest, Repetitions) {
    const auto counts = [](const Grammar& grammar) {
        std::string which;
        for (std::size_t n = 0; n <= 7; ++n) which += matches(grammar, std::string(n, 'x')) ? '1' : '0';
        return which;
    };
    EXPECT_EQ(counts(gbnf(R"(root ::= "x"*)")), "11111111");
    EXPECT_EQ(counts(gbnf(R"(root ::= "x"+)")), "01111111");
    EXPECT_EQ(counts(gbnf(R"(root ::= "x"?)")), "11000000");
    EXPECT_EQ(counts(gbnf(R"(root ::= "x"{3})")), "00010000");
    EXPECT_EQ(counts(gbnf(R"(root ::= "x"{2,4})")), "00111000");
    EXPECT_EQ(counts(gbnf(R"(root ::= "x"{5,})")), "00000111");
    EXPECT_EQ(counts(gbnf(R"(root ::= "x"{0})")), "10000000");
    EXPECT_EQ(counts(gbnf(R"(root ::= "xx"{1,2})")), "00101000");
    EXPECT_EQ(counts(gbnf(R"(root ::= ("x" "x"){0,2} "x"?)")), "11111100");
    EXPECT_EQ(counts(gbnf(R"(root ::= "x"{2}{1,3})")), "00101010");
    EXPECT_EQ(counts(gbnf(R"(root ::= [a-z]{2,3} [x]?)")), "00111000");
}

TEST_F(GrammarTest, Sets) {
    EXPECT_TRUE(matches(gbnf(R"(root ::= [a-cx\]\-])"), "]"));
    EXPECT_TRUE(matches(gbnf(R"(root ::= [a-cx\]\-])"), "-"));
    EXPECT_FALSE(matches(gbnf(R"(root ::= [a-cx\]\-])"), "d"));
    EXPECT_TRUE(matches(gbnf(R"(root ::= [^a-c])"), "d"));
    EXPECT_FALSE(matches(gbnf(R"(root ::= [^a-c])"), "b"));
    EXPECT_TRUE(matches(gbnf(R"(root ::= [a-])"), "-"));
    EXPECT_TRUE(matches(gbnf("root ::= ."), "\n"));
    EXPECT_TRUE(matches(gbnf(R"(root ::= "\x41\u00e9\U0001F600\t")"), "A\u00e9\U0001F600\t"));
}

// A character of several bytes may be split between tokens; each byte must keep within the set.
TEST_F(GrammarTest, SetsBeyondAscii) {
    const Grammar grammar = gbnf("root ::= [\u00e0-\u00ff\u4e00-\u9fff\U0001F600-\U0001F64F]");
    for (const char* within : {"\u00e0", "\u00e9", "\u00ff", "\u4e00", "\u9fff", "\U0001F600", "\U0001F64F"})
        EXPECT_TRUE(matches(grammar, within)) << within;
    for (const char* outside : {"\u00df", "\u0100", "\u4dff", "\ua000", "\U0001F5FF", "\U0001F650", "e"})
        EXPECT_FALSE(matches(grammar, outside)) << outside;
    const Grammar others = gbnf("root ::= [^\u00e0-\u00ff]");
    for (const char* within : {"\u00df", "\u0100", "\U0001F600", "\U0010FFFF", "a"})
        EXPECT_TRUE(matches(others, within)) << within;
    EXPECT_FALSE(matches(others, "\u00e9"));
}

TEST_F(GrammarTest, Recursion) {
    const Grammar grammar = gbnf("root ::= \"(\" root* \")\"");
    EXPECT_TRUE(matches(grammar, "((())())"));
    EXPECT_FALSE(matches(grammar, "((())()"));
    EXPECT_FALSE(matches(grammar, "())"));
    EXPECT_TRUE(matches(grammar, std::string(2000, '(') + std::string(2000, ')')));
}

TEST_F(GrammarTest, EmptyPartsThatCallThemselvesEnd) {
    EXPECT_TRUE(matches(gbnf("root ::= (\" \"*)* \"z\""), "   z"));
    EXPECT_TRUE(matches(gbnf("root ::= a \"z\"\na ::= b | \"\"\nb ::= a | \"y\""), "yz"));
    EXPECT_TRUE(matches(gbnf("root ::= \"\" | \"a\""), ""));
}

TEST_F(GrammarTest, TokensByName) {
    const std::string id = std::to_string(first_token("the"));
    const Grammar grammar = gbnf("root ::= <[" + id + "]> \"!\"");
    EXPECT_TRUE(grammar.allows(first_token("the")));
    EXPECT_FALSE(grammar.allows(first_token("t")));
    EXPECT_TRUE(matches(grammar, "the!"));
    const Grammar others = gbnf("root ::= !<[" + id + "]>+ \".\"");
    EXPECT_FALSE(others.allows(first_token("the")));
    EXPECT_TRUE(others.allows(first_token("t")));
    EXPECT_FALSE(others.allows(end()));
    EXPECT_FALSE(set(mask(others), first_token("the")));
    EXPECT_TRUE(set(mask(others), first_token("t")));
    EXPECT_NE(refusal("root ::= <[4096]>").find("not one: <[4096]>"), std::string::npos);
    EXPECT_NE(refusal("root ::= <no such token>").find("not one"), std::string::npos);
}

TEST_F(GrammarTest, TheEndIsAllowedWhereTheTextIsComplete) {
    Grammar grammar = gbnf(R"(root ::= "ab"+)");
    EXPECT_FALSE(grammar.allows(end()));
    ASSERT_TRUE(feed(grammar, "ab"));
    EXPECT_TRUE(grammar.allows(end()));
    EXPECT_TRUE(set(mask(grammar), end()));
    EXPECT_FALSE(grammar.accept(end()));
    EXPECT_FALSE(grammar.allows(first_token("a")));  // over
    EXPECT_TRUE(grammar.allows(end()));
}

TEST_F(GrammarTest, ARefusedTokenIsTheEnd) {
    Grammar grammar = gbnf(R"(root ::= "ab")");
    const Failure failure = grammar.accept(first_token("z"));
    ASSERT_TRUE(failure);
    EXPECT_EQ(failure->code, ErrorCode::sampling_failed);
    EXPECT_FALSE(grammar.allows(first_token("a")));
    EXPECT_TRUE(grammar.may_end());
    EXPECT_TRUE(grammar.accept(first_token("a")));
    Grammar early = gbnf(R"(root ::= "ab")");
    EXPECT_TRUE(early.accept(end()));
    EXPECT_TRUE(early.accept(-1));
    EXPECT_FALSE(early.allows(1'000'000));
}

TEST_F(GrammarTest, CopiesGoTheirOwnWay) {
    Grammar first = gbnf("root ::= \"(\" root* \")\" | \"x\"");
    ASSERT_TRUE(feed(first, "((x"));
    Grammar second = first;
    ASSERT_TRUE(feed(first, "))"));
    EXPECT_TRUE(first.may_end());
    EXPECT_FALSE(second.may_end());
    ASSERT_TRUE(feed(second, "(x)))"));
    EXPECT_TRUE(second.may_end());
    second = gbnf(R"(root ::= "y")");
    EXPECT_TRUE(matches(second, "y"));
}

TEST_F(GrammarTest, TheMaskIsWhatAllowsSays) {
    Grammar grammar = schema(
        R"({"type": "object", "properties": {"a": {"type": "array", "items": {"type": "integer"}}, "b": {"enum": ["yes", "no", "\u00e9t\u00e9"]}}})");
    const std::string text = R"({"a": [12, -3], "b": "été"})";
    for (std::size_t i = 0;; ++i) {
        const auto bits = mask(grammar);
        for (std::size_t t = 0; t < vocabulary_->size(); ++t) {
            const auto token = static_cast<Token>(t);
            ASSERT_EQ(set(bits, token), grammar.allows(token)) << "token " << token << " behind " << text.substr(0, i);
        }
        if (i == text.size()) break;
        ASSERT_TRUE(feed(grammar, std::string_view(text).substr(i, 1))) << text.substr(0, i + 1);
    }
    EXPECT_TRUE(grammar.may_end());
    std::vector<std::uint32_t> shorter(3);
    EXPECT_TRUE(grammar.mask(shorter));
}

TEST_F(GrammarTest, ErrorsNameTheLine) {
    EXPECT_EQ(refusal("root ::= foo"), "the grammar's line 1: the rule foo is not defined");
    EXPECT_EQ(refusal("a ::= \"x\"\n"), "the grammar's line 2: there is no rule named root");
    EXPECT_EQ(refusal("root ::= \"a\"\nroot := \"b\""), "the grammar's line 2: ::= is expected");
    EXPECT_EQ(refusal("root ::=\n(\"a\""), "the grammar's line 2: a ) is missing");
    EXPECT_EQ(refusal("root ::= \"a\\q\""), "the grammar's line 1: unknown escape \\q");
    EXPECT_EQ(refusal("root ::= \"abc"), "the grammar's line 1: the text ends in the middle of a literal or set");
    EXPECT_EQ(refusal("root ::= [abc"), "the grammar's line 1: the text ends in the middle of a literal or set");
    EXPECT_EQ(refusal("root ::= *"), "the grammar's line 1: nothing stands before a repetition");
    EXPECT_EQ(refusal("root ::= \"a\"{5,2}"), "the grammar's line 1: a repetition's minimum is above its maximum");
    EXPECT_EQ(refusal("root ::= \"a\"{x}"), "the grammar's line 1: a number is expected");
    EXPECT_EQ(refusal("root ::= \"a\" }"), "the grammar's line 1: can't go on at: }");
    EXPECT_EQ(refusal("root ::= root \"a\" | \"b\""), "the grammar's line 1: the rule root begins with itself (left recursion)");
    EXPECT_EQ(refusal("root ::= b root \"z\" | \"x\"\nb ::= c\nc ::= \"y\" | \"\""),
              "the grammar's line 1: the rule root begins with itself (left recursion)");
    EXPECT_EQ(refusal(""), "the grammar's line 1: there is no rule named root");
    EXPECT_EQ(refusal("root ::= \"\xFF\""), "the grammar is not UTF-8 at byte 10");
    EXPECT_EQ(refusal(std::string_view("root ::= \0\"a\"", 13)), "the grammar has a zero byte");
    EXPECT_EQ(refusal("root ::= [^\\x01-\\U0010FFFF]"), "the grammar matches nothing");
}

constexpr const char* no_character = "\nnever ::= [^\\x01-\\U0010FFFF]";

TEST_F(GrammarTest, NothingLeadsIntoADeadEnd) {
    const auto with_never = [](const std::string& root) { return "root ::= " + root + no_character; };
    EXPECT_EQ(refusal(with_never("\"a\" never")), "the grammar matches nothing");
    EXPECT_EQ(refusal(with_never("\"a\" (\"b\" never | never{2,3})")), "the grammar matches nothing");
    EXPECT_EQ(refusal(with_never("\"a\" b\nb ::= \"(\" b \")\" never")), "the grammar matches nothing");
    EXPECT_TRUE(matches(gbnf(with_never("\"a\" never? never* \"c\"")), "ac"));
    Grammar fork = gbnf(with_never("\"x\" (\"ab\" | \"ac\" never | never \"a\")"));
    ASSERT_TRUE(feed(fork, "xa"));
    EXPECT_TRUE(fork.allows(first_token("b")));
    EXPECT_FALSE(fork.allows(first_token("c")));
    EXPECT_FALSE(set(mask(fork), first_token("c")));
    Grammar endless = gbnf("root ::= \"a\" root");  // goes on for ever, which is no dead end
    EXPECT_TRUE(feed(endless, "aaa"));
}

TEST(GrammarEnds, KnowsWhetherAnAnswerMustEnd) {
    const auto ends = [](std::string_view text) { return must_end(*read_grammar(text)); };
    for (const char* finite : {"root ::= \"yes\" | \"no\"", "root ::= [a-z]{1,30} (\" \" a)? a\na ::= b b\nb ::= \"\" | \"x\""})
        EXPECT_TRUE(ends(finite)) << finite;
    for (const char* endless : {"root ::= [a-z]*", "root ::= \"a\" root | \"b\"",
                                "root ::= \"a\" a\na ::= \"(\" b \")\"\nb ::= a | \"\"", "root ::= \"x\" (\"a\" | \"b\")+ \"y\""})
        EXPECT_FALSE(ends(endless)) << endless;
}

}  // namespace
}  // namespace hlg::engine
