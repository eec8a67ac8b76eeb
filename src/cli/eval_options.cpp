// SPDX-License-Identifier: MIT
#include "cli/eval_options.hpp"

#include <chrono>
#include <cstdio>
#include <filesystem>

#include <fmt/core.h>

#include "cli/command.hpp"
#include "cli/interrupt.hpp"
#include "cli/output_file.hpp"
#include "cli/progress.hpp"
#include "cli/terminal.hpp"
#include "cli/text_file.hpp"
#include "cli/text_table.hpp"
#include "engine/backend.hpp"
#include "eval/logits_folder.hpp"
#include "eval/text_contexts.hpp"

namespace hlg::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t longest_text = std::size_t{64} << 20U;  // bytes
constexpr std::int64_t any = std::int64_t{1} << 40U;

/** What errors of the room below are on a command line: files that are wrong are the user's to mend. */
template <class Work>
auto spoken_errors(const Work& work) {
    try {
        return work();
    } catch (const eval::Stopped&) {
        throw CommandError(exit_interrupted, "stopped");
    }
}

std::string file_name(const std::string& path) { return fs::path(path).stem().string(); }

}  // namespace

eval::Progress watched(ProgressBar& bar, const std::atomic<bool>& interrupted) {
    return [&bar, &interrupted](double done) {
        bar.show(static_cast<float>(done));
        return !interrupted;
    };
}

void EvalOptions::add_to(Flags& flags, const std::string& kind) {
    folder_ = "hlg-eval-" + kind;
    flags.each(
        "--logits", "DIR", [this](const std::string& word) { logits_.push_back(word); },
        "Folder of raw logits with an index.json, of any framework; repeatable");
    flags.each(
        "--text", "FILE", [this](const std::string& word) { texts_.push_back(word); },
        "Text that the model reads as it stands; repeatable");
    flags.each(
        "--also", "FILE", [this](const std::string& word) { others_.push_back(word); },
        "Another model (GGUF) for the same texts; repeatable");
    flags.whole("--tokens", tokens_, 2, any, "Tokens of each text to read (512)");
    flags.whole("--every", every_, 1, any, "Take only each so many-th of them (1)");
    flags.whole("--skip", skip_, 0, any, "And leave out the first ones (4)");
    flags.whole("--block", block_, 1, any, "Contexts in a block when texts are resampled (8)");
    flags.whole("--resamples", resamples_, 10, 1'000'000, "Resamples for intervals (1000)");
    flags.unsigned64("--seed", seed_, "Seed of resamples and searches (1)");
    flags.text("-o,--out", "FOLDER", folder_, "Where report.json and report.html go (" + folder_ + ")");
    engine_.add_to(flags, "1");
}

eval::IntervalOptions EvalOptions::intervals() const {
    eval::IntervalOptions options;
    options.block = static_cast<std::size_t>(block_.value_or(8));
    options.bootstrap.resamples = static_cast<std::size_t>(resamples_.value_or(1000));
    options.bootstrap.seed = seed();
    return options;
}

eval::Corpus EvalOptions::read_models(const std::atomic<bool>& interrupted) const {
    std::vector<eval::NamedText> texts;
    texts.reserve(texts_.size());
    for (const std::string& path : texts_) texts.push_back({file_name(path), read_text_file(path, "the text", longest_text)});
    const LoadedModel first = engine_.load(interrupted);
    std::vector<std::pair<std::string, engine::Model>> models{{file_name(engine_.name(first.model)), first.model}};
    for (const std::string& path : others_) {
        engine::Result<engine::Model> other = engine::Model::load(path);
        if (!other) give_up(other.error());
        models.emplace_back(file_name(path), *other);
    }
    eval::Corpus corpus;
    for (const auto& [name, model] : models) {
        ProgressBar bar("reading texts with " + name, TimeLeft::told);
        eval::TextOptions options{.id = name, .engine = engine_.for_model(model, 1).context};
        options.tokens = static_cast<std::size_t>(tokens_.value_or(512));
        options.every = static_cast<std::size_t>(every_.value_or(1));
        options.skip = static_cast<std::size_t>(skip_.value_or(4));
        append(corpus, eval::read_texts(model, texts, options, interrupted, watched(bar, interrupted)));
    }
    return corpus;
}

eval::Corpus EvalOptions::corpus(const std::atomic<bool>& interrupted) const {
    if (logits_.empty() && texts_.empty()) throw UsageError("--logits DIR or --text FILE is needed: there is nothing to look at");
    engine_.check();
    eval::Corpus corpus;
    for (const std::string& folder : logits_) {
        ProgressBar bar("reading logits", TimeLeft::told);
        try {
            append(corpus, eval::read_logits_folder(folder, watched(bar, interrupted)));
        } catch (const std::runtime_error& error) {
            throw UsageError(error.what());
        }
    }
    if (!texts_.empty()) append(corpus, read_models(interrupted));
    if (corpus.contexts.empty()) throw UsageError("--text holds too few tokens: no context is left");
    return corpus;
}

void present(const eval::Report& report, const std::string& folder, const Finished& finished, const std::string& table,
             const std::vector<std::string>& columns) {
    eval::write_report(folder, report.json({.hlg = HLG_VERSION,
                                            .engine = finished.engine,
                                            .command = finished.command,
                                            .date = eval::utc_now(),
                                            .machine = eval::machine_name(),
                                            .seconds = finished.seconds}));
    std::string text;
    for (const std::string& finding : report.findings()) text += wrapped(finding, 100, 2) + "\n";
    write_file("-", text_table(*report.table(table), columns) + "\n" + text);
    fmt::print(stderr, "hlg eval: {} in {:.1f} s; see {}\n", finished.looked_at, finished.seconds,
               (fs::path(folder) / "report.html").string());
}

int run_evaluation(const EvalOptions& options, const std::string& command,
                   const std::function<std::string(const eval::Corpus&)>& inputs, const Evaluation& evaluation,
                   const std::string& table, const std::vector<std::string>& columns) {
    const std::atomic<bool>& interrupted = watch_interrupt();
    const auto start = std::chrono::steady_clock::now();
    const eval::Corpus corpus = spoken_errors([&] { return options.corpus(interrupted); });
    fs::create_directories(options.folder());
    eval::Memo memo((fs::path(options.folder()) / "unfinished").string(), inputs(corpus));
    if (memo.resumed() > 0) fmt::print(stderr, "hlg eval: goes on where it stopped, {} pieces are known\n", memo.resumed());
    const eval::Report report = spoken_errors([&] {
        ProgressBar bar("evaluating", TimeLeft::told);
        return evaluation(corpus, memo, watched(bar, interrupted));
    });
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    bool engine = false;
    for (const eval::Source& source : corpus.sources) engine = engine || source.kind == "model";
    present(report, options.folder(),
            {command, engine ? engine::backend_version() : std::string(), seconds.count(),
             fmt::format("{} contexts", corpus.contexts.size())},
            table, columns);
    memo.remove();
    return exit_ok;
}

namespace {

/** As a shell reads it back. */
std::string quoted(const std::string& word) {
    constexpr std::string_view plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./:=,@%+-";
    if (!word.empty() && word.find_first_not_of(plain) == std::string::npos) return word;
    std::string text = "'";
    for (const char character : word) text += character == '\'' ? "'\\''" : std::string(1, character);
    return text + "'";
}

}  // namespace

std::string spoken_command(const std::string& name, const Flags& flags) {
    std::string line = name;
    for (const auto& [flag, word] : flags.given()) {
        const fs::path path(word);
        line += " " + flag + " " + quoted(path.is_absolute() ? path.filename().string() : word);
    }
    return line;
}

}  // namespace hlg::cli
