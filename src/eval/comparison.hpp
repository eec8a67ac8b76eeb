// SPDX-License-Identifier: MIT
//
// hlg eval match: all samplers at the same mean entropy over all contexts, each tuned with the same number of evaluations on one
// part of the data and reported on the other, at several prices.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "eval/folds.hpp"
#include "eval/memo.hpp"
#include "eval/progress.hpp"
#include "eval/search.hpp"
#include "eval/summary.hpp"

namespace hlg::eval {

struct MatchOptions {
    std::vector<std::string> families;                                            ///< ids; empty = all
    std::vector<std::string> held_out;                                            ///< see make_folds
    std::vector<double> budgets{0.01, 0.02, 0.03, 0.05, 0.07, 0.10, 0.14, 0.20};  ///< prices, nats a token
    std::size_t evaluations = 128;                                                ///< of each family on each fold
    Weighing weighing = Weighing::contexts;
    IntervalOptions intervals = {};
};

/** An outcome with its intervals. */
struct Judged {
    Outcome outcome;
    Interval price;
    Interval collision;
    Interval open_top1;
    Interval mid;
    Interval slip;
    Interval tail;
};

/** A family tuned for one goal, on what was held out. */
struct Contestant {
    const Family* family = nullptr;
    Limits limits;
    std::string knobs;    ///< of each fold
    std::string trouble;  ///< why there is no outcome: "cannot reach", "no setting keeps the limits"; empty = there is one
    double calibration_collision = 0.0;  ///< mean over folds, where it was tuned
    std::vector<Row> rows;               ///< [contexts] of the corpus
    std::vector<double> held;            ///< [contexts] 1 where held out, else 0 and without a row
    Judged judged;
};

/** Everything that was tried on each fold, [folds][families][trials]. */
using Trials = std::vector<std::vector<std::vector<Trial>>>;
Trials search_all(const std::vector<Fold>& folds, const std::vector<const Family*>& families, const std::vector<Limits>& goals,
                  const MatchOptions& options, Memo& memo, const Progress& progress);

/** The families of these ids, or all. Throws std::invalid_argument for one that there is not. */
std::vector<const Family*> families_of(const std::vector<std::string>& ids);

/** A family's best settings within the limits, one a fold, looked at where they were not tuned. */
Contestant contest(const Corpus& corpus, const std::vector<Fold>& folds, const Family& family,
                   const std::vector<std::vector<Trial>>& trials, const Limits& limits, const MatchOptions& options);

/** An outcome of rows of which only those with 1 in `held` count. */
Judged judge(const Baseline& baseline, std::span<const Row> rows, std::span<const double> held, const IntervalOptions& options);

/** The goals: each budget, without further limits and with them. */
std::vector<Limits> goals_of(const std::vector<double>& budgets);

std::string match_inputs(const Corpus& corpus, const MatchOptions& options);

/** Throws Stopped, std::invalid_argument. */
Report match_report(const Corpus& corpus, const MatchOptions& options, Memo& memo, const Progress& progress);

}  // namespace hlg::eval
