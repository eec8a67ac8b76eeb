// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "eval/memo.hpp"
#include "eval/progress.hpp"
#include "eval/summary.hpp"

namespace hlg::eval {

struct ReachOptions {
    double tolerance = 2e-3;
    Weighing weighing = Weighing::contexts;
    IntervalOptions intervals = {};
};

std::string reach_inputs(const Corpus& corpus, const ReachOptions& options);

/** hlg eval reach: known samplers at the entropy of temperature 1, each context's distance to the nearest prefix with any
   temperature, and the distance to the nearest single setting of one of five truncations with temperature. Throws Stopped. */
Report reach_report(const Corpus& corpus, const ReachOptions& options, Memo& memo, const Progress& progress);

}  // namespace hlg::eval
