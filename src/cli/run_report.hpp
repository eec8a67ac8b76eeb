// SPDX-License-Identifier: MIT
//
// What hlg run says when it is done: one line for people, one JSON object for machines.
#pragma once

#include <string>

#include "engine/event.hpp"
#include "engine/settings.hpp"

namespace hlg::cli {

/** Everything there is to say about a run. */
struct RunReport {
    std::string model;
    std::string prompt;
    std::string text;
    std::size_t context = 0;
    int threads = 0;
    double load_seconds = 0.0;
    engine::ResolvedSettings settings;
    engine::FinishedEvent result;
};

/** "12 in, 200 out, 3812 tokens/s, finish: length, seed 7": tokens of the prompt and generated ones. It fits 80 columns with any
    seed that was not chosen, behind the program's name. */
std::string statistics_line(const RunReport& report);

/** One JSON object, one line; see `hlg run --help`. */
std::string to_json(const RunReport& report);

}  // namespace hlg::cli
