// SPDX-License-Identifier: MIT
//
// A task's questions, put to a source of texts under several settings of its sampler: the same questions and the same seeds for
// each.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "eval/arm.hpp"
#include "eval/capability/task.hpp"
#include "eval/progress.hpp"
#include "eval/text_source.hpp"

namespace hlg::eval::capability {

struct AskOptions {
    std::vector<Arm> arms = default_arms();
    std::size_t samples = 4;                     ///< answers to each question, for each arm
    std::optional<std::size_t> questions = {};   ///< ask only so many, drawn at random; unset = all
    std::optional<std::size_t> max_tokens = {};  ///< of an answer; unset = as the task has it
    std::optional<bool> thinking = {};           ///< as in ChatRequest
    std::uint64_t seed = 1;
};

/** What an arm's answers earned. */
struct ArmPoints {
    std::vector<Points> points;  ///< [question * measures + measure], the sum over its answers
    std::vector<double> chance;  ///< [question]: what of the first measure would have come by chance; see Task::chance
    std::size_t answers = 0;
    std::size_t cut = 0;       ///< answers that ended at the limit of tokens
    std::size_t blank = 0;     ///< answers without a word and without a call
    std::size_t refused = 0;   ///< questions that could not be asked, each counted as an answer that is wrong
    std::string refusal = {};  ///< why the first of them could not
};

struct Asked {
    std::vector<std::size_t> questions;  ///< the task's own numbers
    std::vector<ArmPoints> arms;
};

/** The questions that are asked: all, or so many drawn by the seed, in the task's order. */
std::vector<std::size_t> chosen_questions(const Task& task, const AskOptions& options);

/** The jobs for some questions: arm by arm within a question's sample, so that all arms of it are asked side by side. */
std::vector<TextJob> jobs_of(const Task& task, std::span<const std::size_t> questions, const AskOptions& options);

/** Asks, and judges. Throws as TextSource::write does, and what the judge throws. */
Asked ask(const Task& task, TextSource& source, const AskOptions& options, const Progress& progress);

}  // namespace hlg::eval::capability
