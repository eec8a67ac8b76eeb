// What is concluded from points: numbers worked out by hand, and the report of a whole run.
#include "eval/capability/outcome.hpp"

#include <cmath>
#include <memory>
#include <stdexcept>

#include <gtest/gtest.h>

#include "eval/capability/capability_report.hpp"
#include "eval/capability/fake_source.hpp"

namespace hlg::eval::capability {
namespace {

/** Points of one answer to each question: who is right where. */
Asked asked_of(const std::vector<std::vector<double>>& right, double chance = 0.0) {
    Asked asked;
    for (std::size_t i = 0; i < right.front().size(); ++i) asked.questions.push_back(i);
    for (const std::vector<double>& arm : right) {
        asked.arms.emplace_back();
        for (const double one : arm) {
            asked.arms.back().points.push_back({.right = one, .of = 1.0});
            asked.arms.back().points.push_back({.right = 1.0 + one, .of = 2.0});
        }
        asked.arms.back().chance.assign(arm.size(), chance);
        asked.arms.back().answers = arm.size();
    }
    return asked;
}

TEST(Outcome, DifferencesByHand) {
    const FakeTask task(4);
    const Outcome outcome = outcome_of(task, asked_of({{1, 0, 0, 1}, {1, 0, 1, 1}}), 1, {.resamples = 2000});
    const Score& score = outcome.all.scores[1][0];
    EXPECT_EQ(outcome.all.questions, 4U);
    EXPECT_DOUBLE_EQ(outcome.all.scores[0][0].share.estimate, 0.5);
    EXPECT_DOUBLE_EQ(score.share.estimate, 0.75);
    EXPECT_DOUBLE_EQ(score.difference.share.estimate, 0.25);
    // Differences 0 0 1 0: residuals' squares sum to .75; times 4 / 3, its root over 4 is .25; t = 1 with 3 degrees.
    EXPECT_NEAR(score.difference.detectable, (1.959964 + 0.841621) * 0.25, 1e-9);
    EXPECT_NEAR(score.difference.p, 0.391002, 1e-6);
    // No resample of these can have a negative difference, and a third of them, (3 / 4)^4, have none at all.
    EXPECT_EQ(score.difference.share.low, 0.0);
    EXPECT_EQ(score.difference.share.high, 0.75);
    EXPECT_DOUBLE_EQ(score.difference.margin, 0.375);
    // The second measure has two points a question.
    EXPECT_DOUBLE_EQ(outcome.all.scores[0][1].share.estimate, 0.75);
    EXPECT_DOUBLE_EQ(outcome.all.scores[1][1].difference.share.estimate, 0.125);
    EXPECT_EQ(outcome.all.scores[0][0].difference.share.estimate, 0.0);
    ASSERT_EQ(outcome.groups.size(), 2U);
    EXPECT_EQ(outcome.groups[1].name, "rest");
    EXPECT_DOUBLE_EQ(outcome.groups[1].scores[1][0].share.estimate, 1.0);
}

TEST(Outcome, FewQuestionsThatAgreeAreNoProof) {
    const FakeTask task(3);
    const Outcome outcome = outcome_of(task, asked_of({{0, 0, 0}, {1, 1, 1}}), 1, {});
    EXPECT_DOUBLE_EQ(outcome.all.scores[1][0].difference.p, 0.25);  // both signs of three coins
    EXPECT_FALSE(outcome.informative);
    EXPECT_THROW((void)outcome_of(task, asked_of({{0}, {1}}), 1, {}), std::invalid_argument);
}

TEST(Outcome, ChanceIsTested) {
    const FakeTask task(40, Chance::known, 0.25);
    std::vector<double> quarter(40);
    std::vector<double> half(40);
    for (std::size_t i = 0; i < 40; ++i) {
        quarter[i] = i % 4 == 0 ? 1.0 : 0.0;
        half[i] = i % 2 == 0 ? 1.0 : 0.0;
    }
    const Outcome nothing = outcome_of(task, asked_of({quarter, quarter}, 0.25), 1, {});
    EXPECT_FALSE(nothing.informative);
    EXPECT_EQ(nothing.chance[0], 0.25);
    EXPECT_EQ(nothing.p_chance[0], 1.0);
    const Outcome one_arm = outcome_of(task, asked_of({quarter, half}, 0.25), 1, {});
    EXPECT_TRUE(one_arm.informative);
    // .25 above, with a standard error of .5 / sqrt(39): t = 3.122, 39 degrees, one-sided .0017, twice for two arms.
    EXPECT_NEAR(one_arm.p_chance[1], 0.00339, 0.0001);
    const Outcome below = outcome_of(task, asked_of({std::vector<double>(40), std::vector<double>(40)}, 0.25), 1, {});
    EXPECT_FALSE(below.informative);
}

std::string column(const Report& report, const std::string& table, std::size_t row, const std::string& key) {
    const Json& value = report.table(table)->rows().at(row)[key];
    return value.is_string() ? value.get<std::string>() : value.dump();
}

TEST(CapabilityReport, ComparesWhatTellsSomething) {
    std::vector<std::unique_ptr<Task>> tasks;
    tasks.push_back(std::make_unique<FakeTask>(60));
    tasks.push_back(std::make_unique<FakeTask>(20, Chance::others));
    // On the first task hlg is right on all but every tenth question, off on every second; the second has the same words
    // for every question, which is right nowhere.
    FakeSource source([calls = std::size_t{0}](const TextJob& job) mutable -> WrittenText {
        const Asking asking(job);
        if (calls++ >= 240) return {.text = "hm", .finish = "length"};
        const bool right = std::stoul(asking.question) % (asking.arm == "hlg" ? 10 : 2) != 0;
        return {.text = right ? asking.question : "hm", .finish = "stop"};
    });
    CapabilityOptions options;
    options.asking.samples = 2;
    const Report report = capability_report(tasks, source, options, {});
    EXPECT_EQ(column(report, "comparison", 0, "verdict"), "higher");
    EXPECT_EQ(column(report, "comparison", 0, "score"), "90.0");
    EXPECT_EQ(column(report, "comparison", 0, "first"), "50.0");
    EXPECT_EQ(column(report, "comparison", 0, "difference"), "40.0");
    EXPECT_EQ(column(report, "comparison", 1, "verdict"), "not tested");
    EXPECT_EQ(column(report, "comparison", 2, "verdict"), "non-informative");
    EXPECT_FALSE(report.table("comparison")->rows()[2].contains("difference"));
    EXPECT_EQ(report.table("scores")->rows().size(), 8U);
    EXPECT_EQ(column(report, "scores", 4, "cut"), "100.0");
    ASSERT_EQ(report.findings().size(), 3U);
    EXPECT_EQ(report.findings()[0].substr(0, 48), "Fake, right: hlg 90.0%, off 50.0%; +40.0 points ");
    EXPECT_EQ(report.findings()[1],
              "Fake: non-informative, not compared: no better than chance (off 0.0%, hlg 0.0%; by chance 0.0%).");
    EXPECT_EQ(report.findings()[2], "Fake: 100% of an arm's answers were cut short; --tokens allows more.");
    const Json json = report.json({});
    EXPECT_EQ(json["kind"], "capability");
    EXPECT_EQ(json["settings"]["tasks"]["fake"]["sha256"], "of a fake");
    EXPECT_EQ(json["settings"]["arms"]["hlg"]["hlg"]["preset"], "balanced");
    // Whatever figures and sections name is there.
    for (const Json& section : json["sections"]) {
        for (const Json& table : section["tables"]) EXPECT_TRUE(json["tables"].contains(table.get<std::string>()));
        for (const Json& figure : section["figures"]) {
            const Json& row = json["tables"][figure["table"].get<std::string>()]["rows"][0];
            EXPECT_TRUE(row.contains(figure["x"]["key"].get<std::string>()) &&
                        row.contains(figure["y"]["key"].get<std::string>()));
        }
    }
}

}  // namespace
}  // namespace hlg::eval::capability
