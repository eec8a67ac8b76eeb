// SPDX-License-Identifier: MIT
//
// The flags of hlg run that say what to ask the engine for: how long, until what, how many, and the sampling.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/flags.hpp"
#include "cli/sampling_options.hpp"
#include "engine/request.hpp"

namespace hlg::cli {

/** Tokens that -n stands for where it is not given: raw text seldom ends by itself. */
inline constexpr std::size_t default_tokens = 256;

class GenerationOptions {
public:
    /** Adds the flags; the object must live until parsing is over. */
    void add_to(Flags& flags);

    [[nodiscard]] const SamplingOptions& sampling() const noexcept { return sampling_; }
    [[nodiscard]] std::size_t choices() const noexcept { return static_cast<std::size_t>(choices_.value_or(1)); }

    /** -n in tokens, nothing for no limit but the context; `otherwise` where it was not given. */
    [[nodiscard]] std::optional<std::size_t> max_tokens(std::optional<std::size_t> otherwise) const;

    /** A request for one prompt with all of this. */
    [[nodiscard]] engine::GenerateRequest request(std::string prompt) const;

private:
    std::optional<std::int64_t> tokens_;
    std::optional<std::int64_t> choices_;
    std::vector<std::string> stop_;
    bool ignore_end_ = false;
    SamplingOptions sampling_;
};

}  // namespace hlg::cli
