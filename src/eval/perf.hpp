// SPDX-License-Identifier: MIT
//
// What HLG costs in time: the same requests with and without it, one right after the other, now these first and now those.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "eval/arm.hpp"
#include "eval/bootstrap.hpp"
#include "eval/report.hpp"
#include "eval/text_source.hpp"

namespace hlg::eval {

struct PerfOptions {
    std::vector<Arm> arms = default_arms();       ///< two: what the second costs beside the first
    std::vector<std::size_t> at_a_time = {1, 8};  ///< requests
    std::size_t words = 128;                      ///< of a prompt; no two prompts begin alike
    std::size_t tokens = 64;                      ///< decoded for each request after its first token
    std::size_t pairs = 15;                       ///< of runs
    BootstrapOptions bootstrap = {.resamples = 2000, .level = 0.95, .seed = 1};
};

/** A run of as many requests as go at a time. */
struct PerfRun {
    double first_seconds = 0.0;      ///< from the first request to the last one's first token
    double tokens_per_second = 0.0;  ///< of all requests together, after that
};

/** A pair of runs, [arms]. */
using PerfPair = std::array<PerfRun, 2>;

/**
 * Pairs of runs, `at_a_time` requests each. A source gives texts whole, so a run is two: one of requests for one token, whose
 * time is that to the first token, and one of requests for `tokens` more, whose time beyond it is that of decoding.
 */
std::vector<PerfPair> time_pairs(TextSource& source, const PerfOptions& options, std::size_t at_a_time,
                                 const Progress& progress = {});

/** The middle of the pairs' ratios, second arm over first, and its interval; for seconds a ratio above 1 is a loss. */
Interval median_ratio(const std::vector<PerfPair>& pairs, double PerfRun::*what, const BootstrapOptions& options);

/** All of it (table "speed"). Throws std::invalid_argument for what makes no sense, std::runtime_error when the source fails. */
Report perf_report(TextSource& source, const PerfOptions& options, const Progress& progress = {});

}  // namespace hlg::eval
