// SPDX-License-Identifier: MIT
//
// The shapes of start rules that llama-common writes for the templates it comes with.
#include "engine/tool_grammar.hpp"

#include <string>

#include <gtest/gtest.h>

namespace hlg::engine {
namespace {

std::string edited(const std::string& root, const std::string& others = "") {
    const std::string before = "aaa ::= \"x\"\nroot ::= ";
    const std::string after = "\ntool-call ::= \"y\"\n" + others;
    const std::string gbnf = without_text_before_call(before + root + after);
    EXPECT_TRUE(gbnf.starts_with(before)) << gbnf;
    EXPECT_TRUE(gbnf.ends_with(after)) << gbnf;
    return gbnf.substr(before.size(), gbnf.size() - before.size() - after.size());
}

TEST(ToolGrammar, ATextRightBeforeTheCallGoes) {
    // Qwen 2.5 and Hermes; MiniCPM5; Qwen 3.5; Kimi K2; LFM2.
    EXPECT_EQ(edited(R"("<|im_start|>assistant\n" space until-7? tool-calls)"), R"("<|im_start|>assistant\n" space tool-calls)");
    EXPECT_EQ(edited(R"("a\n" "<think>" space until-3 space "</think>" space until-79 tool-call)"),
              R"("a\n" "<think>" space until-3 space "</think>" space tool-call)");
    EXPECT_EQ(edited(R"("a\n" ("<think>" space until-6 ("</think>" | ))? space until-71 space tool-call-root)"),
              R"("a\n" ("<think>" space until-6 ("</think>" | ))? space space tool-call-root)");
    EXPECT_EQ(edited(R"(("<think>" until-3 "</think>"?)? until-137 tool-calls)"),
              R"(("<think>" until-3 "</think>"?)? tool-calls)");
    EXPECT_EQ(edited("until-76 tool-calls"), "tool-calls");
}

TEST(ToolGrammar, ThoughtsMayStillComeBeforeIt) {
    EXPECT_EQ(edited("start message* scan-to-toolcall tool-call", "thought ::= \"t\"\n"), "start thought? tool-call");
    EXPECT_EQ(edited("start message* scan-to-toolcall tool-call"), "start tool-call");
}

TEST(ToolGrammar, WhatIsNoSuchTextStays) {
    for (const char* root :
         {R"("a\n" space tool-call)", R"(("<think>" until-4 "</think>")? tool-call)", "(start any)* start tool-call",
          R"("x" ("until-1 tool-call" | "\" until-2") "z")", R"(">>>" ("all\n" until-0 (tool-get) | tools))", "tool-call"})
        EXPECT_EQ(edited(root), root);
    EXPECT_EQ(without_text_before_call("no rule at all"), "no rule at all");
    EXPECT_EQ(without_text_before_call(""), "");
    EXPECT_EQ(without_text_before_call("root ::= until-1 tool-call"), "root ::= tool-call");
}

TEST(ToolGrammar, OneCallLosesTheRepetition) {
    EXPECT_EQ(with_one_call("root ::= tool-calls\ntool-calls ::= (tool-call space)+\nz ::= (a)+"),
              "root ::= tool-calls\ntool-calls ::= (tool-call space)\nz ::= (a)+");
    EXPECT_EQ(with_one_call("root ::= tool-calls\ntool-calls ::= tool-call"), "root ::= tool-calls\ntool-calls ::= tool-call");
    EXPECT_EQ(with_one_call("root ::= \"x\""), "root ::= \"x\"");
}

}  // namespace
}  // namespace hlg::engine
