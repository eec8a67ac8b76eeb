// SPDX-License-Identifier: MIT
#include "eval/capability/capability_tables.hpp"

#include "eval/hypothesis.hpp"

namespace hlg::eval::capability {
namespace {

void put_difference(Json& row, const Difference& difference) {
    Table::put(row, "difference", in_percent(difference.share));
    row["margin"] = number(percent * difference.margin);
    row["detectable"] = number(percent * difference.detectable);
}

Table empty_comparison(const std::string& first) {
    return Table(
        {{"task", "task"},
         {"measure", "measure"},
         {"arm", "arm"},
         {"questions", "questions"},
         {"answers", "answers each", "", 3, "to each question, for each arm"},
         {"first", first, "%", 3},
         {"score", "score", "%", 3},
         {"difference", "difference", "points", 3, "the arm's score less the first arm's, paired by question and seed", true},
         {"margin", "+-", "points", 3, "half the width of the 95% interval"},
         {"detectable", "resolves", "points", 3,
          "the smallest true difference that such a run finds in four of five tries, at the 5% level"},
         {"p", "p", "", 3, "two-sided, Holm over all tasks and arms"},
         {"verdict", "verdict"}});
}

Json comparison_row(const Results& results, std::size_t i, std::size_t arm, std::size_t measure) {
    const Outcome& outcome = results.outcomes[i];
    const Score& score = outcome.all.scores[arm][measure];
    Json row{{"task", outcome.title}, {"measure", outcome.measures[measure]}, {"arm", results.arms[arm].name}};
    row["questions"] = outcome.all.questions;
    row["answers"] = outcome.samples;
    row["first"] = number(percent * outcome.all.scores.front()[measure].share.estimate);
    row["score"] = number(percent * score.share.estimate);
    if (outcome.informative) put_difference(row, score.difference);
    const bool primary = measure == 0;
    const double p = outcome.informative ? results.adjusted[i][arm - 1] : 1.0;
    if (primary && outcome.informative) row["p"] = number(p);
    row["verdict"] = primary || !outcome.informative ? verdict(outcome, p, score.difference.share.estimate) : "not tested";
    row["primary"] = primary;  // what figures choose by
    row["informative"] = outcome.informative;
    return row;
}

Table empty_scores() {
    return Table({{"task", "task"},
                  {"measure", "measure"},
                  {"arm", "arm"},
                  {"score", "score", "%", 3, {}, true},
                  {"chance", "by chance", "%", 3, "what answers earn that know nothing of the question"},
                  {"p_chance", "p", "", 3, "that the score is no higher than by chance, one-sided, times the number of arms"},
                  {"answers", "answers"},
                  {"cut", "cut short", "%", 3, "answers that ended at the limit of tokens"},
                  {"blank", "blank", "%", 3, "answers without a word and without a call"},
                  {"refused", "not asked", "", 3, "answers that count as wrong because the question could not be asked"}});
}

Json score_row(const Results& results, std::size_t i, std::size_t arm, std::size_t measure) {
    const Outcome& outcome = results.outcomes[i];
    const ArmPoints& points = results.asked[i].arms[arm];
    const auto answers = static_cast<double>(points.answers);
    Json row{{"task", outcome.title}, {"measure", outcome.measures[measure]}, {"arm", results.arms[arm].name}};
    Table::put(row, "score", in_percent(outcome.all.scores[arm][measure].share));
    if (measure == 0) {
        row["chance"] = number(percent * outcome.chance[arm]);
        row["p_chance"] = number(outcome.p_chance[arm]);
    }
    row["answers"] = points.answers;
    row["cut"] = number(percent * static_cast<double>(points.cut) / answers);
    row["blank"] = number(percent * static_cast<double>(points.blank) / answers);
    row["refused"] = points.refused;
    row["primary"] = measure == 0;
    return row;
}

}  // namespace

Interval in_percent(const Interval& share) { return {percent * share.estimate, percent * share.low, percent * share.high}; }

std::vector<std::vector<double>> adjusted(const std::vector<Outcome>& outcomes, std::size_t arms) {
    std::vector<double> all;
    for (const Outcome& outcome : outcomes)
        for (std::size_t arm = 1; outcome.informative && arm < arms; ++arm)
            all.push_back(outcome.all.scores[arm].front().difference.p);
    const std::vector<double> corrected = holm(all);
    std::vector<std::vector<double>> made;
    std::size_t next = 0;
    for (const Outcome& outcome : outcomes) {
        made.emplace_back();
        for (std::size_t arm = 1; outcome.informative && arm < arms; ++arm) made.back().push_back(corrected[next++]);
    }
    return made;
}

std::string verdict(const Outcome& outcome, double p, double difference) {
    if (!outcome.informative) return "non-informative";
    if (!(p < 0.05)) return "no difference seen";
    return difference > 0 ? "higher" : "lower";
}

Table comparison_table(const Results& results) {
    Table table = empty_comparison(results.arms.front().name);
    for (std::size_t i = 0; i < results.outcomes.size(); ++i)
        for (std::size_t arm = 1; arm < results.arms.size(); ++arm)
            for (std::size_t measure = 0; measure < results.outcomes[i].measures.size(); ++measure)
                table.add(comparison_row(results, i, arm, measure));
    return table;
}

Table score_table(const Results& results) {
    Table table = empty_scores();
    for (std::size_t i = 0; i < results.outcomes.size(); ++i)
        for (std::size_t arm = 0; arm < results.arms.size(); ++arm)
            for (std::size_t measure = 0; measure < results.outcomes[i].measures.size(); ++measure)
                table.add(score_row(results, i, arm, measure));
    return table;
}

Table part_table(const Results& results) {
    Table table({{"task", "task"},
                 {"part", "part"},
                 {"arm", "arm"},
                 {"questions", "questions"},
                 {"score", "score", "%", 3, {}, true},
                 {"difference", "difference", "points", 3, {}, true},
                 {"margin", "+-", "points"},
                 {"detectable", "resolves", "points"}});
    for (const Outcome& outcome : results.outcomes) {
        for (const Group& group : outcome.groups) {
            for (std::size_t arm = 0; arm < results.arms.size(); ++arm) {
                const Score& score = group.scores[arm].front();
                Json row{{"task", outcome.title},
                         {"part", group.name},
                         {"arm", results.arms[arm].name},
                         {"questions", group.questions}};
                Table::put(row, "score", in_percent(score.share));
                if (outcome.informative && arm > 0) put_difference(row, score.difference);
                table.add(std::move(row));
            }
        }
    }
    return table;
}

}  // namespace hlg::eval::capability
