// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "eval/capability/task.hpp"

namespace hlg::eval::capability {

/**
 * IFEval (Zhou et al. 2023): instructions that a program can check. Reads FOLDER/ifeval/input_data.jsonl: "prompt",
 * "instruction_id_list", "kwargs". Measures: whole prompts and single instructions, each strict and loose. Throws DataError.
 */
std::unique_ptr<Task> load_ifeval(const std::string& folder);

/** The readings of an answer of which one must follow an instruction in the loose measure: with and without its first line, its
   last line, and all stars. The first is the answer itself. */
std::vector<std::string> loose_readings(const std::string& answer);

}  // namespace hlg::eval::capability
