// SPDX-License-Identifier: MIT
#pragma once

#include "cli/command.hpp"

namespace hlg::cli {

/** hlg eval capability: what samplers do to what a model can do. */
void add_capability(CLI::App& parent, Action& action);

}  // namespace hlg::cli
