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
#include "engine/engine.hpp"
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
        case ErrorCode::prompt_too_long: throw UsageError(error.message + " (see --ctx-size)");
        default: throw UsageError(error.message);
    }
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

/** The model's own settings: the tier below the command line's. */
engine::SamplingSettings own_settings(const engine::Model& model) {
    const engine::Result<engine::SamplingSettings> own = engine::model_settings(model);
    if (!own) give_up(own.error());
    return *own;
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

engine::GenerateRequest request_of(const RunOptions& options, const RunReport& report) {
    engine::GenerateRequest request;
    request.prompt = report.prompt;
    request.sampling = options.sampling.given();
    request.sampling.seed = report.settings.params.seed;
    const std::int64_t tokens = options.tokens.value_or(default_tokens);
    if (tokens >= 0) request.max_tokens = static_cast<std::size_t>(tokens);
    return request;
}

/** The next event; a Ctrl-C meanwhile cancels, and the events go on until the end of that. */
std::optional<engine::Event> next_event(engine::Ticket& ticket, const std::atomic<bool>& interrupted) {
    constexpr std::chrono::milliseconds patience(50);
    bool ended = false;
    while (!ended) {
        if (interrupted) ticket.cancel();
        if (std::optional<engine::Event> event = ticket.next_for(patience, ended)) return event;
    }
    return std::nullopt;
}

/** Generates into the report, streaming on the way. */
void generate(const RunOptions& options, engine::Engine& engine, const std::atomic<bool>& interrupted, RunReport& report) {
    Stream stream(options);
    if (options.echo) stream.show(report.prompt);
    engine::Ticket ticket = engine.submit(request_of(options, report));
    while (std::optional<engine::Event> event = next_event(ticket, interrupted)) {
        if (const auto* part = std::get_if<engine::TextEvent>(&event->what)) {
            report.text += part->text;
            if (!stream.show(part->text)) ticket.cancel();
        } else if (const auto* last = std::get_if<engine::FinishedEvent>(&event->what)) {
            report.result = *last;
        } else if (const auto* failed = std::get_if<engine::ErrorEvent>(&event->what)) {
            stream.finish();
            give_up(failed->error);
        }
    }
    stream.finish();
}

std::unique_ptr<engine::Engine> start_engine(const RunOptions& options, engine::Model model, engine::SamplingSettings own,
                                             RunReport& report) {
    engine::EngineOptions engine_options;
    engine_options.context.context = report.context;
    engine_options.context.threads = static_cast<int>(options.threads.value_or(0));
    engine_options.settings = {std::move(own)};
    engine::Result<std::unique_ptr<engine::Engine>> engine = engine::Engine::start(std::move(model), std::move(engine_options));
    if (!engine) give_up(engine.error());
    report.threads = (*engine)->limits().threads;
    return std::move(*engine);
}

int run(const RunOptions& options) {
    options.sampling.check();
    const std::atomic<bool>& interrupted = watch_interrupt();
    RunReport report;
    // Nobody should type a prompt for a model that isn't there, nor wait for a model to hear that the prompt is no good.
    if (!options.prompt.on_stdin()) report.prompt = options.prompt.read();
    engine::Model model = load_model(options, interrupted, report.load_seconds);
    report.model = model.path();
    engine::SamplingSettings own = own_settings(model);
    report.settings = options.sampling.resolve(own);
    report.context = engine::effective_context(model, static_cast<std::size_t>(options.context.value_or(0)));
    warn_beyond_training(model, report.context);
    if (options.prompt.on_stdin()) report.prompt = options.prompt.read();
    const std::unique_ptr<engine::Engine> engine = start_engine(options, std::move(model), std::move(own), report);
    generate(options, *engine, interrupted, report);
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
