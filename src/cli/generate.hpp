// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <span>

#include "cli/generation_options.hpp"
#include "cli/run_output.hpp"
#include "cli/run_report.hpp"
#include "engine/engine.hpp"

namespace hlg::cli {

/** Generates the texts side by side, into the reports and the output. There are `choices()` reports a prompt, one behind the
 * other. A Ctrl-C ends all texts early. Throws the first error as give_up() does. */
void generate(engine::Engine& engine, const GenerationOptions& options, std::span<RunReport> reports, RunOutput& output,
              const std::atomic<bool>& interrupted);

}  // namespace hlg::cli
