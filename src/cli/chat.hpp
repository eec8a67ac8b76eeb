// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>

#include "cli/engine_options.hpp"
#include "cli/generation_options.hpp"

namespace hlg::cli {

/** hlg run at a terminal: loads the model, then takes turns until the user ends it. A Ctrl-C ends an answer, two in a row at the
    prompt end the chat. Returns the program's exit code. */
int chat(const EngineOptions& engine, const GenerationOptions& generation, const std::atomic<bool>& interrupted);

}  // namespace hlg::cli
