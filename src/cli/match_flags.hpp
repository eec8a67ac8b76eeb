// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/eval_options.hpp"
#include "eval/calibrate.hpp"
#include "eval/comparison.hpp"

namespace hlg::cli {

/** How samplers are tuned and compared. */
class MatchFlags {
public:
    /** Adds the flags; the object must live until parsing is over. */
    void add_to(Flags& flags);

    [[nodiscard]] eval::MatchOptions options(const EvalOptions& eval) const;

private:
    std::vector<std::string> families_;
    std::vector<std::string> held_out_;
    std::vector<double> budgets_;
    std::optional<std::int64_t> evaluations_;
    bool by_source_ = false;
};

/** How HLG's knobs are searched. */
class CalibrateFlags {
public:
    /** Adds the flags; the object must live until parsing is over. */
    void add_to(Flags& flags);

    [[nodiscard]] eval::CalibrateOptions options(const EvalOptions& eval) const;

private:
    std::vector<std::string> families_;
    std::vector<double> budgets_;
    std::optional<std::int64_t> evaluations_;
    bool by_context_ = false;
};

}  // namespace hlg::cli
