// SPDX-License-Identifier: MIT
#pragma once

#include "cli/command.hpp"

namespace hlg::cli {

/** hlg eval perf: what HLG costs in time. */
void add_perf(CLI::App& parent, Action& action);

}  // namespace hlg::cli
