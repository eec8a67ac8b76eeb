// SPDX-License-Identifier: MIT
//
// What every evaluation of texts shares: which model or endpoint writes them, where they and the report go.
//
//     options.add_to(flags, "diversity");
//     ... after parsing ...
//     return run_text_evaluation(options, line, [&](eval::TextSource& source, const eval::Progress& progress) {
//         return diversity_report(source, ..., progress);
//     }, "table", {"sampler", ...});
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/engine_options.hpp"
#include "cli/flags.hpp"
#include "eval/report.hpp"
#include "eval/text_source.hpp"

namespace hlg::cli {

class TextEvalOptions {
public:
    /** Adds the flags; the object must live until parsing is over. */
    void add_to(Flags& flags, const std::string& kind);

    /** Loads the model, or asks the endpoint for its own. Throws UsageError, CommandError. */
    [[nodiscard]] std::unique_ptr<eval::TextSource> source(const std::atomic<bool>& interrupted) const;

    [[nodiscard]] std::uint64_t seed() const { return seed_.value_or(1); }
    [[nodiscard]] const std::string& folder() const noexcept { return folder_; }

private:
    [[nodiscard]] std::unique_ptr<eval::TextSource> endpoint() const;

    EngineOptions engine_;
    std::optional<std::string> endpoint_;
    std::optional<std::string> key_file_;
    std::optional<std::int64_t> concurrency_;
    std::optional<std::uint64_t> seed_;
    std::string folder_;
};

/** Writes texts, through a store in the folder, and makes a report of them. */
using TextEvaluation = std::function<eval::Report(eval::TextSource&, const eval::Progress&)>;

/** Runs it and writes the report; prints its findings and these columns of its table to stdout. All texts are kept in texts.jsonl
    in the folder, so a run that was stopped goes on where it was. Returns the exit code. */
int run_text_evaluation(const TextEvalOptions& options, const std::string& command, const TextEvaluation& evaluation,
                        const std::string& table, const std::vector<std::string>& columns);

}  // namespace hlg::cli
