// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "eval/capability/task.hpp"

namespace hlg::eval::capability {

/** GSM8K (Cobbe et al. 2021): sums in words. Reads FOLDER/gsm8k/test.jsonl: "question", and "answer" with "#### NUMBER" at its
    end. Throws DataError. */
std::unique_ptr<Task> load_gsm8k(const std::string& folder);

/** The number that a text gives as its answer: the first behind its last "####", else its last one; in plain form. */
std::optional<std::string> gsm8k_answer(const std::string& text);

}  // namespace hlg::eval::capability
