// SPDX-License-Identifier: MIT
//
// hlg run as a person at a terminal meets it: several texts side by side, and the chat.
#include <signal.h>

#include <cstdlib>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "cli/pseudo_terminal.hpp"

namespace hlg::cli {
namespace {

constexpr const char* prompt = "> \x1b[0m";
constexpr const char* roles =
    "{% for m in messages %}<{{ m.role }}>{{ m.content }}\n{% endfor %}{% if add_generation_prompt %}<assistant>{% endif %}";

std::vector<std::string> run_with(std::vector<std::string> flags) {
    flags.insert(flags.begin(), {HLG_PROGRAM, "run", "-m", std::getenv("HLG_TEST_MODEL"), "--alias", "teller"});
    return flags;
}

std::size_t count(const std::string& text, const std::string& part) {
    std::size_t found = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
    return found;
}

/** Types a line once there is a prompt, and waits for the next one. */
void say(PseudoTerminal& terminal, const std::string& line) {
    terminal.type(line + "\n");
    ASSERT_TRUE(terminal.shows(prompt)) << terminal.screen().text();
}

void expect_fits(const PseudoTerminal& terminal) {
    EXPECT_LE(terminal.screen().widest(), 80U) << terminal.screen().text();
    EXPECT_EQ(terminal.screen().unknown(), "");
}

TEST(SideBySide, StreamsBlocksAndLeavesWholeTexts) {
    PseudoTerminal terminal(run_with({"-p", "Once upon a time", "-p", "Dear diary,", "-n", "200", "--seed", "7"}));
    ASSERT_TRUE(terminal.shows("\x1b[?7l\x1b[")) << "nothing was redrawn";
    EXPECT_EQ(terminal.wait(), 0);
    const std::string& shown = terminal.screen().text();
    EXPECT_EQ(count(shown, "==> "), 2U) << shown;
    EXPECT_EQ(count(shown, "\n2  Dear diary,"), 0U) << "a block was left behind: " << shown;
    EXPECT_LT(shown.find("==> 1 of 2: Once upon a time <=="), shown.find("==> 2 of 2: Dear diary, <=="));
    EXPECT_NE(shown.find("hlg run: 2 texts, 400 tokens"), std::string::npos) << shown;
    EXPECT_EQ(terminal.bytes().rfind("\x1b[?7l") < terminal.bytes().rfind("\x1b[?7h"), true) << "line wrap stays off";
    expect_fits(terminal);
}

TEST(SideBySide, MoreTextsThanLinesAndAnInterrupt) {
    PseudoTerminal terminal(
        run_with({"-p", "Once", "--choices", "20", "-n", "-1", "--ignore-eos", "--ctx-size", "20000", "--batch", "4"}), {}, 80,
        12);
    ASSERT_TRUE(terminal.shows("and 17 more"));
    terminal.type("\x03");
    EXPECT_EQ(terminal.wait(), 130);
    EXPECT_EQ(count(terminal.screen().text(), "finish: interrupted"), 20U);
    expect_fits(terminal);
}

TEST(SideBySide, ATerminalThatKnowsNoEscapesGetsNone) {
    PseudoTerminal terminal(run_with({"-p", "Once", "-p", "Long", "-n", "5"}), {"TERM=dumb"});
    EXPECT_EQ(terminal.wait(), 0);
    const std::size_t start = terminal.bytes().find("==> 1 of 2");
    ASSERT_NE(start, std::string::npos);
    EXPECT_EQ(terminal.bytes().find('\x1b', start), std::string::npos);
}

TEST(Chat, GreetsAnswersAndEnds) {
    PseudoTerminal terminal(run_with({"-n", "30", "--ignore-eos"}));
    ASSERT_TRUE(terminal.shows(prompt));
    EXPECT_NE(terminal.screen().text().find("teller, 1024 tokens of context"), std::string::npos);
    EXPECT_NE(terminal.screen().text().find("goes on with your text"), std::string::npos);
    say(terminal, "Once upon a time");
    EXPECT_NE(terminal.screen().text().find("5 in, 30 out, "), std::string::npos) << terminal.screen().text();
    say(terminal, "");  // goes on where it was
    EXPECT_EQ(count(terminal.screen().text(), " in, 30 out, "), 2U) << terminal.screen().text();
    terminal.type("\x04");
    EXPECT_EQ(terminal.wait(), 0);
    expect_fits(terminal);
}

TEST(Chat, ASeedRepeatsWhatWasSaid) {
    PseudoTerminal terminal(run_with({"-n", "12"}));
    ASSERT_TRUE(terminal.shows(prompt));
    say(terminal, "/seed 7");
    std::string first;
    for (int i = 0; i < 2; ++i) {
        const std::size_t start = terminal.screen().text().size();
        say(terminal, "Once upon a time");
        const std::string shown = terminal.screen().text().substr(start);
        const std::string answer = shown.substr(0, shown.find("5 in, "));
        if (i == 0) first = answer;
        EXPECT_GT(answer.size(), 20U);
        EXPECT_EQ(answer, first);
        EXPECT_NE(shown.find("seed 7"), std::string::npos) << shown;
        say(terminal, "/reset");
        EXPECT_NE(terminal.screen().text().find("forgotten"), std::string::npos);
    }
    say(terminal, "/seed x");
    EXPECT_NE(terminal.screen().text().find("/seed takes a whole number"), std::string::npos);
    terminal.type("/exit\n");
    EXPECT_EQ(terminal.wait(), 0);
}

TEST(Chat, CommandsAndSettings) {
    PseudoTerminal terminal(run_with({"-T", "0.5", "--hlg-sampling", "on", "--hlg-preset", "balanced", "--seed", "3",
                                      "--repeat-penalty", "1.1", "-l", "262-inf", "--top-p", "0.9"}));
    ASSERT_TRUE(terminal.shows(prompt));
    say(terminal, "/settings");
    say(terminal, "/help");
    say(terminal, "/sead 7");
    const std::string& shown = terminal.screen().text();
    for (const char* words :
         {"  temperature  0.5\n", "  seed         3\n", "HLG          balanced: pivot entropy - 1.7, width 1.6",
          "penalties    repeat 1.1 over 64 tokens", "biases       1\n", "answers      256 tokens at most", "top-p 0.9, top-k off",
          "/reset      forget", "no command /sead; did you mean /seed?"})
        EXPECT_NE(shown.find(words), std::string::npos) << words << " is not in " << shown;
    terminal.type("/exit\n");
    EXPECT_EQ(terminal.wait(), 0);
    expect_fits(terminal);
}

TEST(Chat, CtrlCEndsTheAnswerOnly) {
    PseudoTerminal terminal(run_with({"-n", "-1", "--ignore-eos", "--ctx-size", "20000", "--seed", "7"}));
    ASSERT_TRUE(terminal.shows(prompt));
    for (int i = 0; i < 2; ++i) {  // it can be done again
        terminal.type("Once upon a time\n");
        ASSERT_TRUE(terminal.shows(" there lived"));
        terminal.type("\x03");
        ASSERT_TRUE(terminal.shows("finish: interrupted")) << terminal.screen().text();
        ASSERT_TRUE(terminal.shows(prompt));
        say(terminal, "/reset");
    }
    terminal.type("\x04");
    EXPECT_EQ(terminal.wait(), 0);
}

TEST(Chat, CtrlCAtThePromptSaysHowAndTheSecondEnds) {
    PseudoTerminal terminal(run_with({"-n", "5"}));
    ASSERT_TRUE(terminal.shows(prompt));
    terminal.type("half a line\x03");
    ASSERT_TRUE(terminal.shows("Ctrl-C again ends the chat"));
    ASSERT_TRUE(terminal.shows(prompt));
    say(terminal, "Once");  // the half line is gone, and so is the first Ctrl-C
    EXPECT_NE(terminal.screen().text().find("\n2 in, 5 out"), std::string::npos) << terminal.screen().text();
    terminal.type("\x03");
    ASSERT_TRUE(terminal.shows(prompt));
    terminal.type("\x03");
    EXPECT_EQ(terminal.wait(), 130);
}

TEST(Chat, SigtermEndsIt) {
    PseudoTerminal terminal(run_with({}));
    ASSERT_TRUE(terminal.shows(prompt));
    terminal.send_signal(SIGTERM);
    EXPECT_EQ(terminal.wait(), 128 + SIGTERM);
}

TEST(Chat, ATemplateWithRolesMakesMessages) {
    PseudoTerminal terminal(run_with({"-n", "8", "--chat-template", roles}));
    ASSERT_TRUE(terminal.shows(prompt));
    EXPECT_EQ(terminal.screen().text().find("goes on with your text"), std::string::npos);
    say(terminal, "");  // nothing was said
    EXPECT_EQ(terminal.screen().text().find(" out, "), std::string::npos);
    say(terminal, "Who is there?");
    say(terminal, "first \\\nsecond");
    const std::string& shown = terminal.screen().text();
    EXPECT_EQ(count(shown, " in, 8 out, "), 2U) << shown;
    terminal.type("\x04");
    EXPECT_EQ(terminal.wait(), 0);
}

TEST(Chat, AFullContextSaysWhatToDo) {
    PseudoTerminal terminal(run_with({"-n", "-1", "--ignore-eos", "--ctx-size", "30"}));
    ASSERT_TRUE(terminal.shows(prompt));
    say(terminal, "Once upon a time");
    EXPECT_NE(terminal.screen().text().find("the context is full: /reset starts over"), std::string::npos);
    say(terminal, "and then");
    EXPECT_NE(terminal.screen().text().find("longer than the context"), std::string::npos);
    say(terminal, "/reset");
    say(terminal, "Once upon a time");
    EXPECT_EQ(count(terminal.screen().text(), "finish: context"), 2U) << terminal.screen().text();
    terminal.type("\x04");
    EXPECT_EQ(terminal.wait(), 0);
    expect_fits(terminal);
}

TEST(Chat, NeedsAKeyboardAndNoPrompt) {
    PseudoTerminal choices(run_with({"--choices", "2"}));
    EXPECT_EQ(choices.wait(), 2);
    EXPECT_NE(choices.screen().text().find("--choices needs a prompt"), std::string::npos);
    PseudoTerminal json(run_with({"--json", "-n", "2"}));  // as before: a prompt is typed
    ASSERT_TRUE(json.shows("type the prompt, then Ctrl-D"));
    json.type("Once\n\x04");
    EXPECT_EQ(json.wait(), 0);
}

}  // namespace
}  // namespace hlg::cli
