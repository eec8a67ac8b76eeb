// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "eval/report.hpp"

namespace hlg::cli {

/** Some columns (none named = all) of a report's table as aligned text, a line a row: numbers to the right, with the column's
 * digits. */
std::string text_table(const eval::Table& table, const std::vector<std::string>& keys);

}  // namespace hlg::cli
