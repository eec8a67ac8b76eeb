// Puzzles are solved here by walking their lines, so that the answer that the judge expects is the one that the text asks for.
#include "eval/capability/hashhop.hpp"

#include <map>
#include <set>
#include <sstream>
#include <stdexcept>

#include <gtest/gtest.h>

namespace hlg::eval::capability {
namespace {

struct Solved {
    std::string answer;
    std::size_t pairs = 0;
    std::size_t steps = 0;
};

Solved solve(const std::string& text) {
    std::map<std::string, std::string> next;
    std::istringstream lines(text);
    std::string start;
    Solved solved;
    for (std::string line; std::getline(lines, line);) {
        std::istringstream words(line);
        std::string first;
        std::string second;
        std::string third;
        words >> first >> second >> third;
        if (second == "->") next[first] = third;
        if (first != "Begin") continue;
        start = third;
        std::string word;
        while (words >> word && word != "lines") {
        }
        words >> solved.steps;
    }
    solved.pairs = next.size();
    solved.answer = start;
    for (std::size_t i = 0; i < solved.steps; ++i) solved.answer = next.at(solved.answer);
    return solved;
}

TEST(HashHop, QuestionsHaveTheAnswersThatTheJudgeExpects) {
    const std::unique_ptr<Task> task = make_hashhop({.questions = 40, .chains = 5, .hops = 3, .letters = 6, .seed = 7});
    ASSERT_EQ(task->questions().size(), 40U);
    std::set<std::size_t> asked;
    for (std::size_t i = 0; i < 40; ++i) {
        const Solved solved = solve(task->questions()[i].turns[0].text);
        EXPECT_EQ(solved.pairs, 15U);
        asked.insert(solved.steps);
        EXPECT_EQ(task->questions()[i].group.substr(0, 1), std::to_string(solved.steps));
        EXPECT_EQ(task->judge(i, {"It leads to " + solved.answer + ", of course"})[0].right, 1.0);
        EXPECT_EQ(task->judge(i, {"abcdef"})[0].right, 0.0);
    }
    EXPECT_EQ(asked, (std::set<std::size_t>{1, 2, 3}));
}

TEST(HashHop, LastHashOfAnAnswerCounts) {
    const std::set<std::string> hashes{"AbCd", "EfGh"};
    EXPECT_EQ(hashhop_answer("AbCd -> EfGh", hashes), "EfGh");
    EXPECT_EQ(hashhop_answer("EfGh, then AbCd. Done", hashes), "AbCd");
    EXPECT_EQ(hashhop_answer("xAbCd", hashes), std::nullopt);
    EXPECT_EQ(hashhop_answer("", hashes), std::nullopt);
}

TEST(HashHop, SeedsAndRanges) {
    HashHopOptions options{.questions = 3};
    const std::string one = make_hashhop(options)->fingerprint();
    EXPECT_EQ(make_hashhop(options)->fingerprint(), one);
    options.seed = 2;
    EXPECT_NE(make_hashhop(options)->fingerprint(), one);
    options.hops = 0;
    EXPECT_THROW((void)make_hashhop(options), std::invalid_argument);
    EXPECT_THROW((void)make_hashhop({.letters = 3}), std::invalid_argument);
}

}  // namespace
}  // namespace hlg::eval::capability
