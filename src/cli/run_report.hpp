// SPDX-License-Identifier: MIT
//
// What hlg run says when it is done: one line for people, one JSON object for machines.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "engine/event.hpp"
#include "engine/settings.hpp"

namespace hlg::cli {

/** Everything there is to say about one text of a run. */
struct RunReport {
    std::string model;
    std::string prompt;
    std::string text;
    std::size_t index = 0;   ///< of the prompt, from 0
    std::size_t choice = 0;  ///< of the prompt's answers, from 0
    std::size_t context = 0;
    int threads = 0;
    double load_seconds = 0.0;
    engine::ResolvedSettings settings;
    std::optional<engine::FinishedEvent> finished;  ///< once it has
};

/** "12 in, 200 out, 3812 tokens/s, finish: length, seed 7": tokens of the prompt and generated ones. It fits 80 columns with any
    seed that was not chosen, behind the program's name. With `number` it is one of several: "3: " in front, and no speed, which
    says little about a text that shared the machine. */
std::string statistics_line(const RunReport& report, std::optional<std::size_t> number = {});

/** One JSON object, one line; see `hlg run --help`. */
std::string to_json(const RunReport& report);

}  // namespace hlg::cli
