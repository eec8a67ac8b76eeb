// SPDX-License-Identifier: MIT
//
// The flags that say which model runs and how, the same for every subcommand that runs one, and the way from them to an engine.
//
//     LoadedModel loaded = options.load(interrupted);                // throws CommandError, like all here
//     std::unique_ptr<engine::Engine> engine = start_engine(loaded.model, options.for_model(loaded.model, 4));
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/flags.hpp"
#include "engine/engine.hpp"

namespace hlg::cli {

/** A model, and what it says itself about sampling: the tier below the command line's. */
struct LoadedModel {
    engine::Model model;
    engine::SamplingSettings own;
    double seconds = 0.0;  ///< that loading took
};

class EngineOptions {
public:
    /** Adds the flags; the object must live until parsing is over. `lanes` says in words what --batch is where it is not given.
     */
    void add_to(Flags& flags, const std::string& lanes);

    /** Throws UsageError for what is wrong whatever the model: flags that don't go together, adapters that are not there. */
    void check() const;

    /** Loads the model, behind a progress bar, and downloads it before where that is needed. */
    [[nodiscard]] LoadedModel load(const std::atomic<bool>& interrupted) const;

    /** For Engine::start, with so many lanes unless --batch was given; the caller adds the tiers of settings. Warns of a context
        longer than the model was trained for. */
    [[nodiscard]] engine::EngineOptions for_model(const engine::Model& model, std::size_t lanes) const;

    /** What to call the model: its alias, else the name that --hf has for it, else its path. */
    [[nodiscard]] std::string name(const engine::Model& model) const { return alias_.value_or(hf_.value_or(model.path())); }

    /** The word of --model, empty if it was not given. */
    [[nodiscard]] std::string model_word() const { return path_.value_or(""); }

    /** --alias, if it was given. */
    [[nodiscard]] const std::optional<std::string>& alias() const noexcept { return alias_; }

    /** The Jinja text of --chat-template or --chat-template-file; empty if neither was given. */
    [[nodiscard]] std::string chat_template() const;

private:
    [[nodiscard]] std::string model_path(const std::atomic<bool>& interrupted) const;
    [[nodiscard]] engine::LoadOptions load_options() const;

    std::optional<std::string> path_;
    std::optional<std::string> hf_;
    std::optional<std::string> alias_;
    std::optional<std::string> template_;
    std::optional<std::string> template_file_;
    std::optional<std::int64_t> threads_;
    std::optional<std::int64_t> context_;
    std::optional<std::int64_t> lanes_;
    std::optional<std::int64_t> chunk_;
    std::optional<int> gpu_layers_;
    std::optional<std::vector<std::string>> devices_;
    std::vector<std::string> rpc_servers_;
    std::optional<bool> mmap_;
    std::optional<std::optional<bool>> flash_attention_;  ///< unset inside = auto
    std::optional<std::string> cache_type_k_;
    std::optional<std::string> cache_type_v_;
    std::vector<engine::LoraAdapter> lora_;
    bool offline_ = false;
    bool mlock_ = false;
    bool reproducible_ = false;
    bool verbose_ = false;
};

/** An engine error as an exit, in the words of the command line: what the user can mend is usage, the rest a failure. */
[[noreturn]] void give_up(const engine::Error& error);

/** Engine::start, or give_up(). */
std::unique_ptr<engine::Engine> start_engine(engine::Model model, engine::EngineOptions options);

/** "lora.gguf:0.5" -> its path and scale; without a scale, 1. Throws UsageError. */
engine::LoraAdapter parse_lora(const std::string& word);

}  // namespace hlg::cli
