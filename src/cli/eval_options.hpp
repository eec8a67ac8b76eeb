// SPDX-License-Identifier: MIT
//
// What every `hlg eval` command shares: where its contexts come from, how intervals are made, where the report goes.
#pragma once

#include <atomic>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cli/engine_options.hpp"
#include "cli/flags.hpp"
#include "cli/progress.hpp"
#include "eval/memo.hpp"
#include "eval/progress.hpp"
#include "eval/summary.hpp"

namespace hlg::cli {

class EvalOptions {
public:
    /** Adds the flags; the object must live until parsing is over. */
    void add_to(Flags& flags, const std::string& kind);

    /** Reads all folders, and has all models read all texts, behind progress bars. Throws UsageError, CommandError. */
    [[nodiscard]] eval::Corpus corpus(const std::atomic<bool>& interrupted) const;

    [[nodiscard]] eval::IntervalOptions intervals() const;
    [[nodiscard]] std::uint64_t seed() const { return seed_.value_or(1); }
    [[nodiscard]] const std::string& folder() const noexcept { return folder_; }

private:
    [[nodiscard]] eval::Corpus read_models(const std::atomic<bool>& interrupted) const;

    std::vector<std::string> logits_;
    std::vector<std::string> texts_;
    std::vector<std::string> others_;
    EngineOptions engine_;
    std::optional<std::int64_t> tokens_;
    std::optional<std::int64_t> every_;
    std::optional<std::int64_t> skip_;
    std::optional<std::int64_t> block_;
    std::optional<std::int64_t> resamples_;
    std::optional<std::uint64_t> seed_;
    std::string folder_;
};

/** An evaluation: makes its report, keeps what it has worked out in the memo, says how far it is. */
using Evaluation = std::function<eval::Report(const eval::Corpus&, eval::Memo&, const eval::Progress&)>;

/** Runs it and writes the report; prints its findings and these columns of its table to stdout. `inputs` names, for the corpus,
   what a run that was stopped must have in common with this one to be gone on with. Returns the exit code. */
int run_evaluation(const EvalOptions& options, const std::string& command,
                   const std::function<std::string(const eval::Corpus&)>& inputs, const Evaluation& evaluation,
                   const std::string& table, const std::vector<std::string>& columns);

/** A finished evaluation, and what its files and its last line say of it. */
struct Finished {
    std::string command;
    std::string engine;     ///< what computed, empty = nothing did
    double seconds = 0.0;   ///< that it took
    std::string looked_at;  ///< "274 contexts"
};

/** Writes the report into the folder; prints these columns of its table and its findings to stdout. */
void present(const eval::Report& report, const std::string& folder, const Finished& finished, const std::string& table,
             const std::vector<std::string>& columns);

/** A bar with the time left, and an end of all work when Ctrl-C comes. */
eval::Progress watched(ProgressBar& bar, const std::atomic<bool>& interrupted);

/** The command line that does the same again, for the report. */
std::string spoken_command(const std::string& name, const Flags& flags);

}  // namespace hlg::cli
