// SPDX-License-Identifier: MIT
#include "cli/match_flags.hpp"

#include "cli/command.hpp"
#include "cli/numbers.hpp"

namespace hlg::cli {
namespace {

void add_budgets(Flags& flags, std::vector<double>& budgets, const std::string& usual) {
    const auto read = [&budgets](const std::string& word) {
        const std::optional<double> budget = parse_real(word);
        if (!budget || !(*budget > 0)) Flags::refuse("--budget", "a price in nats, more than 0", word);
        budgets.push_back(*budget);
    };
    flags.each("--budget", "NATS", read, "Price that tuning may pay, nats a token; repeatable (" + usual + ")");
}

}  // namespace

void MatchFlags::add_to(Flags& flags) {
    flags.each(
        "--sampler", "ID", [this](const std::string& word) { families_.push_back(word); },
        "Only these samplers: top_p, hlg-fade-entropy, ...; repeatable (all; a wrong one lists them)");
    flags.each(
        "--held-out", "SOURCE", [this](const std::string& word) { held_out_.push_back(word); },
        "Model that nothing is tuned on; repeatable (each in turn)");
    add_budgets(flags, budgets_, "0.01 to 0.2 in eight steps");
    flags.whole("--evaluations", evaluations_, 2, 1'000'000, "Settings tried for each sampler (128)");
    flags.on("--by-source", by_source_, "Every model counts the same, however many contexts it has");
}

eval::MatchOptions MatchFlags::options(const EvalOptions& eval) const {
    eval::MatchOptions options;
    options.families = families_;
    options.held_out = held_out_;
    if (!budgets_.empty()) options.budgets = budgets_;
    options.evaluations = static_cast<std::size_t>(evaluations_.value_or(static_cast<std::int64_t>(options.evaluations)));
    options.weighing = by_source_ ? eval::Weighing::sources : eval::Weighing::contexts;
    options.intervals = eval.intervals();
    return options;
}

void CalibrateFlags::add_to(Flags& flags) {
    flags.each(
        "--sampler", "ID", [this](const std::string& word) { families_.push_back(word); },
        "Only this shape and pivot: hlg-fade-entropy, ...; repeatable (all six)");
    add_budgets(flags, budgets_, "0.01 to 0.2 in eleven steps");
    flags.whole("--evaluations", evaluations_, 2, 1'000'000,
                "Settings tried for each shape and pivot on each part of the data (512)");
    flags.on("--by-context", by_context_, "Every distinct context counts the same (every model does)");
}

eval::CalibrateOptions CalibrateFlags::options(const EvalOptions& eval) const {
    eval::CalibrateOptions options;
    options.families = families_;
    if (!budgets_.empty()) options.budgets = budgets_;
    options.evaluations = static_cast<std::size_t>(evaluations_.value_or(static_cast<std::int64_t>(options.evaluations)));
    options.weighing = by_context_ ? eval::Weighing::contexts : eval::Weighing::sources;
    options.intervals = eval.intervals();
    return options;
}

}  // namespace hlg::cli
