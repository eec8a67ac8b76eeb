// SPDX-License-Identifier: MIT
//
// Changes to single tokens on the command line: --ban ID and --bias ID:DELTA, each as often as wanted; and how --logit-bias says
// both.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "cli/flags.hpp"
#include "hlg/sampler.hpp"

namespace hlg::cli {

class EditOptions {
public:
    /** Adds the flags; the object must live until parsing is over. */
    void add_to(Flags& flags);

    /** What was given. */
    [[nodiscard]] std::span<const Edit> edits() const noexcept { return edits_; }

    /** Throws UsageError for a token outside a vocabulary of this size. */
    void check(std::size_t vocab) const;

private:
    std::vector<Edit> edits_;
};

/** "262+1.5", "262-3" or "262-inf", as llama.cpp spells a bias. Throws UsageError. */
Edit parse_logit_bias(const std::string& word);

}  // namespace hlg::cli
