// SPDX-License-Identifier: MIT
//
// hlg eval diversity.
#include <algorithm>
#include <filesystem>
#include <memory>
#include <stdexcept>

#include <fmt/core.h>

#include "cli/command.hpp"
#include "cli/eval_options.hpp"
#include "cli/numbers.hpp"
#include "cli/text_eval_options.hpp"
#include "cli/text_file.hpp"
#include "eval/diversity.hpp"
#include "eval/open_prompts.hpp"

namespace hlg::cli {
namespace {

constexpr const char* usual_words = "/usr/share/dict/words";
constexpr std::size_t longest_text = std::size_t{64} << 20U;  // bytes

struct DiversityCommand {
    TextEvalOptions eval;
    std::string words = usual_words;
    std::vector<std::string> real;
    std::optional<std::int64_t> samples;
    std::optional<std::int64_t> search_samples;
    std::optional<std::int64_t> trials;
    std::optional<std::int64_t> matchings;
    std::optional<std::int64_t> tokens;
    std::optional<std::int64_t> prompts;
    std::optional<std::int64_t> resamples;
};

std::vector<std::string> first_of(std::span<const std::string_view> prompts, const std::optional<std::int64_t>& most) {
    return {prompts.begin(),
            prompts.begin() + static_cast<std::ptrdiff_t>(std::min(size_or(most, prompts.size()), prompts.size()))};
}

eval::WordList word_list(const std::string& path) {
    try {
        return eval::WordList::read(path);
    } catch (const std::runtime_error& error) {
        throw UsageError(fmt::format("--words: {}; Debian's package wamerican brings {}", error.what(), usual_words));
    }
}

eval::DiversityOptions options_of(const DiversityCommand& command) {
    eval::DiversityOptions options;
    options.development = first_of(eval::development_prompts(), command.prompts);
    options.held_out = first_of(eval::held_out_prompts(), command.prompts);
    options.samples = size_or(command.samples, options.samples);
    options.search_samples = std::min(size_or(command.search_samples, options.search_samples), options.samples);
    options.trials = size_or(command.trials, options.trials);
    options.matchings = size_or(command.matchings, options.matchings);
    options.tokens = size_or(command.tokens, options.tokens);
    options.resamples = size_or(command.resamples, options.resamples);
    options.seed = command.eval.seed();
    options.words = word_list(command.words);
    options.folder = command.eval.folder();
    for (const std::string& path : command.real) options.real.learn(read_text_file(path, "the text", longest_text));
    return options;
}

int diversity(const DiversityCommand& command, const std::string& line) {
    const eval::DiversityOptions options = options_of(command);
    return run_text_evaluation(
        command.eval, line,
        [&](eval::TextSource& source, const eval::Progress& progress) {
            return diversity_report(draw_diversity(source, options, progress), source.facts(), options);
        },
        "short", {"sampler", "dissimilarity", "non_words", "surprisal", "vendi", "self_bleu", "distinct2", "deep_tail", "ends"});
}

}  // namespace

void add_diversity(CLI::App& app, Action& action) {
    auto command = std::make_shared<DiversityCommand>();
    Flags flags(app, "diversity", "Whether texts drawn with HLG differ more from each other than those of tuned rivals");
    flags.text("--words", "FILE", command->words, fmt::format("List of words, one a line ({})", usual_words));
    flags.each(
        "--real", "FILE", [command](const std::string& word) { command->real.push_back(word); },
        "Text that people wrote, for the perplexity under a model of such text; repeatable");
    flags.whole("--samples", command->samples, 2, 500, "Texts of each prompt (40)");
    flags.whole("--search-samples", command->search_samples, 2, 500, "And while samplers are tuned (8)");
    flags.whole("--trials", command->trials, 1, 100, "Temperatures tried of each setting (3)");
    flags.whole("--matchings", command->matchings, 1, 100, "Tries to match what was chosen in surprisal (2)");
    flags.whole("--tokens", command->tokens, 1, 4096, "Tokens of each text (64)");
    flags.whole("--prompts", command->prompts, 2, 100, "Only the first ones of each set, for a trial (20 and 40)");
    flags.whole("--resamples", command->resamples, 10, 1'000'000, "Resamples for intervals (2000)");
    command->eval.add_to(flags, "diversity");
    flags.when_chosen([command, flags, &action] {
        action = [command, line = spoken_command("hlg eval diversity", flags)] { return diversity(*command, line); };
    });
}

}  // namespace hlg::cli
