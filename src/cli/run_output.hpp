// SPDX-License-Identifier: MIT
//
// Where the texts of a run go. They grow side by side and are told in the order of the prompts, each whole:
//
//     as text          one after the other; the first that has not ended streams, those behind it wait for their turn
//     on a terminal    the same, and below what is told all others stream, each in a few lines that are redrawn
//     as JSON          an object a line
//
// Statistics go to stderr as each text has been told.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string_view>

#include "cli/run_report.hpp"

namespace hlg::cli {

enum class OutputForm { text, terminal, json };

class RunOutput {
public:
    /** The reports must outlive it, and have what is known beforehand: prompt, index, choice. `echo` puts the prompt in front. */
    static std::unique_ptr<RunOutput> make(OutputForm form, std::span<const RunReport> reports, bool echo);

    virtual ~RunOutput() = default;
    RunOutput(const RunOutput&) = delete;
    RunOutput& operator=(const RunOutput&) = delete;

    /** More of that report's text, which has it already. Like all here it throws what goes wrong with stdout. */
    virtual void part(std::size_t index, std::string_view text) = 0;

    /** Reports have ended: tells those whose turn it is. */
    void ended();

    /** To be called some ten times a second, for what is redrawn. */
    virtual void tick() {}

    /** What streams ends here, whether it has ended or not. */
    virtual void stop() = 0;

protected:
    explicit RunOutput(std::span<const RunReport> reports) : reports_(reports) {}

    /** The text has ended, and it is its turn. */
    virtual void tell(std::size_t index) = 0;

    /** The text whose turn it is; reports().size() after the last. */
    [[nodiscard]] std::size_t turn() const noexcept { return turn_; }
    [[nodiscard]] std::span<const RunReport> reports() const noexcept { return reports_; }

private:
    std::span<const RunReport> reports_;
    std::size_t turn_ = 0;
};

/** "==> 2 of 3: The king had three sons <==", no wider than that many columns; without the prompt where all have the same. */
std::string header(std::span<const RunReport> reports, std::size_t index, int columns);

}  // namespace hlg::cli
