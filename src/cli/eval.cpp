// SPDX-License-Identifier: MIT
//
// hlg eval: one subcommand an evaluation; each writes a report and prints what it found.
#include <memory>
#include <stdexcept>

#include <fmt/core.h>

#include "cli/command.hpp"
#include "cli/eval_options.hpp"
#include "cli/match_flags.hpp"
#include "cli/sampling_options.hpp"
#include "eval/kl.hpp"
#include "eval/reach_report.hpp"

namespace hlg::cli {
namespace {

struct KlCommand {
    EvalOptions eval;
    SamplingOptions sampling;
};

int kl(const KlCommand& command, const std::string& line) {
    command.sampling.check();
    const engine::ResolvedSettings settings = command.sampling.resolve_curve();
    eval::KlOptions options;
    options.base = settings.params.hlg.value_or(CurveParams{});
    options.base_name =
        settings.preset.value_or(command.sampling.given().hlg == engine::HlgSettings{} ? "built-in knobs" : "given knobs");
    options.temperature = settings.params.temperature;
    options.intervals = command.eval.intervals();
    if (!(options.temperature >= 1e-3)) throw UsageError("--temperature must be at least 0.001 here: below it all is greedy");
    return run_evaluation(
        command.eval, line, [&](const eval::Corpus& corpus) { return kl_inputs(corpus, options); },
        [&](const eval::Corpus& corpus, eval::Memo& memo, const eval::Progress& progress) {
            return kl_report(corpus, options, memo, progress);
        },
        "presets",
        {"setting", "class", "clusters", "kl", "kl_median", "kl_p95", "price", "entropy", "top1", "collision", "tail4"});
}

void add_kl(CLI::App& parent, Action& action) {
    auto command = std::make_shared<KlCommand>();
    Flags flags(parent, "kl", "How far each knob and preset moves a model's distributions from temperature");
    command->eval.add_to(flags, "kl");
    command->sampling.add_curve_to(flags);
    flags.when_chosen([command, flags, &action] {
        action = [command, line = spoken_command("hlg eval kl", flags)] { return kl(*command, line); };
    });
}

struct MatchCommand {
    EvalOptions eval;
    MatchFlags match;
};

/** What is wrong with a name is the user's to mend. */
template <class Work>
int with_usage(const Work& work) {
    try {
        return work();
    } catch (const std::invalid_argument& error) {
        throw UsageError(error.what());
    }
}

int match(const MatchCommand& command, const std::string& line) {
    const eval::MatchOptions options = command.match.options(command.eval);
    return with_usage([&] {
        return run_evaluation(
            command.eval, line, [&](const eval::Corpus& corpus) { return match_inputs(corpus, options); },
            [&](const eval::Corpus& corpus, eval::Memo& memo, const eval::Progress& progress) {
                return match_report(corpus, options, memo, progress);
            },
            "short", {});
    });
}

void add_match(CLI::App& parent, Action& action) {
    auto command = std::make_shared<MatchCommand>();
    Flags flags(parent, "match", "HLG and its rivals at the same mean entropy, tuned and held out");
    command->match.add_to(flags);
    command->eval.add_to(flags, "match");
    flags.when_chosen([command, flags, &action] {
        action = [command, line = spoken_command("hlg eval match", flags)] { return match(*command, line); };
    });
}

struct CalibrateCommand {
    EvalOptions eval;
    CalibrateFlags calibrate;
};

int calibrate(const CalibrateCommand& command, const std::string& line) {
    const eval::CalibrateOptions options = command.calibrate.options(command.eval);
    return with_usage([&] {
        return run_evaluation(
            command.eval, line, [&](const eval::Corpus& corpus) { return calibrate_inputs(corpus, options); },
            [&](const eval::Corpus& corpus, eval::Memo& memo, const eval::Progress& progress) {
                return calibrate_report(corpus, options, memo, progress);
            },
            "presets",
            {"preset", "source", "status", "temperature", "price", "collision", "top_p", "mid", "slip", "slip_before", "tail",
             "bars"});
    });
}

void add_calibrate(CLI::App& parent, Action& action) {
    auto command = std::make_shared<CalibrateCommand>();
    Flags flags(parent, "calibrate", "The knobs that buy most for a price, and the presets against their bars");
    command->calibrate.add_to(flags);
    command->eval.add_to(flags, "calibrate");
    flags.when_chosen([command, flags, &action] {
        action = [command, line = spoken_command("hlg eval calibrate", flags)] { return calibrate(*command, line); };
    });
}

int reach(const EvalOptions& options, const std::string& line) {
    eval::ReachOptions reach;
    reach.intervals = options.intervals();
    return run_evaluation(
        options, line, [&](const eval::Corpus& corpus) { return reach_inputs(corpus, reach); },
        [&](const eval::Corpus& corpus, eval::Memo& memo, const eval::Progress& progress) {
            return reach_report(corpus, reach, memo, progress);
        },
        "reach", {"sampler", "knobs", "class", "reach", "error", "fixed", "plain"});
}

void add_reach(CLI::App& parent, Action& action) {
    auto options = std::make_shared<EvalOptions>();
    Flags flags(parent, "reach", "How far samplers are from what any truncation with temperature can do");
    options->add_to(flags, "reach");
    flags.when_chosen([options, flags, &action] {
        action = [options, line = spoken_command("hlg eval reach", flags)] { return reach(*options, line); };
    });
}

}  // namespace

void add_eval(CLI::App& app, Action& action) {
    Flags flags(app, "eval", "Measure what samplers do to a model's distributions, to its texts and to its answers");
    add_kl(flags.app(), action);
    add_reach(flags.app(), action);
    add_match(flags.app(), action);
    add_calibrate(flags.app(), action);
    add_capability(flags.app(), action);
    add_diversity(flags.app(), action);
    add_perf(flags.app(), action);
    flags.when_chosen([&action] {
        if (!action) throw UsageError("an evaluation is needed: hlg eval kl (see hlg eval --help)");
    });
}

}  // namespace hlg::cli
