// SPDX-License-Identifier: MIT
//
// What is in force in a chat, and how to say it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "cli/sampling_options.hpp"
#include "engine/context_options.hpp"
#include "engine/settings.hpp"

namespace hlg::cli {

class ChatSettings {
public:
    /** `own` are the model's settings, below the command line's; `tokens` the most of an answer, unset = no limit. */
    ChatSettings(std::string model, const engine::ContextLimits& limits, const SamplingOptions& sampling,
                 const engine::SamplingSettings& own, std::optional<std::size_t> tokens);

    /** From now on every answer is drawn with this seed, or with nothing, each with a new one. */
    void set_seed(std::optional<std::uint64_t> seed) noexcept { seed_ = seed; }

    /** For the next answer. */
    [[nodiscard]] std::uint64_t seed_of_next() const { return seed_ ? *seed_ : engine::random_seed(); }

    [[nodiscard]] std::optional<std::size_t> max_tokens() const noexcept { return tokens_; }

    /** "NAME, 1024 tokens of context, 1 thread". */
    [[nodiscard]] std::string model_line() const;

    /** Where the values of text() begin, columns. */
    static constexpr int indent = 15;

    /** All of it, in lines. */
    [[nodiscard]] std::string text() const;

private:
    std::string model_;
    engine::ContextLimits limits_;
    engine::ResolvedSettings resolved_;
    std::optional<std::uint64_t> seed_;
    std::optional<std::size_t> tokens_;
};

}  // namespace hlg::cli
