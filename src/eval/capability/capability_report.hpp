// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <vector>

#include "eval/bootstrap.hpp"
#include "eval/capability/asking.hpp"
#include "eval/capability/task.hpp"
#include "eval/report.hpp"

namespace hlg::eval::capability {

struct CapabilityOptions {
    AskOptions asking = {};
    BootstrapOptions bootstrap = {.resamples = 1000, .level = 0.95, .seed = 1};
};

/** Asks every task's questions and makes the report of it: tables "comparison", "scores" and, where tasks have parts, "parts".
   Throws as TextSource::write does, and std::invalid_argument where a task has fewer than two questions. */
Report capability_report(const std::vector<std::unique_ptr<Task>>& tasks, TextSource& source, const CapabilityOptions& options,
                         const Progress& progress);

/** The columns of "comparison" that fit a terminal. */
std::vector<std::string> comparison_columns();

}  // namespace hlg::eval::capability
