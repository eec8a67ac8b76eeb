// SPDX-License-Identifier: MIT
//
// hlg run: loads a model, continues a prompt, streams the text to stdout. What is not text goes to stderr, so that a pipe
// gets the text alone. --json answers with one object at the end; whoever wants a stream of events talks to a server.
#include <chrono>
#include <cstdio>
#include <exception>
#include <limits>
#include <memory>
#include <string>

#include <fmt/core.h>

#include "cli/command.hpp"
#include "cli/demo_model.hpp"
#include "cli/flags.hpp"
#include "cli/interrupt.hpp"
#include "cli/output_file.hpp"
#include "cli/progress.hpp"
#include "cli/prompt.hpp"
#include "cli/run_report.hpp"
#include "cli/sampling_options.hpp"
#include "engine/generate.hpp"
#include "engine/model_config.hpp"

namespace hlg::cli {
namespace {

constexpr std::int64_t default_tokens = 256;

struct RunOptions {
    std::string model;
    PromptOptions prompt;
    std::optional<std::int64_t> tokens;
    std::optional<std::int64_t> threads;
    std::optional<std::int64_t> context;
    SamplingOptions sampling;
    bool echo = false;
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

/** The prompt's tokens, or a UsageError that names both numbers when they don't fit. */
std::vector<engine::Token> fit_prompt(const engine::Model& model, const std::string& prompt, std::size_t context) {
    std::vector<engine::Token> tokens = model.tokenize(prompt);
    if (tokens.empty()) throw UsageError("the prompt is empty, and this model has no begin mark to start from");
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

/** Streams the text to stdout, unless it is wanted as JSON. What goes wrong there ends the generation, which is not to be
    thrown through, and is kept for later. */
class Stream {
public:
    explicit Stream(const RunOptions& options) : streams_(!options.json) {}

    bool show(std::string_view text) {
        if (!streams_ || text.empty()) return true;
        shown_ = true;
        try {
            write_file("-", text);
        } catch (...) {
            broken_ = std::current_exception();
        }
        return broken_ == nullptr;
    }

    /** Ends the line; throws what went wrong. */
    void finish() {
        if (broken_ == nullptr && shown_) show("\n");
        if (broken_ != nullptr) std::rethrow_exception(broken_);
    }

private:
    bool streams_;
    bool shown_ = false;
    std::exception_ptr broken_;
};

/** Generates into the report, streaming on the way. */
void generate(const RunOptions& options, const engine::Model& model, const std::atomic<bool>& interrupted, RunReport& report) {
    engine::GenerationRequest request;
    request.prompt = fit_prompt(model, report.prompt, report.context);
    request.sampling = report.settings.params;
    request.max_tokens = options.tokens.value_or(default_tokens);
    request.cancel = &interrupted;
    const int threads = static_cast<int>(options.threads.value_or(0));
    engine::Result<engine::Lane> lane =
        engine::Lane::open(model, {.context = report.context, .threads = threads, .cancel = &interrupted});
    if (!lane) give_up(lane.error());
    report.threads = lane->threads();
    Stream stream(options);
    if (options.echo) stream.show(report.prompt);
    const auto sink = [&](std::string_view text) {
        report.text += text;
        return stream.show(text);
    };
    const engine::Result<engine::GenerationResult> result = engine::generate(model, *lane, request, sink);
    stream.finish();
    if (!result) give_up(result.error());
    report.result = *result;
}

int run(const RunOptions& options) {
    options.sampling.check();
    const std::atomic<bool>& interrupted = watch_interrupt();
    RunReport report;
    // Nobody should type a prompt for a model that isn't there, nor wait for a model to hear that the prompt is no good.
    if (!options.prompt.on_stdin()) report.prompt = options.prompt.read();
    const engine::Model model = load_model(options, interrupted, report.load_seconds);
    report.model = model.path();
    report.settings = settings_in_force(options, model);
    report.context = engine::effective_context(model, static_cast<std::size_t>(options.context.value_or(0)));
    warn_beyond_training(model, report.context);
    if (options.prompt.on_stdin()) report.prompt = options.prompt.read();
    generate(options, model, interrupted, report);
    if (options.json) write_file("-", to_json(report) + "\n");
    fmt::print(stderr, "hlg run: {}\n", statistics_line(report));
    return interrupted ? exit_interrupted : exit_ok;
}

}  // namespace

void add_run(CLI::App& app, Action& action) {
    auto options = std::make_shared<RunOptions>();
    Flags flags(app, "run", "Continue a prompt; the text goes to stdout, everything else to stderr");
    flags.text("-m,--model", "FILE", options->model, "GGUF file (the demo model)");
    options->prompt.add_to(flags);
    flags.whole("-n,--tokens", options->tokens, -1, std::numeric_limits<std::int32_t>::max(),
                "Tokens to generate at most; -1 = until it ends (256)");
    flags.whole(
        "--threads", options->threads, 1, 512,
        "Threads (chosen for the model and the machine); more than there are free cores make it hundreds of times slower");
    flags.whole("--ctx-size", options->context, 1, 1 << 24, "Context, tokens (the model's own, at most 4096)");
    flags.on("--echo", options->echo, "The prompt before the text (--json has it anyway)");
    flags.on("--json", options->json, "One JSON object at the end: text, prompt, finish_reason, seed, usage, timings, settings");
    flags.on("--verbose", options->verbose, "llama.cpp's own log, on stderr");
    options->sampling.add_to(flags);
    flags.when_chosen([options, &action] { action = [options] { return run(*options); }; });
}

}  // namespace hlg::cli
