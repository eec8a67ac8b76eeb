// SPDX-License-Identifier: MIT
//
// hlg compare: the same prompts and seeds under several samplers, side by side in the terminal and in a report.
#include <chrono>
#include <filesystem>
#include <memory>
#include <sstream>
#include <stdexcept>

#include <fmt/core.h>

#include "cli/arm_word.hpp"
#include "cli/command.hpp"
#include "cli/engine_options.hpp"
#include "cli/eval_options.hpp"
#include "cli/interrupt.hpp"
#include "cli/live_view.hpp"
#include "cli/numbers.hpp"
#include "cli/output_file.hpp"
#include "cli/prompt.hpp"
#include "cli/side_by_side.hpp"
#include "cli/terminal.hpp"
#include "cli/text_file.hpp"
#include "engine/backend.hpp"
#include "eval/compare.hpp"

namespace hlg::cli {
namespace {

constexpr std::int64_t most_tokens = 1'000'000;
constexpr int usual_columns = 100;
constexpr std::size_t longest_file = std::size_t{16} << 20U;  // bytes

struct CompareCommand {
    PromptOptions prompts;
    EngineOptions engine;
    std::optional<std::string> file;  ///< of prompts, a line each
    std::vector<eval::Arm> arms;
    std::optional<std::int64_t> tokens;
    std::optional<std::uint64_t> seed;
    std::string folder = "hlg-compare";
};

std::vector<std::string> prompts_of(const CompareCommand& command) {
    if (!command.file) return command.prompts.read();
    if (!command.prompts.none()) throw UsageError("prompts come from --prompts or from --prompt and --file, not from both");
    std::istringstream lines(read_text_file(*command.file, "the prompts", longest_file));
    std::vector<std::string> prompts;
    for (std::string line; std::getline(lines, line);) {
        if (line.ends_with('\r')) line.pop_back();
        if (!line.empty()) prompts.push_back(line);
    }
    if (prompts.empty()) throw UsageError(*command.file + " has no prompt: each is a line");
    return prompts;
}

std::vector<eval::ComparedPrompt> write_texts(engine::Engine& engine, const eval::CompareOptions& options,
                                              const std::atomic<bool>& interrupted) {
    ProgressBar bar("writing", TimeLeft::told);
    return eval::compare(engine, options, interrupted, watched(bar, interrupted));
}

std::string shown(const eval::CompareOptions& options, const std::vector<eval::ComparedPrompt>& compared) {
    const bool colour = wants_colour();
    const int columns = terminal_size().value_or(TerminalSize{.columns = usual_columns + 1}).columns - 1;
    std::string all;
    for (const eval::ComparedPrompt& prompt : compared) {
        std::vector<TitledTrace> texts;
        for (std::size_t arm = 0; arm < options.arms.size(); ++arm) texts.push_back({options.arms[arm].name, &prompt.arms[arm]});
        all += one_line(prompt.prompt, columns) + "\n\n" + side_by_side(texts, columns, colour) + "\n";
    }
    const std::string key = colour_key(colour);
    return key.empty() ? all : all + key + "\n";
}

int run(const CompareCommand& command, const std::string& line) {
    eval::CompareOptions options;
    options.arms = checked_arms(command.arms);
    options.prompts = prompts_of(command);
    options.tokens = size_or(command.tokens, options.tokens);
    options.seed = command.seed.value_or(options.seed);
    command.engine.check();
    const std::atomic<bool>& interrupted = watch_interrupt();
    const auto start = std::chrono::steady_clock::now();
    const LoadedModel loaded = command.engine.load(interrupted);
    const std::unique_ptr<engine::Engine> engine =
        start_engine(loaded.model, command.engine.for_model(loaded.model, options.arms.size()));
    try {
        const std::vector<eval::ComparedPrompt> compared = write_texts(*engine, options, interrupted);
        const eval::Report report = eval::comparison_of_texts(*engine, options, compared);
        write_file("-", shown(options, compared));
        const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
        present(report, command.folder,
                {line, engine::backend_version(), seconds.count(),
                 fmt::format("{} texts", options.prompts.size() * options.arms.size())},
                "arms", {"arm", "tokens", "entropy", "surprisal", "kl", "top1", "collision", "tail"});
    } catch (const eval::Stopped&) {
        throw CommandError(exit_interrupted, "stopped");
    } catch (const std::invalid_argument& error) {
        throw UsageError(error.what());
    }
    return exit_ok;
}

}  // namespace

void add_compare(CLI::App& app, Action& action) {
    auto command = std::make_shared<CompareCommand>();
    Flags flags(app, "compare", "The same prompts and seeds under several samplers, side by side");
    command->prompts.add_to(flags);
    flags.text("--prompts", "FILE", command->file, "Prompts from a file, a line each");
    flags.each(
        "--arm", "NAME=JSON", [command](const std::string& word) { command->arms.push_back(read_arm(word)); },
        "Settings to compare, as in a request: 'cut={\"top_p\": 0.9}'; repeatable (off and hlg, T = 1)");
    flags.whole("-n,--tokens", command->tokens, 1, most_tokens, "Most tokens of a text (128)");
    flags.unsigned64("--seed", command->seed, "Seed of the first prompt's texts, one more for each further prompt (1)");
    flags.text("-o,--out", "FOLDER", command->folder, "Where report.json and report.html go (hlg-compare)");
    command->engine.add_to(flags, "one an arm");
    flags.when_chosen([command, flags, &action] {
        action = [command, line = spoken_command("hlg compare", flags)] { return run(*command, line); };
    });
}

}  // namespace hlg::cli
