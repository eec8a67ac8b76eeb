// SPDX-License-Identifier: MIT
//
// The same prompts and seeds under several samplers, side by side: a look, not a measurement. What texts differ by is
// `hlg eval diversity`'s to say.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "engine/engine.hpp"
#include "eval/arm.hpp"
#include "eval/progress.hpp"
#include "eval/report.hpp"
#include "eval/token_trace.hpp"

namespace hlg::eval {

struct CompareOptions {
    std::vector<std::string> prompts;  ///< continued as they stand
    std::vector<Arm> arms = default_arms();
    std::size_t tokens = 128;  ///< of each text, at most
    std::uint64_t seed = 1;    ///< of each prompt's texts: the same for every arm, one more for each prompt
};

/** A prompt's texts, one an arm. */
struct ComparedPrompt {
    std::string prompt;
    std::vector<Trace> arms;  ///< [arms]
};

/** Writes and traces all texts. Throws std::runtime_error, std::invalid_argument for settings that make no sense, and Stopped. */
std::vector<ComparedPrompt> compare(engine::Engine& engine, const CompareOptions& options, const std::atomic<bool>& abort,
                                    const Progress& progress = {});

/** The texts, part one's measures of each arm (table "arms"), and the curves. */
Report comparison_of_texts(const engine::Engine& engine, const CompareOptions& options,
                           const std::vector<ComparedPrompt>& compared);

}  // namespace hlg::eval
