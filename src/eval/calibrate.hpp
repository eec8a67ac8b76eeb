// SPDX-License-Identifier: MIT
//
// hlg eval calibrate: which knobs give the least collision on open contexts for a price, within the limits of outcome.hpp; for
// each shape and pivot, with its offset. The answer is a front, not one setting; and what each preset does is held against the
// bars.
#pragma once

#include <string>
#include <vector>

#include "eval/comparison.hpp"

namespace hlg::eval {

struct CalibrateOptions {
    std::vector<double> budgets{0.01, 0.02, 0.03, 0.04, 0.05, 0.06, 0.08, 0.10, 0.13, 0.16, 0.20};
    std::vector<std::string> families;  ///< HLG's; empty = all six
    std::size_t evaluations = 512;      ///< of each shape and pivot, on all data and once for each fold
    Weighing weighing = Weighing::sources;
    IntervalOptions intervals = {};
};

/** What the default must do beside temperature 1, and beside top_p at the same price. */
inline constexpr double most_collision = 0.75;
inline constexpr double most_of_top_p = 0.95;

/** top_p brought to the entropy, and tuned to a price. */
class TopPAtPrice {
public:
    explicit TopPAtPrice(const Baseline& baseline);

    /** The relative collision on open contexts that top_p has at this price; NaN where no top_p costs as much. */
    [[nodiscard]] double collision(double price) const;

private:
    std::vector<Outcome> outcomes_;  ///< from cheap to dear
};

std::string calibrate_inputs(const Corpus& corpus, const CalibrateOptions& options);

/** Throws Stopped, std::invalid_argument. */
Report calibrate_report(const Corpus& corpus, const CalibrateOptions& options, Memo& memo, const Progress& progress);

}  // namespace hlg::eval
