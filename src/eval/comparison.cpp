// SPDX-License-Identifier: MIT
#include "eval/comparison.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "eval/parallel.hpp"
#include "eval/remarks.hpp"

namespace hlg::eval {
namespace {

std::string name_of(const Fold& fold, const Family& family, std::span<const double> unit) {
    std::string name = fold.name + "|" + family.id;
    for (const double place : unit) name += fmt::format("|{:a}", place);
    return name;
}

std::vector<double> numbers_of(const Trial& trial) {
    const Outcome& o = trial.outcome;
    return {trial.temperature.value_or(std::nan("")),
            o.price,
            o.collision,
            o.open_top1,
            o.mid,
            o.slip,
            o.slip_before,
            o.tail,
            o.tail6};
}

Trial trial_of(const Family& family, std::vector<double> unit, const std::vector<double>& n) {
    Trial trial{std::move(unit), {}, {}, {n[1], n[2], n[3], n[4], n[5], n[6], n[7], n[8]}};
    trial.knobs = family.at(trial.unit);
    if (!std::isnan(n[0])) trial.temperature = n[0];
    return trial;
}

}  // namespace

std::vector<const Family*> families_of(const std::vector<std::string>& ids) {
    std::vector<const Family*> found;
    found.reserve(families().size() + ids.size());
    if (ids.empty())
        for (const Family& family : families()) found.push_back(&family);
    for (const std::string& id : ids) {
        found.push_back(find_family(id));
        if (found.back() != nullptr) continue;
        std::vector<std::string> known;
        known.reserve(families().size());
        for (const Family& family : families()) known.push_back(family.id);
        throw std::invalid_argument(fmt::format("no sampler is called {}; there are {}", id, fmt::join(known, ", ")));
    }
    return found;
}

std::vector<Limits> goals_of(const std::vector<double>& budgets) {
    std::vector<Limits> goals;
    goals.reserve(2 * budgets.size());
    for (const bool constrained : {false, true})
        for (const double price : budgets) goals.push_back({price, constrained});
    return goals;
}

Trials search_all(const std::vector<Fold>& folds, const std::vector<const Family*>& families, const std::vector<Limits>& goals,
                  const MatchOptions& options, Memo& memo, const Progress& progress) {
    Trials trials(folds.size(), std::vector<std::vector<Trial>>(families.size()));
    std::vector<Baseline> baselines;
    baselines.reserve(folds.size());
    for (const Fold& fold : folds) baselines.emplace_back(fold.calibration, options.weighing);
    const auto work = [&](std::size_t i) {
        const std::size_t fold = i % folds.size();
        const Family& family = *families[i / folds.size()];
        const Try attempt = [&](std::vector<double> unit) {
            const std::string name = name_of(folds[fold], family, unit);
            if (const auto known = memo.find(name)) return trial_of(family, std::move(unit), *known);
            Trial trial = try_setting(family, baselines[fold], std::move(unit));
            memo.put(name, numbers_of(trial));
            return trial;
        };
        trials[fold][i / folds.size()] = search(family, attempt, goals, options.evaluations, options.intervals.bootstrap.seed);
    };
    parallel_for(folds.size() * families.size(), work, progress);
    return trials;
}

Judged judge(const Baseline& baseline, std::span<const Row> rows, std::span<const double> held, const IntervalOptions& options) {
    const auto values_of = [&](std::span<const double> times) {
        std::vector<double> masked(times.begin(), times.end());
        for (std::size_t i = 0; i < masked.size(); ++i) masked[i] *= held[i];
        return outcome_of(baseline, rows, masked);
    };
    const auto statistics = [&](std::span<const double> times, std::span<double> values) {
        const Outcome o = values_of(times);
        const std::array<double, 6> all{o.price, o.collision, o.open_top1, o.mid, o.slip, o.tail};
        std::copy(all.begin(), all.end(), values.begin());
    };
    const std::vector<Interval> found = bootstrap(resampling(*baseline.corpus, options.block), statistics, 6, options.bootstrap);
    return {values_of(std::vector<double>(rows.size(), 1.0)), found[0], found[1], found[2], found[3], found[4], found[5]};
}

Contestant contest(const Corpus& corpus, const std::vector<Fold>& folds, const Family& family,
                   const std::vector<std::vector<Trial>>& trials, const Limits& limits, const MatchOptions& options) {
    Contestant one;
    one.family = &family;
    one.limits = limits;
    one.rows.resize(corpus.contexts.size());
    one.held.resize(corpus.contexts.size());
    for (std::size_t i = 0; i < folds.size(); ++i) {
        const bool reached =
            std::any_of(trials[i].begin(), trials[i].end(), [](const Trial& trial) { return trial.temperature.has_value(); });
        const Trial* best = best_of(trials[i], limits);
        if (best == nullptr) one.trouble = reached ? "no setting keeps the limits" : "cannot reach";
        if (best == nullptr) return one;
        if (!best->knobs.empty())
            one.knobs += fmt::format("{}{}: {}", one.knobs.empty() ? "" : "; ", folds[i].name, family.text(best->knobs));
        one.calibration_collision += best->outcome.collision / static_cast<double>(folds.size());
        const Baseline baseline(folds[i].held_out, options.weighing);
        const Applied applied(folds[i].held_out, family.make(best->knobs));
        const std::optional<double> temperature = match_entropy(applied, baseline.weights, baseline.entropy);
        if (!temperature) one.trouble = "cannot reach the entropy of " + folds[i].name;
        if (!temperature) return one;
        const std::vector<Row> rows = applied.rows(*temperature);
        for (std::size_t k = 0; k < rows.size(); ++k) one.rows[folds[i].places[k]] = rows[k];
        for (const std::size_t place : folds[i].places) one.held[place] = 1.0;
    }
    one.judged = judge(Baseline(corpus, options.weighing), one.rows, one.held, options.intervals);
    return one;
}

std::string match_inputs(const Corpus& corpus, const MatchOptions& options) {
    return fmt::format("match 1 {} families {} held {} budgets {} evaluations {} weighing {} seed {}", fingerprint(corpus),
                       fmt::join(options.families, ","), fmt::join(options.held_out, ","), fmt::join(options.budgets, ","),
                       options.evaluations, static_cast<int>(options.weighing), options.intervals.bootstrap.seed);
}

}  // namespace hlg::eval
