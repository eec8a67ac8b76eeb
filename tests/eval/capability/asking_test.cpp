// What is asked of whom, with which seeds, and how answers are counted.
#include "eval/capability/asking.hpp"

#include <map>
#include <mutex>

#include <gtest/gtest.h>

#include "eval/capability/fake_source.hpp"

namespace hlg::eval::capability {
namespace {

TEST(Jobs, SameQuestionsAndSeedsForEveryArm) {
    const FakeTask task(3);
    AskOptions options{.samples = 2, .seed = 5};
    const std::vector<std::size_t> questions = chosen_questions(task, options);
    const std::vector<TextJob> jobs = jobs_of(task, questions, options);
    ASSERT_EQ(jobs.size(), 12U);
    std::set<std::uint64_t> seeds;
    for (std::size_t i = 0; i < jobs.size(); i += 2) {
        EXPECT_EQ(jobs[i].sampling.seed, jobs[i + 1].sampling.seed);
        EXPECT_LT(*jobs[i].sampling.seed, std::uint64_t{1} << 53U);
        seeds.insert(*jobs[i].sampling.seed);
    }
    EXPECT_EQ(seeds.size(), 6U);
    EXPECT_EQ(jobs[2].label, "fake 0 off 1");
    EXPECT_EQ(jobs[3].label, "fake 0 hlg 1");
    EXPECT_EQ(jobs[0].max_tokens, 33U);
    const auto& chat = std::get<engine::ChatRequest>(jobs[4].prompt);
    EXPECT_EQ(chat.messages, R"([{"role":"system","content":"Count."},{"role":"user","content":"What is 1?"}])");
    EXPECT_NE(chat.tools.find("count"), std::string::npos);
    options.seed = 6;
    EXPECT_FALSE(seeds.contains(*jobs_of(task, questions, options)[0].sampling.seed));
    options.max_tokens = 7;
    EXPECT_EQ(jobs_of(task, questions, options)[0].max_tokens, 7U);
}

TEST(Arms, NothingIsLeftToTheSource) {
    const std::vector<Arm> arms = default_arms();
    const engine::SamplingSettings off = explicit_settings(arms[0].sampling);
    EXPECT_EQ(off.temperature, 1.0);
    EXPECT_EQ(off.top_p, 1.0);
    EXPECT_EQ(off.top_k, 0);
    EXPECT_EQ(off.min_p, 0.0);
    EXPECT_FALSE(off.hlg.enabled.value_or(false));
    const engine::SamplingSettings hlg = explicit_settings(arms[1].sampling);
    EXPECT_EQ(hlg.temperature, 1.0);
    EXPECT_EQ(hlg.hlg.preset, "balanced");
    EXPECT_FALSE(hlg.top_p);
    engine::SamplingSettings given;
    given.top_p = 0.9;
    EXPECT_EQ(explicit_settings(given).top_p, 0.9);
    EXPECT_EQ(explicit_settings(given).temperature, 1.0);
}

TEST(ChosenQuestions, DrawnBySeed) {
    const FakeTask task(50);
    AskOptions options{.questions = 10, .seed = 1};
    const std::vector<std::size_t> some = chosen_questions(task, options);
    ASSERT_EQ(some.size(), 10U);
    EXPECT_TRUE(std::is_sorted(some.begin(), some.end()));
    EXPECT_EQ(std::set<std::size_t>(some.begin(), some.end()).size(), 10U);
    EXPECT_EQ(chosen_questions(task, options), some);
    options.seed = 2;
    EXPECT_NE(chosen_questions(task, options), some);
    options.questions = 60;
    EXPECT_EQ(chosen_questions(task, options).size(), 50U);
}

TEST(Ask, CountsPoints) {
    const FakeTask task(4, Chance::known, 0.25);
    // The first arm knows even numbers, the second everything, in its second answer only.
    FakeSource source([](const TextJob& job) {
        const Asking asking(job);
        const bool right = asking.arm == "off" ? (asking.question == "0" || asking.question == "2") : asking.sample == "1";
        WrittenText text{.text = right ? asking.question : "no idea", .finish = "stop"};
        if (asking.arm == "hlg" && !right) text.finish = "length";
        return text;
    });
    const Asked asked = ask(task, source, {.samples = 2}, {});
    ASSERT_EQ(asked.arms.size(), 2U);
    for (std::size_t i = 0; i < 4; ++i) {
        EXPECT_EQ(asked.arms[0].points[2 * i].right, i % 2 == 0 ? 2.0 : 0.0);
        EXPECT_EQ(asked.arms[0].points[2 * i].of, 2.0);
        EXPECT_EQ(asked.arms[1].points[2 * i].right, 1.0);
        EXPECT_EQ(asked.arms[1].points[2 * i + 1].right, 3.0);
        EXPECT_EQ(asked.arms[1].points[2 * i + 1].of, 4.0);
        EXPECT_EQ(asked.arms[0].chance[i], 0.5);
    }
    EXPECT_EQ(asked.arms[0].cut, 0U);
    EXPECT_EQ(asked.arms[1].cut, 4U);
    EXPECT_EQ(asked.arms[1].answers, 8U);
}

TEST(Ask, WhatCouldNotBeAskedIsWrong) {
    const FakeTask task(3);
    FakeSource source([](const TextJob& job) -> WrittenText {
        const Asking asking(job);
        if (asking.question == "0") return {.text = "all", .finish = "error", .error = "too long"};
        if (asking.question == "1") return {.tool_calls = {{"id", "count", "{}"}}, .finish = "tool_calls"};
        return {.text = " \n", .finish = "stop"};
    });
    const Asked asked = ask(task, source, {.samples = 1}, {});
    EXPECT_EQ(asked.arms[0].points[0].right, 0.0);
    EXPECT_EQ(asked.arms[0].points[1].right, 0.0);
    EXPECT_EQ(asked.arms[0].points[2].right, 1.0);
    EXPECT_EQ(asked.arms[0].refused, 1U);
    EXPECT_EQ(asked.arms[0].refusal, "too long");
    EXPECT_EQ(asked.arms[0].blank, 1U);
}

TEST(Ask, ChanceByOtherQuestions) {
    const FakeTask task(3, Chance::others);
    // "all" is right everywhere, so half of what this arm earns comes by chance; a number is right at its own question alone.
    FakeSource source([](const TextJob& job) -> WrittenText {
        const Asking asking(job);
        return {.text = asking.sample == "0" ? "all" : asking.question, .finish = "stop"};
    });
    const Asked asked = ask(task, source, {.samples = 2}, {});
    for (const double chance : asked.arms[0].chance) EXPECT_EQ(chance, 1.0);
    EXPECT_EQ(asked.arms[0].points[0].right, 2.0);
}

TEST(Ask, StopsAndTellsHowFarItIs) {
    const FakeTask task(5000);
    FakeSource source([](const TextJob&) -> WrittenText { return {.text = "x", .finish = "stop"}; });
    double last = 0.0;
    const Asked asked = ask(task, source, {.samples = 1}, [&](double done) {
        EXPECT_GE(done, last);
        last = done;
        return true;
    });
    EXPECT_EQ(last, 1.0);
    EXPECT_EQ(asked.arms[0].answers, 5000U);
    EXPECT_THROW((void)ask(task, source, {.samples = 1}, [](double done) { return done < 0.5; }), Stopped);
}

}  // namespace
}  // namespace hlg::eval::capability
