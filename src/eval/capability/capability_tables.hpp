// SPDX-License-Identifier: MIT
//
// The tables of a capability report.
#pragma once

#include <string>
#include <vector>

#include "eval/capability/asking.hpp"
#include "eval/capability/outcome.hpp"
#include "eval/report.hpp"

namespace hlg::eval::capability {

/** Shares as a reader takes them in. */
constexpr double percent = 100.0;
Interval in_percent(const Interval& share);

/** Everything that the report is made of. */
struct Results {
    std::vector<Arm> arms;
    std::vector<Outcome> outcomes;
    std::vector<Asked> asked;
    std::vector<std::vector<double>> adjusted;  ///< [outcome][arm - 1]: p of the first measure, Holm over the informative tasks
};

/** p-values of the comparisons that are made; those of tasks that tell nothing are none. */
std::vector<std::vector<double>> adjusted(const std::vector<Outcome>& outcomes, std::size_t arms);

/** What becomes of a comparison: "non-informative", "no difference seen", "higher" or "lower". */
std::string verdict(const Outcome& outcome, double p, double difference);

/** Each task's arms beside the first one. */
Table comparison_table(const Results& results);

/** Each arm's scores, what comes by chance, and what went wrong with answers. */
Table score_table(const Results& results);

/** The same by the parts of tasks; no row if there are none. */
Table part_table(const Results& results);

}  // namespace hlg::eval::capability
