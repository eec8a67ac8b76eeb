// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "eval/report.hpp"

namespace hlg::eval {

/**
 * What a figure (report.md) shows in a few words, for its title: between which values it spans, and whose they are, as in
 * "Deep tail from 1.2e-06 (mid) to 0.004 (open) at toe 20". Lines are read at their right ends, intervals along x, the rest along
 * y. Empty where there is nothing to tell: no two rows, no numbers, a heat map.
 */
std::string finding_of(const Json& figure, const Table& table);

}  // namespace hlg::eval
