// SPDX-License-Identifier: MIT
//
// Lazy grammars: nothing is refused before the trigger, everything is held to the grammar from its first character on.
#include <gtest/gtest.h>

#include "engine/grammar_support.hpp"

namespace hlg::engine {
namespace {

class LazyGrammar : public test::WithVocabulary {
protected:
    static GrammarSpec spec() {
        GrammarSpec spec;
        spec.gbnf = R"(root ::= "<call>" [a-z]+ "</call>")";
        spec.lazy = true;
        spec.triggers = {{"<call>"}};
        return spec;
    }

    static Grammar compile(const GrammarSpec& spec) {
        auto grammar = Grammar::compile(*vocabulary_, spec);
        EXPECT_TRUE(grammar) << grammar.error().message;
        return std::move(*grammar);
    }
};

TEST_F(LazyGrammar, EverythingIsAllowedUntilTheTrigger) {
    Grammar grammar = compile(spec());
    EXPECT_TRUE(grammar.free());
    EXPECT_TRUE(grammar.may_end());
    ASSERT_TRUE(feed(grammar, "I call: <calm> 1 + 1 <cal"));
    EXPECT_TRUE(grammar.free());
    ASSERT_TRUE(feed(grammar, "l>"));
    EXPECT_FALSE(grammar.free());
    EXPECT_FALSE(grammar.may_end());
    EXPECT_FALSE(grammar.allows(first_token("1")));
    ASSERT_TRUE(feed(grammar, "abc</call>"));
    EXPECT_TRUE(grammar.may_end());
    EXPECT_FALSE(grammar.allows(first_token("a")));
}

// Tokens do not end where the trigger does: what comes with it is held to the grammar as well.
TEST_F(LazyGrammar, ATokenThatCompletesTheTriggerMustGoOnWell) {
    GrammarSpec with_word = spec();
    with_word.gbnf = R"(root ::= "th" "en"?)";
    with_word.triggers = {{"th"}};
    Grammar grammar = compile(with_word);
    EXPECT_TRUE(grammar.allows(first_token("then")) || first_token("then") == first_token("the"));
    EXPECT_FALSE(grammar.allows(first_token("that")));
    EXPECT_TRUE(grammar.allows(first_token("king")));
    EXPECT_FALSE(grammar.accept(first_token("that")));  // drawn all the same: better an answer without the grammar than none
    EXPECT_TRUE(grammar.free());
    EXPECT_TRUE(feed(grammar, "anything"));
}

TEST_F(LazyGrammar, NothingInReasoningIsATrigger) {
    GrammarSpec thinking = spec();
    thinking.reasoning_first = true;
    thinking.reasoning_start = "<think>";
    thinking.reasoning_ends = {"</think>", "[stop]"};
    Grammar grammar = compile(thinking);
    ASSERT_TRUE(feed(grammar, "maybe <call>123 no </think> yes <think> <call>4 </"));
    EXPECT_TRUE(grammar.free());
    ASSERT_TRUE(feed(grammar, "[stop]<call>"));
    EXPECT_FALSE(grammar.free());
    EXPECT_FALSE(grammar.allows(first_token("1")));
}

TEST_F(LazyGrammar, APatternsGroupIsTheBeginning) {
    GrammarSpec pattern = spec();
    pattern.gbnf = R"(root ::= "{" [0-9]+ "}")";
    pattern.triggers = {{R"(call=(\{))", true}};
    Grammar grammar = compile(pattern);
    ASSERT_TRUE(feed(grammar, "{x} call= {y} call="));
    EXPECT_TRUE(grammar.free());
    ASSERT_TRUE(feed(grammar, "{"));
    EXPECT_FALSE(grammar.free());
    ASSERT_TRUE(feed(grammar, "12}"));
    EXPECT_TRUE(grammar.may_end());
}

TEST_F(LazyGrammar, APatternMayHoldAtTheStartOnly) {
    GrammarSpec pattern = spec();
    pattern.gbnf = R"(root ::= " to=" [a-z]+)";
    pattern.triggers = {{R"(^\s+to=$)", true}};
    Grammar at_start = compile(pattern);
    ASSERT_TRUE(feed(at_start, " to="));
    EXPECT_FALSE(at_start.free());
    Grammar later = compile(pattern);
    ASSERT_TRUE(feed(later, "I went to= to="));
    EXPECT_TRUE(later.free());
}

TEST_F(LazyGrammar, TriggersAreFoundBehindLongTexts) {
    Grammar grammar = compile(spec());
    ASSERT_TRUE(feed(grammar, std::string(100'000, ' ')));
    ASSERT_TRUE(feed(grammar, "<call>"));
    EXPECT_FALSE(grammar.free());
}

TEST_F(LazyGrammar, CopiesWaitOnTheirOwn) {
    Grammar first = compile(spec());
    ASSERT_TRUE(feed(first, "<ca"));
    Grammar second = first;
    ASSERT_TRUE(feed(first, "ll>"));
    EXPECT_FALSE(first.free());
    EXPECT_TRUE(second.free());
    ASSERT_TRUE(feed(second, "t> <call>x"));
    EXPECT_FALSE(second.free());
}

TEST_F(LazyGrammar, NeedsATrigger) {
    GrammarSpec bad = spec();
    bad.triggers = {{""}};
    EXPECT_EQ(Grammar::compile(*vocabulary_, bad).error().message, "the grammar is lazy and has no trigger");
    bad.triggers = {{"(", true}};
    EXPECT_EQ(Grammar::compile(*vocabulary_, bad).error().code, ErrorCode::bad_request);
}

// Of an answer whose beginning the prompt gives, the grammar covers that beginning.
TEST_F(LazyGrammar, ThePromptsEndMayBelongToTheGrammar) {
    GrammarSpec prefixed;
    prefixed.gbnf = R"(root ::= "<think>" [^<]* "</think>" "{}")";
    prefixed.prefix = "<think>\n";
    Grammar grammar = compile(prefixed);
    EXPECT_TRUE(matches(grammar, "so</think>{}"));
    prefixed.prefix = "<other>";
    EXPECT_NE(Grammar::compile(*vocabulary_, prefixed).error().message.find("does not fit the beginning"), std::string::npos);
}

}  // namespace
}  // namespace hlg::engine
