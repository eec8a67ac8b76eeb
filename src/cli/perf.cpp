// SPDX-License-Identifier: MIT
//
// hlg eval perf: what HLG costs in time.
#include <chrono>
#include <memory>
#include <stdexcept>

#include <fmt/core.h>

#include "cli/arm_word.hpp"
#include "cli/command.hpp"
#include "cli/eval_options.hpp"
#include "cli/flags.hpp"
#include "cli/interrupt.hpp"
#include "cli/numbers.hpp"
#include "cli/text_eval_options.hpp"
#include "eval/perf.hpp"

namespace hlg::cli {
namespace {

constexpr std::int64_t many = 100'000;

struct PerfCommand {
    TextEvalOptions texts;
    std::vector<eval::Arm> arms;
    std::vector<std::size_t> at_a_time;
    std::optional<std::int64_t> words;
    std::optional<std::int64_t> tokens;
    std::optional<std::int64_t> pairs;
};

int run(const PerfCommand& command, const std::string& line) {
    eval::PerfOptions options;
    options.arms = checked_arms(command.arms);
    if (options.arms.size() != 2) throw UsageError("--arm must be given twice, or not at all");
    if (!command.at_a_time.empty()) options.at_a_time = command.at_a_time;
    options.words = size_or(command.words, options.words);
    options.tokens = size_or(command.tokens, options.tokens);
    options.pairs = size_or(command.pairs, options.pairs);
    options.bootstrap.seed = command.texts.seed();
    const std::atomic<bool>& interrupted = watch_interrupt();
    const auto start = std::chrono::steady_clock::now();
    const std::unique_ptr<eval::TextSource> source = command.texts.source(interrupted);
    try {
        const eval::Report report = [&] {
            ProgressBar bar("timing", TimeLeft::told);
            return eval::perf_report(*source, options, watched(bar, interrupted));
        }();
        const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
        present(report, command.texts.folder(),
                {line, source->facts().engine, seconds.count(), fmt::format("{} pairs of runs", options.pairs)}, "speed",
                {"measure", "requests", "unit", "first", "second", "ratio"});
    } catch (const eval::Stopped&) {
        throw CommandError(exit_interrupted, "stopped");
    } catch (const std::invalid_argument& error) {
        throw UsageError(error.what());
    }
    return exit_ok;
}

void add_requests(PerfCommand& command, const std::string& word) {
    constexpr std::int64_t most = 1024;
    const std::optional<std::int64_t> requests = parse_whole(word);
    if (!requests || *requests < 1 || *requests > most) Flags::refuse("--requests", "1 to 1024", word);
    command.at_a_time.push_back(static_cast<std::size_t>(*requests));
}

}  // namespace

void add_perf(CLI::App& parent, Action& action) {
    auto command = std::make_shared<PerfCommand>();
    Flags flags(parent, "perf", "What HLG costs in time: tokens a second and the time to the first one, on and off in pairs");
    flags.each(
        "--arm", "NAME=JSON", [command](const std::string& word) { command->arms.push_back(read_arm(word)); },
        "Settings to compare, as in a request; twice: what the second costs beside the first (off and hlg, T = 1)");
    flags.each(
        "--requests", "N", [command](const std::string& word) { add_requests(*command, word); },
        "Requests at a time; repeatable (1 and 8)");
    flags.whole("--pairs", command->pairs, 2, many, "Pairs of runs (15)");
    flags.whole("--words", command->words, 1, many, "Words of a prompt (128)");
    flags.whole("--tokens", command->tokens, 1, many, "Tokens decoded for each request (64)");
    command->texts.add_to(flags, "perf");
    flags.when_chosen([command, flags, &action] {
        action = [command, line = spoken_command("hlg eval perf", flags)] { return run(*command, line); };
    });
}

}  // namespace hlg::cli
