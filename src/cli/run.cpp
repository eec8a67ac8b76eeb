// SPDX-License-Identifier: MIT
//
// hlg run: loads a model, continues a prompt, streams the text to stdout. What is not text goes to stderr, so that a pipe
// gets the text alone. --json answers with one object at the end; whoever wants a stream of events talks to a server.
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <limits>
#include <memory>
#include <string>

#include <fmt/core.h>

#include "cli/command.hpp"
#include "cli/demo_model.hpp"
#include "cli/flags.hpp"
#include "cli/interrupt.hpp"
#include "cli/progress.hpp"
#include "cli/run_report.hpp"
#include "cli/sampling_options.hpp"
#include "engine/generate.hpp"
#include "engine/model_config.hpp"

namespace hlg::cli {
namespace {

constexpr std::int64_t default_tokens = 256;
constexpr std::size_t max_prompt_bytes = std::size_t{64} << 20U;  // far beyond any context; keeps token counts in 32 bits

struct RunOptions {
    std::string model;
    std::optional<std::string> prompt;
    std::optional<std::int64_t> tokens;
    std::optional<std::int64_t> threads;
    std::optional<std::int64_t> context;
    SamplingOptions sampling;
    bool json = false;
    bool verbose = false;
};

double seconds_since(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/** An engine error as an exit: what the user can mend is usage, the rest a failure. */
[[noreturn]] void give_up(const engine::Error& error) {
    using engine::ErrorCode;
    switch (error.code) {
        case ErrorCode::interrupted: throw CommandError(exit_interrupted, error.message);
        case ErrorCode::decode_failed:
        case ErrorCode::sampling_failed: throw CommandError(exit_failure, error.message);
        default: throw UsageError(error.message);
    }
}

std::string read_stdin() {
    if (isatty(STDIN_FILENO) == 1) fmt::print(stderr, "hlg run: type the prompt, then Ctrl-D\n");
    std::string text;
    char buffer[4096];
    for (ssize_t count = 0; (count = read(STDIN_FILENO, buffer, sizeof buffer)) > 0;) {
        text.append(buffer, static_cast<std::size_t>(count));
        if (text.size() > max_prompt_bytes) throw UsageError("the prompt on stdin is longer than 64 MiB");
    }
    if (!text.empty() && text.back() == '\n') text.pop_back();  // the one that echo and editors put there
    return text;
}

/** The prompt's tokens, or a UsageError that names both numbers when they don't fit. */
std::vector<engine::Token> fit_prompt(const engine::Model& model, const std::string& prompt, std::size_t context) {
    std::vector<engine::Token> tokens = model.tokenize(prompt);
    if (tokens.empty()) throw UsageError("the prompt is empty, and this model needs something to continue");
    if (tokens.size() > context) {
        throw UsageError(fmt::format("the prompt is longer than the context: {} tokens, the context holds {} (see --ctx-size)",
                                     tokens.size(), context));
    }
    return tokens;
}

engine::Model load_model(const RunOptions& options, const std::atomic<bool>& interrupted, double& seconds) {
    const auto start = std::chrono::steady_clock::now();
    ProgressBar bar;
    engine::LoadOptions load;
    load.verbose = options.verbose;
    load.progress = [&](float done) {
        bar.show(done);
        return !interrupted;
    };
    engine::Result<engine::Model> model = engine::Model::load(options.model.empty() ? demo_model_path() : options.model, load);
    if (!model) give_up(model.error());
    seconds = seconds_since(start);
    return std::move(*model);
}

/** The command line over the model's own settings. */
engine::ResolvedSettings settings_in_force(const RunOptions& options, const engine::Model& model) {
    const engine::Result<engine::SamplingSettings> own = engine::model_settings(model);
    if (!own) give_up(own.error());
    return options.sampling.resolve(*own);
}

void warn_beyond_training(const engine::Model& model, std::size_t context) {
    const std::size_t trained = model.trained_context();
    if (trained != 0 && context > trained)
        fmt::print(stderr, "hlg run: the model was trained for {} tokens of context, not {}\n", trained, context);
}

/** Streams to stdout unless the text is wanted as JSON; false once nobody reads any more. */
bool show(std::string_view text, bool json, std::string& all) {
    all += text;
    if (json) return true;
    return std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
}

/** Generates into the report, streaming on the way. */
void generate(const RunOptions& options, const engine::Model& model, const std::atomic<bool>& interrupted, RunReport& report) {
    engine::GenerationRequest request;
    request.prompt = fit_prompt(model, options.prompt ? *options.prompt : read_stdin(), report.context);
    request.sampling = report.settings.params;
    request.max_tokens = options.tokens.value_or(default_tokens);
    request.cancel = &interrupted;
    const int threads = static_cast<int>(options.threads.value_or(0));
    engine::Result<engine::Lane> lane =
        engine::Lane::open(model, {.context = report.context, .threads = threads, .cancel = &interrupted});
    if (!lane) give_up(lane.error());
    report.threads = lane->threads();
    const auto sink = [&](std::string_view text) { return show(text, options.json, report.text); };
    const engine::Result<engine::GenerationResult> result = engine::generate(model, *lane, request, sink);
    if (!result) {
        if (!report.text.empty() && !options.json) fmt::print("\n");
        give_up(result.error());
    }
    report.result = *result;
}

int run(const RunOptions& options) {
    options.sampling.check();
    const std::atomic<bool>& interrupted = watch_interrupt();
    RunReport report;
    const engine::Model model = load_model(options, interrupted, report.load_seconds);
    report.model = model.path();
    report.settings = settings_in_force(options, model);
    report.context = engine::effective_context(model, static_cast<std::size_t>(options.context.value_or(0)));
    warn_beyond_training(model, report.context);
    generate(options, model, interrupted, report);
    fmt::print("{}\n", options.json ? to_json(report) : std::string());
    std::fflush(stdout);
    fmt::print(stderr, "hlg run: {}\n", statistics_line(report));
    return interrupted ? exit_interrupted : exit_ok;
}

}  // namespace

void add_run(CLI::App& app, Action& action) {
    auto options = std::make_shared<RunOptions>();
    Flags flags(app, "run", "Continue a prompt; the text goes to stdout, everything else to stderr");
    flags.text("-m,--model", "FILE", options->model, "GGUF file (the demo model)");
    flags.text("-p,--prompt", "TEXT", options->prompt, "What to continue (read from stdin, less one final newline)");
    flags.whole("-n,--tokens", options->tokens, -1, std::numeric_limits<std::int32_t>::max(),
                "Tokens to generate at most; -1 = until it ends (256)");
    flags.whole("--threads", options->threads, 1, 512, "Threads (one for a small model, else the machine's cores)");
    flags.whole("--ctx-size", options->context, 1, 1 << 24, "Context, tokens (the model's own, at most 4096)");
    flags.on("--json", options->json, "One JSON object at the end: text, finish_reason, seed, usage, timings, settings");
    flags.on("--verbose", options->verbose, "llama.cpp's own log, on stderr");
    options->sampling.add_to(flags);
    flags.when_chosen([options, &action] { action = [options] { return run(*options); }; });
}

}  // namespace hlg::cli
