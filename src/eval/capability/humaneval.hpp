// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>

#include "eval/capability/sandbox.hpp"
#include "eval/capability/task.hpp"

namespace hlg::eval::capability {

/** HumanEval (Chen et al. 2021): functions by their description, judged by running their tests in the sandbox, which must outlive
   the task. Reads FOLDER/humaneval/HumanEval.jsonl.gz, or the same unpacked: "task_id", "prompt", "entry_point", "test". Throws
   DataError. */
std::unique_ptr<Task> load_humaneval(const std::string& folder, const Sandbox& sandbox);

/** A function to write. */
struct Problem {
    std::string prompt;  ///< imports, what helps, and the function's head with its description
    std::string entry;   ///< the function's name
    std::string test;    ///< defines check(candidate)
};

/** The program that tests an answer: the code of its block that defines the function, or of its first one, or all of it; a
    whole function stands for itself, anything else is the body that goes on where the prompt ends. */
std::string test_program(const Problem& problem, const std::string& answer);

}  // namespace hlg::eval::capability
