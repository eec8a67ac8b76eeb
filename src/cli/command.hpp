// SPDX-License-Identifier: MIT
//
// How a subcommand registers itself: its file offers `void add_name(CLI::App& app, Action& action)`, which adds the
// subcommand's flags and, when the user picks it, sets `action` to what there is to do. main.cpp runs it.
#pragma once

#include <functional>
#include <stdexcept>
#include <string>

namespace CLI {
class App;
}

namespace hlg::cli {

/** The chosen subcommand; returns the program's exit code. */
using Action = std::function<int()>;

inline constexpr int exit_ok = 0;
inline constexpr int exit_failure = 1;        ///< something broke on the way
inline constexpr int exit_usage = 2;          ///< what the user asked for can't be done: bad flag, no such file
inline constexpr int exit_interrupted = 130;  ///< Ctrl-C, as shells count it

/** Ends the program with this exit code and this one line. */
class CommandError : public std::runtime_error {
public:
    CommandError(int code, const std::string& line) : std::runtime_error(line), code_(code) {}
    [[nodiscard]] int code() const noexcept { return code_; }

private:
    int code_;
};

/** What the user asked for can't be done. */
class UsageError : public CommandError {
public:
    explicit UsageError(const std::string& line) : CommandError(exit_usage, line) {}
};

/** hlg run: a prompt goes on. */
void add_run(CLI::App& app, Action& action);

/** hlg serve: over HTTP. */
void add_serve(CLI::App& app, Action& action);

/** hlg curve: the curve to look at. */
void add_curve(CLI::App& app, Action& action);

/** hlg draw: the sampler on raw logits. */
void add_draw(CLI::App& app, Action& action);

/** hlg eval: what samplers do to a model, measured. */
void add_eval(CLI::App& app, Action& action);

/** hlg compare: samplers side by side. */
void add_compare(CLI::App& app, Action& action);

/** Of hlg eval, whose app they get: diversity, capability, perf. */
void add_diversity(CLI::App& app, Action& action);
void add_capability(CLI::App& app, Action& action);
void add_perf(CLI::App& app, Action& action);

}  // namespace hlg::cli
