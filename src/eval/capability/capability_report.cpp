// SPDX-License-Identifier: MIT
#include "eval/capability/capability_report.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "engine/settings_json.hpp"
#include "eval/capability/capability_tables.hpp"

namespace hlg::eval::capability {
namespace {

std::string finding(const Results& results, std::size_t i, std::size_t arm) {
    const Outcome& outcome = results.outcomes[i];
    const Score& score = outcome.all.scores[arm].front();
    const Interval difference = in_percent(score.difference.share);
    return fmt::format(
        "{}, {}: {} {:.1f}%, {} {:.1f}%; {:+.1f} points ({:+.1f} to {:+.1f}), {}. This run resolves {:.1f} points.",
        outcome.title, outcome.measures.front(), results.arms[arm].name, percent * score.share.estimate,
        results.arms.front().name, percent * outcome.all.scores.front().front().share.estimate, difference.estimate,
        difference.low, difference.high, verdict(outcome, results.adjusted[i][arm - 1], difference.estimate),
        percent * score.difference.detectable);
}

/** "off 12.5%, hlg 13.0%": the first measure of each arm. */
std::string scores_of(const Results& results, const Outcome& outcome) {
    std::string text;
    for (std::size_t arm = 0; arm < results.arms.size(); ++arm)
        text += fmt::format("{}{} {:.1f}%", arm == 0 ? "" : ", ", results.arms[arm].name,
                            percent * outcome.all.scores[arm].front().share.estimate);
    return text;
}

std::string no_finding(const Results& results, const Outcome& outcome) {
    return fmt::format("{}: non-informative, not compared: no better than chance ({}; by chance {:.1f}%).", outcome.title,
                       scores_of(results, outcome), percent * *std::max_element(outcome.chance.begin(), outcome.chance.end()));
}

/** What makes a task's scores lower than the model's own fault is. */
void add_troubles(Report& report, const Outcome& outcome, const Asked& asked) {
    std::size_t answers = 0;
    std::size_t refused = 0;
    double cut = 0.0;
    std::string refusal;
    for (const ArmPoints& arm : asked.arms) {
        answers += arm.answers;
        refused += arm.refused;
        cut = std::max(cut, static_cast<double>(arm.cut) / static_cast<double>(arm.answers));
        if (refusal.empty()) refusal = arm.refusal;
    }
    constexpr double often = 0.1;
    if (refused > 0)
        report.find(fmt::format("{}: {} of {} answers count as wrong, for the questions could not be asked: {}", outcome.title,
                                refused, answers, refusal));
    if (cut > often)
        report.find(
            fmt::format("{}: {:.0f}% of an arm's answers were cut short; --tokens allows more.", outcome.title, percent * cut));
}

void add_findings(Report& report, const Results& results) {
    for (std::size_t i = 0; i < results.outcomes.size(); ++i) {
        const Outcome& outcome = results.outcomes[i];
        if (!outcome.informative) report.find(no_finding(results, outcome));
        for (std::size_t arm = 1; outcome.informative && arm < results.arms.size(); ++arm) report.find(finding(results, i, arm));
    }
    for (std::size_t i = 0; i < results.outcomes.size(); ++i) add_troubles(report, results.outcomes[i], results.asked[i]);
}

Json axis(const std::string& key, bool category) {
    return category ? Json{{"key", key}, {"scale", "category"}} : Json{{"key", key}};
}

Json figure(const std::string& title, const std::string& table, const std::string& x, const std::string& y, const Json& where) {
    return {{"title", title},      {"table", table},     {"where", where}, {"mark", "interval"},
            {"x", axis(x, false)}, {"y", axis(y, true)}, {"series", "arm"}};
}

void add_sections(Report& report, const Results& results) {
    const bool any =
        std::any_of(results.outcomes.begin(), results.outcomes.end(), [](const auto& one) { return one.informative; });
    std::vector<Json> differences;
    if (any) {
        differences.push_back(figure("Difference from " + results.arms.front().name, "comparison", "difference", "task",
                                     {{"primary", true}, {"informative", true}}));
        differences.back()["rules"] = Json::array({{{"axis", "x"}, {"at", 0}, {"label", "none"}}});
    }
    report.section(
        "comparison", any ? "What the arms differ by" : "No task tells anything about this model",
        {"The same questions and seeds for every arm; questions are resampled, never answers. A task on which no arm "
         "is above chance is non-informative: its differences are not shown, for they would say nothing of the samplers."},
        std::move(differences), {"comparison"});
    report.section("scores", "What was right", {}, {figure("Scores", "scores", "score", "task", {{"primary", true}})},
                   {"scores"});
    if (const Table* parts = report.table("parts")) {
        std::vector<Json> figures;
        for (const Outcome& outcome : results.outcomes)
            if (!outcome.groups.empty())
                figures.push_back(figure(outcome.title, "parts", "score", "part", {{"task", outcome.title}}));
        report.section("parts", fmt::format("The {} parts", parts->rows().size() / results.arms.size()), {}, std::move(figures),
                       {"parts"});
    }
}

/** Each task's share of the bar: as many answers as it takes, weighed by how long they may be. */
std::vector<double> shares_of(const std::vector<std::unique_ptr<Task>>& tasks, const AskOptions& options) {
    std::vector<double> ends{0.0};
    for (const std::unique_ptr<Task>& task : tasks)
        ends.push_back(ends.back() + static_cast<double>(chosen_questions(*task, options).size() *
                                                         options.max_tokens.value_or(task->answer_tokens())));
    for (double& end : ends) end /= ends.back();
    return ends;
}

void describe(Report& report, const std::vector<std::unique_ptr<Task>>& tasks, TextSource& source,
              const CapabilityOptions& options, const Results& results) {
    report.input(source.facts().json());
    report.seed("texts", options.asking.seed);
    report.seed("bootstrap", options.bootstrap.seed);
    report.set("resamples", options.bootstrap.resamples);
    report.set("answers to each question", options.asking.samples);
    Json arms = Json::object();
    for (const Arm& arm : results.arms) arms[arm.name] = engine::to_json(explicit_settings(arm.sampling));
    report.set("arms", std::move(arms));
    Json described = Json::object();
    for (std::size_t i = 0; i < tasks.size(); ++i)
        described[tasks[i]->name()] = {{"questions", tasks[i]->questions().size()},
                                       {"asked", results.asked[i].questions.size()},
                                       {"tokens", options.asking.max_tokens.value_or(tasks[i]->answer_tokens())},
                                       {"sha256", tasks[i]->fingerprint()}};
    report.set("tasks", std::move(described));
}

}  // namespace

std::vector<std::string> comparison_columns() {
    return {"task", "measure", "arm", "questions", "first", "score", "difference", "margin", "detectable", "verdict"};
}

Report capability_report(const std::vector<std::unique_ptr<Task>>& tasks, TextSource& source, const CapabilityOptions& options,
                         const Progress& progress) {
    Results results{.arms = options.asking.arms, .outcomes = {}, .asked = {}, .adjusted = {}};
    const std::vector<double> ends = shares_of(tasks, options.asking);
    for (std::size_t i = 0; i < tasks.size(); ++i) {
        const Progress part = [&](double done) { return !progress || progress(ends[i] + done * (ends[i + 1] - ends[i])); };
        results.asked.push_back(ask(*tasks[i], source, options.asking, part));
        results.outcomes.push_back(outcome_of(*tasks[i], results.asked.back(), options.asking.samples, options.bootstrap));
    }
    results.adjusted = adjusted(results.outcomes, results.arms.size());
    Report report("capability", "What samplers do to what a model can do");
    describe(report, tasks, source, options, results);
    add_findings(report, results);
    report.table("comparison", comparison_table(results));
    report.table("scores", score_table(results));
    if (Table parts = part_table(results); !parts.rows().empty()) report.table("parts", std::move(parts));
    add_sections(report, results);
    return report;
}

}  // namespace hlg::eval::capability
