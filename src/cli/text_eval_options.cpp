// SPDX-License-Identifier: MIT
#include "cli/text_eval_options.hpp"

#include <chrono>
#include <cstdio>
#include <filesystem>

#include <fmt/core.h>

#include "cli/command.hpp"
#include "cli/eval_options.hpp"
#include "cli/interrupt.hpp"
#include "cli/progress.hpp"
#include "cli/text_file.hpp"
#include "eval/endpoint_source.hpp"
#include "eval/engine_source.hpp"
#include "eval/text_store.hpp"

namespace hlg::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t lanes = 16;
constexpr std::int64_t most_requests = 1024;
constexpr std::size_t longest_key = 4096;

std::string first_line(const std::string& text) {
    const std::size_t end = text.find_first_of("\r\n");
    return text.substr(0, end);
}

/** Counts the texts that pass. */
class Counted final : public eval::TextSource {
public:
    explicit Counted(eval::TextSource& source) : source_(source) {}
    void write(std::span<const eval::TextJob> jobs, const Take& take, const eval::Progress& progress) override {
        texts_ += jobs.size();
        source_.write(jobs, take, progress);
    }
    [[nodiscard]] const eval::SourceFacts& facts() const override { return source_.facts(); }
    [[nodiscard]] std::size_t texts() const noexcept { return texts_; }

private:
    eval::TextSource& source_;
    std::size_t texts_ = 0;
};

}  // namespace

void TextEvalOptions::add_to(Flags& flags, const std::string& kind) {
    folder_ = "hlg-eval-" + kind;
    flags.unsigned64("--seed", seed_, "Seed of texts and resamples (1)");
    flags.text("-o,--out", "FOLDER", folder_, "Where texts.jsonl, report.json and report.html go (" + folder_ + ")");
    flags.group("Endpoint, instead of a model in this process");
    flags.text(
        "--endpoint", "URL", endpoint_,
        "Server with OpenAI's completions, http://HOST:PORT; --model is its name there. HLG can be asked of hlg serve alone");
    flags.text("--api-key-file", "FILE", key_file_, "File whose first line is the endpoint's key");
    flags.whole("--concurrency", concurrency_, 1, most_requests, "Requests at a time (8)");
    engine_.add_to(flags, std::to_string(lanes));
}

std::unique_ptr<eval::TextSource> TextEvalOptions::endpoint() const {
    eval::EndpointOptions options{.url = *endpoint_, .model = engine_.model_word()};
    options.concurrency = static_cast<std::size_t>(concurrency_.value_or(static_cast<std::int64_t>(options.concurrency)));
    if (key_file_) options.key = first_line(read_text_file(*key_file_, "the key", longest_key));
    try {
        return std::make_unique<eval::EndpointSource>(std::move(options));
    } catch (const std::runtime_error& error) {
        throw UsageError(fmt::format("--endpoint: {}", error.what()));
    }
}

std::unique_ptr<eval::TextSource> TextEvalOptions::source(const std::atomic<bool>& interrupted) const {
    if (endpoint_) return endpoint();
    if (key_file_ || concurrency_) throw UsageError("--api-key-file and --concurrency are for an --endpoint");
    engine_.check();
    LoadedModel loaded = engine_.load(interrupted);
    const std::string name = fs::path(engine_.name(loaded.model)).stem().string();
    // No tier of the model's own: an evaluation says itself what samples.
    std::unique_ptr<engine::Engine> engine = start_engine(loaded.model, engine_.for_model(loaded.model, lanes));
    return std::make_unique<eval::EngineSource>(std::move(engine), name);
}

int run_text_evaluation(const TextEvalOptions& options, const std::string& command, const TextEvaluation& evaluation,
                        const std::string& table, const std::vector<std::string>& columns) {
    const std::atomic<bool>& interrupted = watch_interrupt();
    const auto start = std::chrono::steady_clock::now();
    const std::unique_ptr<eval::TextSource> source = options.source(interrupted);
    fs::create_directories(options.folder());
    try {
        eval::TextStore store(*source, (fs::path(options.folder()) / "texts.jsonl").string());
        if (store.resumed() > 0) fmt::print(stderr, "hlg eval: {} texts are there from an earlier run\n", store.resumed());
        Counted counted(store);
        const eval::Report report = [&] {
            ProgressBar bar("evaluating", TimeLeft::told);
            return evaluation(counted, watched(bar, interrupted));
        }();
        const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
        present(report, options.folder(),
                {command, source->facts().engine, seconds.count(), fmt::format("{} texts", counted.texts())}, table, columns);
    } catch (const eval::Stopped&) {
        throw CommandError(exit_interrupted, "stopped; the same command goes on from here");
    }
    return exit_ok;
}

}  // namespace hlg::cli
