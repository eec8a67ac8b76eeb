// SPDX-License-Identifier: MIT
//
// The sampling flags that several subcommands share: temperature, top-p, top-k, min-p, seed and every --hlg-* flag.
//
//     auto options = std::make_shared<SamplingOptions>();
//     options->add_to(flags);
//     ... after parsing ...
//     const engine::ResolvedSettings settings = options->resolve(tier_below);   // throws UsageError naming the flag
#pragma once

#include <optional>
#include <string>

#include "cli/flags.hpp"
#include "engine/settings.hpp"

namespace hlg::cli {

class SamplingOptions {
public:
    /** Adds the flags; the object must live until parsing is over. */
    void add_to(Flags& flags);

    /** Adds only what shapes the curve: temperature and the --hlg-* flags. */
    void add_curve_to(Flags& flags);

    /** Adds what only a text has a use for: penalties, and biases as llama.cpp spells them. */
    void add_edits_to(Flags& flags);

    /** What the command line says: one tier. */
    [[nodiscard]] const engine::SamplingSettings& given() const noexcept { return given_; }

    /** Throws UsageError if a flag is out of its range, whatever the model may say; cheap, so do it before loading one. */
    void check() const;

    /** The settings in force: the command line over `below` (a model's own settings) over the built-in ones, with a seed drawn
        if none is set. Logs one line when something given has no effect. Throws UsageError. */
    [[nodiscard]] engine::ResolvedSettings resolve(const engine::SamplingSettings& below = {}) const;

    /** As resolve(), for looking at the curve: HLG is on unless --hlg-sampling off was given. */
    [[nodiscard]] engine::ResolvedSettings resolve_curve() const;

private:
    engine::SamplingSettings given_;
};

/** A setting's flag: "hlg.pivot_offset" -> "--hlg-pivot-offset". */
std::string flag_of(const std::string& field);

/** "[hlg.width] must be ..." -> "--hlg-width must be ...": the engine's words for an error, as a command line's. */
std::string speak_flags(const std::string& message);

/** A flag's word. */
std::optional<bool> on_or_off(const std::string& word);

}  // namespace hlg::cli
