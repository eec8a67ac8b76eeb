// SPDX-License-Identifier: MIT
#include "eval/calibrate.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "eval/judged_columns.hpp"
#include "eval/parallel.hpp"
#include "eval/remarks.hpp"
#include "eval/rules.hpp"

namespace hlg::eval {
namespace {

void put(Json& row, const Judged& judged) {
    put_judged(row, judged);
    row["slip_before"] = number(judged.outcome.slip_before);
}

/** With what the slip's limit is, beside the slip. */
std::vector<Column> with_outcomes(std::vector<Column> columns) {
    columns = with_judged(std::move(columns));
    columns.insert(columns.end() - 1, {"slip_before", "slip at T = 1"});
    return columns;
}

MatchOptions search_options(const CalibrateOptions& options) {
    MatchOptions search;
    search.budgets = options.budgets;
    search.evaluations = options.evaluations;
    search.weighing = options.weighing;
    search.intervals = options.intervals;
    return search;
}

/** Tuned on everything and, so, reported on what it was tuned on: the last fold. */
Fold everything(const Corpus& corpus) {
    Fold all{"all data", corpus, corpus, {}};
    for (std::size_t i = 0; i < corpus.contexts.size(); ++i) all.places.push_back(i);
    return all;
}

std::vector<std::string> hlg_families(const CalibrateOptions& options) {
    if (!options.families.empty()) return options.families;
    std::vector<std::string> ids;
    for (const Family& family : families())
        if (family.id.starts_with("hlg")) ids.push_back(family.id);
    return ids;
}

/** The front: for each shape and pivot and price the best setting on all data, and what such tuning is worth where it was not
 * tuned. */
Table front_table(const Corpus& corpus, const std::vector<Fold>& folds, const std::vector<const Family*>& families,
                  const Trials& trials, const CalibrateOptions& options) {
    Table table(with_outcomes({{"family", "shape and pivot"},
                               {"budget", "price allowed", "nats", 2},
                               {"data", "data"},
                               {"status", "status"},
                               {"knobs", "knobs"}}));
    const std::vector<Fold> held(folds.begin(), folds.end() - 1);
    const std::vector<Fold> all{folds.back()};
    std::vector<Json> rows(families.size() * options.budgets.size() * 2);
    parallel_for(rows.size(), [&](std::size_t i) {
        const std::size_t family = i / 2 / options.budgets.size();
        const double budget = options.budgets[i / 2 % options.budgets.size()];
        const bool tuned_on = i % 2 == 0;
        std::vector<std::vector<Trial>> own;
        for (std::size_t fold = 0; fold < folds.size(); ++fold)
            if ((fold + 1 == folds.size()) == tuned_on) own.push_back(trials[fold][family]);
        const Contestant one =
            contest(corpus, tuned_on ? all : held, *families[family], own, {budget, true}, search_options(options));
        rows[i] = {{"family", families[family]->label},
                   {"budget", budget},
                   {"data", tuned_on ? "tuned on these" : "held out"},
                   {"status", one.trouble},
                   {"knobs", one.knobs}};
        if (one.trouble.empty()) put(rows[i], one.judged);
    });
    for (Json& row : rows) table.add(std::move(row));
    return table;
}

struct Scope {
    std::string name;
    Corpus corpus;
};

/** One preset on one scope, with what the bars ask. */
Json preset_row(const Preset& preset, const Scope& scope, const Baseline& baseline, const TopPAtPrice& top_p,
                const CalibrateOptions& options) {
    Json row{{"preset", std::string(preset.name)}, {"source", scope.name}};
    const Applied applied(scope.corpus, hlg_rule(preset.params));
    const std::optional<double> temperature = match_entropy(applied, baseline.weights, baseline.entropy);
    row["status"] = temperature ? "" : "cannot reach";
    if (!temperature) return row;
    row["temperature"] = *temperature;
    const std::vector<double> all(scope.corpus.contexts.size(), 1.0);
    const Judged judged = judge(baseline, applied.rows(*temperature), all, options.intervals);
    put(row, judged);
    const Outcome& outcome = judged.outcome;
    const double ratio = outcome.collision / top_p.collision(outcome.price);
    row["top_p"] = number(ratio);
    std::vector<std::string> missed;
    const auto bar = [&](bool met, const char* name) {
        if (!met) missed.emplace_back(name);
    };
    bar(!(outcome.tail > most_tail), "tail");
    bar(!(outcome.collision > most_collision), "collision");
    bar(!(ratio > most_of_top_p), "top_p");
    bar(!(-outcome.mid > most_mid_loss), "mid");
    bar(!(outcome.slip > outcome.slip_before), "slip");
    row["bars"] = missed.empty() ? "all met" : fmt::format("misses {}", fmt::join(missed, ", "));
    return row;
}

Table preset_table(const Corpus& corpus, const CalibrateOptions& options) {
    std::vector<Column> columns =
        with_outcomes({{"preset", "preset"}, {"source", "source"}, {"status", "status"}, {"temperature", "T"}});
    columns.push_back({"top_p", "collision / tuned top_p's", "", 3,
                       "top_p tuned to the same price on the same data; none costs as much where empty"});
    columns.push_back({"bars", "bars"});
    Table table(std::move(columns));
    std::vector<Scope> scopes{{"all", corpus}};
    for (std::size_t source = 0; source < corpus.sources.size() && corpus.sources.size() > 1; ++source)
        scopes.push_back({corpus.sources[source].id, subset(corpus, {source})});
    const std::span<const Preset> all = presets();
    std::vector<Json> rows(scopes.size() * all.size());
    parallel_for(scopes.size(), [&](std::size_t scope) {
        const Baseline baseline(scopes[scope].corpus, options.weighing);
        const TopPAtPrice top_p(baseline);
        for (std::size_t i = 0; i < all.size(); ++i)
            rows[i * scopes.size() + scope] = preset_row(all[i], scopes[scope], baseline, top_p, options);
    });
    for (Json& row : rows) table.add(std::move(row));
    return table;
}

void add_findings(Report& report, const Table& presets, const Table& front) {
    for (const Json& row : presets.rows()) {
        if (row["source"] != "all" || !row["status"].get<std::string>().empty()) continue;
        report.find(fmt::format(
            "{}: price {:.3f} nats, collision {:.3f} of temperature's and {:.3f} of tuned top_p's at that price, mid top-1 "
            "{:+.3f}, "
            "deep tail {:.2g} of temperature's; bars: {}.",
            row["preset"].get<std::string>(), row["price"].get<double>(),
            row["collision"].is_null() ? NAN : row["collision"].get<double>(),
            row["top_p"].is_null() ? NAN : row["top_p"].get<double>(), row["mid"].is_null() ? NAN : row["mid"].get<double>(),
            row["tail"].get<double>(), row["bars"].get<std::string>()));
    }
    std::vector<std::string> without;
    std::vector<std::string> with;
    for (const Json& row : front.rows()) {
        if (row["data"] != "held out") continue;
        auto& list = row["status"].get<std::string>().empty() ? with : without;
        const auto name = row["family"].get<std::string>();
        if (std::find(list.begin(), list.end(), name) == list.end()) list.push_back(name);
    }
    std::erase_if(without, [&](const std::string& name) { return std::find(with.begin(), with.end(), name) != with.end(); });
    if (!without.empty()) report.find(fmt::format("At no price tried all limits were kept by: {}.", fmt::join(without, "; ")));
}

}  // namespace

TopPAtPrice::TopPAtPrice(const Baseline& baseline) {
    for (const double p : {0.9999, 0.9995, 0.999, 0.998, 0.997, 0.996, 0.995, 0.994, 0.993, 0.992, 0.991, 0.99,  0.988, 0.986,
                           0.984,  0.982,  0.98,  0.975, 0.97,  0.965, 0.96,  0.955, 0.95,  0.945, 0.94,  0.935, 0.93,  0.925,
                           0.92,   0.915,  0.91,  0.905, 0.9,   0.89,  0.88,  0.87,  0.86,  0.85,  0.84,  0.82,  0.8}) {
        const Applied applied(*baseline.corpus, top_p_rule(p));
        const std::optional<double> temperature = match_entropy(applied, baseline.weights, baseline.entropy);
        if (!temperature) break;  // a smaller one has still fewer tokens
        outcomes_.push_back(outcome_of(baseline, applied.rows(*temperature)));
    }
    std::sort(outcomes_.begin(), outcomes_.end(), [](const Outcome& a, const Outcome& b) { return a.price < b.price; });
}

double TopPAtPrice::collision(double price) const {
    for (std::size_t i = 1; i < outcomes_.size(); ++i) {
        const Outcome& low = outcomes_[i - 1];
        const Outcome& high = outcomes_[i];
        if (price < low.price || price > high.price) continue;
        const double share = high.price > low.price ? (price - low.price) / (high.price - low.price) : 0.0;
        return low.collision + share * (high.collision - low.collision);
    }
    return std::nan("");
}

std::string calibrate_inputs(const Corpus& corpus, const CalibrateOptions& options) {
    return fmt::format("calibrate 1 {} budgets {} evaluations {} weighing {} seed {}", fingerprint(corpus),
                       fmt::join(options.budgets, ","), options.evaluations, static_cast<int>(options.weighing),
                       options.intervals.bootstrap.seed);
}

Report calibrate_report(const Corpus& corpus, const CalibrateOptions& options, Memo& memo, const Progress& progress) {
    std::vector<Fold> folds = make_folds(corpus, {});
    folds.push_back(everything(corpus));
    const std::vector<const Family*> families = families_of(hlg_families(options));
    std::vector<Limits> goals;
    goals.reserve(options.budgets.size());
    for (const double budget : options.budgets) goals.push_back({budget, true});
    const Trials trials = search_all(folds, families, goals, search_options(options), memo, progress);
    Table front = front_table(corpus, folds, families, trials, options);
    Table shipped = preset_table(corpus, options);
    Report report("calibrate", "What HLG's knobs buy, and at what price");
    report.inputs(corpus);
    report.seed("search and bootstrap", options.intervals.bootstrap.seed);
    report.set("evaluations", options.evaluations);
    report.set("weighing",
               options.weighing == Weighing::sources ? "every model counts the same" : "every distinct context counts the same");
    report.set("limits", {{"deep tail", most_tail}, {"mid", -most_mid_loss}, {"slip", "temperature's"}});
    add_findings(report, shipped, front);
    report.find(what_it_rests_on(corpus) + " Held out: " + how_folded(corpus, {}) + ".");
    report.table("presets", std::move(shipped));
    report.table("front", std::move(front));
    const std::vector<std::string> text{
        "Least collision on open contexts within a price, the deep tail at most 1/100 of temperature's, the top-1 mass of mid "
        "contexts at most .03 below and "
        "the slip of confident ones not above temperature's. Tuned on all data, the front flatters itself; held out, it does "
        "not."};
    report.section("front", "The fronts", text,
                   {{{"title", "Collision against price"},
                     {"caption", "Whiskers: 95%, texts resampled in blocks."},
                     {"table", "front"},
                     {"where", {{"status", ""}}},
                     {"mark", "point"},
                     {"x", {{"key", "price"}}},
                     {"y", {{"key", "collision"}}},
                     {"series", "family"},
                     {"facet", "data"}}},
                   {});
    report.section("presets", "The presets, on each model", {}, {}, {"presets"});
    report.section("numbers", "The fronts in numbers", {}, {}, {"front"});
    return report;
}

}  // namespace hlg::eval
