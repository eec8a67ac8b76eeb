// SPDX-License-Identifier: MIT
//
// hlg run: loads a model and continues prompts, side by side if there are several; at a terminal without a prompt it is a chat.
// Text goes to stdout, and what is not text to stderr, so that a pipe gets the text alone. --json answers with one object a text
// at its end; whoever wants a stream of events talks to a server.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <limits>
#include <memory>
#include <string>

#include <fmt/core.h>
#include <unistd.h>

#include "cli/chat.hpp"
#include "cli/command.hpp"
#include "cli/engine_options.hpp"
#include "cli/flags.hpp"
#include "cli/generate.hpp"
#include "cli/generation_options.hpp"
#include "cli/interrupt.hpp"
#include "cli/prompt.hpp"
#include "cli/run_output.hpp"
#include "cli/run_report.hpp"
#include "cli/terminal.hpp"

namespace hlg::cli {
namespace {

// Lanes that several texts get unless --batch says otherwise: each needs memory for a context.
constexpr std::size_t usual_lanes = 8;

struct RunOptions {
    EngineOptions engine;
    PromptOptions prompt;
    GenerationOptions generation;
    bool echo = false;
    bool json = false;
};

/** Nobody to type a prompt for, or to read an answer: then it is no chat. */
bool wants_chat(const RunOptions& options) {
    return options.prompt.none() && !options.json && isatty(STDIN_FILENO) == 1 && stdout_is_terminal();
}

void check(const RunOptions& options) {
    options.generation.sampling().check();
    options.engine.check();
    if (wants_chat(options) && options.generation.choices() > 1) throw UsageError("--choices needs a prompt: -p TEXT");
}

/** A report for each text, with what is known before it is generated. */
std::vector<RunReport> reports_of(const RunOptions& options, const std::vector<std::string>& prompts, RunReport common) {
    std::vector<RunReport> reports;
    for (std::size_t i = 0; i < prompts.size(); ++i) {
        for (std::size_t choice = 0; choice < options.generation.choices(); ++choice) {
            common.prompt = prompts[i];
            common.index = i;
            common.choice = choice;
            reports.push_back(common);
        }
    }
    return reports;
}

OutputForm form_of(const RunOptions& options, std::size_t texts) {
    if (options.json) return OutputForm::json;
    return texts > 1 && moves_cursor() ? OutputForm::terminal : OutputForm::text;
}

/** What all texts together took; nothing for one, whose own line has it. */
void tell_sum(const std::vector<RunReport>& reports, double seconds) {
    if (reports.size() < 2) return;
    std::size_t tokens = 0;
    for (const RunReport& report : reports) tokens += report.finished ? report.finished->usage.generated_tokens : 0;
    fmt::print(stderr, "hlg run: {} texts, {} tokens in {:.2f} s, {:.0f} tokens/s\n", reports.size(), tokens, seconds,
               static_cast<double>(tokens) / std::max(seconds, 1e-9));
}

int continue_prompts(const RunOptions& options, const std::atomic<bool>& interrupted) {
    std::vector<std::string> prompts;
    // Nobody should type a prompt for a model that isn't there, nor wait for a model to hear that the prompt is no good.
    if (!options.prompt.on_stdin()) prompts = options.prompt.read();
    LoadedModel loaded = options.engine.load(interrupted);
    RunReport common;
    common.model = options.engine.name(loaded.model);
    common.load_seconds = loaded.seconds;
    common.settings = options.generation.sampling().resolve(loaded.own);
    if (options.prompt.on_stdin()) prompts = options.prompt.read();
    const std::size_t texts = prompts.size() * options.generation.choices();
    engine::EngineOptions engine_options = options.engine.for_model(loaded.model, std::min(texts, usual_lanes));
    engine_options.settings = {loaded.own};
    engine_options.most_requests = std::numeric_limits<std::size_t>::max();  // nobody else asks
    const std::unique_ptr<engine::Engine> engine = start_engine(loaded.model, std::move(engine_options));
    if (!options.engine.chat_template().empty())
        fmt::print(stderr, "hlg run: prompts are continued as they are; the chat template is for chats, that is without -p\n");
    common.context = engine->limits().context;
    common.threads = engine->limits().threads;
    std::vector<RunReport> reports = reports_of(options, prompts, std::move(common));
    const std::unique_ptr<RunOutput> output = RunOutput::make(form_of(options, texts), reports, options.echo);
    const auto start = std::chrono::steady_clock::now();
    generate(*engine, options.generation, reports, *output, interrupted);
    tell_sum(reports, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    return interrupted ? exit_interrupted : exit_ok;
}

int run(const RunOptions& options) {
    check(options);
    const std::atomic<bool>& interrupted = watch_interrupt();
    return wants_chat(options) ? chat(options.engine, options.generation, interrupted) : continue_prompts(options, interrupted);
}

}  // namespace

void add_run(CLI::App& app, Action& action) {
    auto options = std::make_shared<RunOptions>();
    Flags flags(app, "run", "Continue prompts, or chat where there is none; text goes to stdout, everything else to stderr");
    options->prompt.add_to(flags);
    flags.on("--echo", options->echo, "The prompt before the text (--json has it anyway)");
    flags.on("--json", options->json, "One JSON object a text: text, prompt, finish_reason, seed, usage, timings, settings");
    options->generation.add_to(flags);
    options->engine.add_to(flags, fmt::format("one for each, at most {}", usual_lanes));
    flags.when_chosen([options, &action] { action = [options] { return run(*options); }; });
}

}  // namespace hlg::cli
