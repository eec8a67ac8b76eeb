// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>

#include "eval/capability/task.hpp"

namespace hlg::eval::capability {

/**
 * MMLU (Hendrycks et al. 2021) with generated answers: what a sampler draws, not which letter's score is highest. Reads
 * FOLDER/mmlu/test/SUBJECT_test.csv, and `shots` examples from mmlu/dev/SUBJECT_dev.csv: question, four choices, the answer
 * as A to D, or, below a header line, as 0 to 3. Throws DataError.
 */
std::unique_ptr<Task> load_mmlu(const std::string& folder, std::size_t shots);

/** The letter that a text gives as its answer, 'A' to 'D': behind its last "answer is" or "answer:", else the one that it begins
    with, else the last one in brackets or alone on a line. */
std::optional<char> mmlu_answer(const std::string& text);

}  // namespace hlg::eval::capability
