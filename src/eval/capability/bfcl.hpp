// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>

#include "eval/capability/task.hpp"

namespace hlg::eval::capability {

/**
 * BFCL, the Berkeley Function Calling Leaderboard's single turns: one function and one call (simple), one call of several
 * functions (multiple), several calls (parallel, parallel_multiple), and no call where no function fits (irrelevance). Reads
 * FOLDER/bfcl/BFCL_vN_CATEGORY.json and, but for irrelevance, bfcl/possible_answer/ with the same name; parallel_multiple may be
 * missing. Throws DataError.
 */
std::unique_ptr<Task> load_bfcl(const std::string& folder);

}  // namespace hlg::eval::capability
