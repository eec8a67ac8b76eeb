// SPDX-License-Identifier: MIT
//
// What hlg eval match writes: the samplers as people set them, the tuned ones on held-out data, and the pairs.
#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "eval/comparison.hpp"
#include "eval/hypothesis.hpp"
#include "eval/judged_columns.hpp"
#include "eval/pairs.hpp"
#include "eval/parallel.hpp"
#include "eval/remarks.hpp"
#include "eval/settings_known.hpp"

namespace hlg::eval {
namespace {

void put(Json& row, const Judged& judged) {
    put_judged(row, judged);
    row["tail6"] = number(judged.outcome.tail6);
}

std::vector<Column> with_outcomes(std::vector<Column> columns) {
    columns = with_judged(std::move(columns));
    columns.push_back({"tail6", "deep tail, p < 1e-6", "", 3, "times temperature's"});
    return columns;
}

/** What only contexts of a text tell. */
constexpr std::array<Measure, 5> text_measures{Measure::impossible, Measure::next_tail, Measure::control, Measure::byte,
                                               Measure::foreign};

/** Known settings on all the data: nothing is tuned, so nothing need be held out. */
Table known_table(const Corpus& corpus, const MatchOptions& options) {
    std::vector<Column> columns =
        with_outcomes({{"sampler", "sampler"}, {"knobs", "knobs"}, {"status", "status"}, {"temperature", "T"}});
    for (const Measure measure : text_measures) {
        const MeasureText& text = text_of(measure);
        columns.push_back({std::string(text.key), std::string(text.label), std::string(text.unit), 3,
                           "where the text and its tokens are known"});
    }
    Table table(std::move(columns));
    const Baseline baseline(corpus, options.weighing);
    const std::vector<KnownSetting> settings = known_settings();
    const std::vector<double> all(corpus.contexts.size(), 1.0);
    std::vector<Json> rows(settings.size());
    parallel_for(settings.size(), [&](std::size_t i) {
        Json& row = rows[i] = {{"sampler", settings[i].label}, {"knobs", settings[i].knobs}};
        const Applied applied(corpus, settings[i].sampler);
        const std::optional<double> temperature = match_entropy(applied, baseline.weights, baseline.entropy);
        row["status"] = temperature ? "" : "cannot reach";
        if (!temperature) return;
        row["temperature"] = *temperature;
        const std::vector<Row> found = applied.rows(*temperature);
        put(row, judge(baseline, found, all, options.intervals));
        for (const Measure measure : text_measures)
            row[std::string(text_of(measure).key)] = number(weighted_mean(column(found, measure), baseline.weights));
    });
    for (Json& row : rows) table.add(std::move(row));
    return table;
}

std::string limits_text(const Limits& limits) { return limits.constrained ? "price, tail, mid, slip" : "price"; }

Table pair_table(const std::vector<Pair>& pairs) {
    Table table({{"rival", "against"},
                 {"at", "against, at the price"},
                 {"limits", "limits kept in tuning"},
                 {"price", "price paid by both", "nats", 3, "the rival's, held out"},
                 {"ratio", "collision, HLG / rival"},
                 {"difference", "collision, HLG less rival", "", 3, "in units of temperature's; negative is for HLG", true},
                 {"p", "p", "", 2, "of no difference; blocks of a text taken as independent"},
                 {"holm", "p, Holm", "", 2, "adjusted for all rows here"}});
    std::vector<double> known;
    for (const Pair& pair : pairs)
        if (!std::isnan(pair.p)) known.push_back(pair.p);
    const std::vector<double> adjusted = holm(known);
    std::size_t next = 0;
    for (const Pair& pair : pairs) {
        Json row{
            {"rival", pair.rival->family->label}, {"limits", limits_text(pair.rival->limits)}, {"price", number(pair.price)}};
        row["at"] = fmt::format("{} at {:.3f}", pair.rival->family->label, pair.price);
        row["ratio"] = number(pair.ratio);
        Table::put(row, "difference", pair.collision);
        row["p"] = number(pair.p);
        row["holm"] = std::isnan(pair.p) ? Json(nullptr) : number(adjusted[next++]);
        table.add(std::move(row));
    }
    return table;
}

Table match_table(const std::vector<Contestant>& contestants) {
    Table table(with_outcomes({{"sampler", "sampler"},
                               {"family", "id"},
                               {"budget", "price allowed", "nats", 2},
                               {"limits", "limits kept in tuning"},
                               {"status", "status"},
                               {"tuned", "collision where tuned"},
                               {"knobs", "knobs, by what was held out"}}));
    for (const Contestant& one : contestants) {
        Json row{{"sampler", one.family->label},      {"family", one.family->id}, {"budget", one.limits.price},
                 {"limits", limits_text(one.limits)}, {"status", one.trouble},    {"knobs", one.knobs}};
        if (one.trouble.empty()) {
            row["tuned"] = number(one.calibration_collision);
            put(row, one.judged);
        }
        table.add(std::move(row));
    }
    return table;
}

/** A line a sampler: its collision held out at each price, "-" where there is none. */
Table short_table(const std::vector<Contestant>& contestants, const std::vector<double>& budgets) {
    std::vector<Column> columns{{"sampler", "collision held out at price"}};
    for (const bool constrained : {false, true})
        for (const double budget : budgets)
            columns.push_back({fmt::format("{}{}", constrained ? "kept" : "at", budget),
                               fmt::format("{}{:g}", constrained ? "all " : "", budget)});
    Table table(std::move(columns));
    std::vector<Json> rows;
    for (const Contestant& one : contestants) {
        if (rows.empty() || rows.back()["sampler"] != one.family->label) rows.push_back({{"sampler", one.family->label}});
        if (one.trouble.empty())
            rows.back()[fmt::format("{}{}", one.limits.constrained ? "kept" : "at", one.limits.price)] =
                number(one.judged.outcome.collision);
    }
    for (Json& row : rows) table.add(std::move(row));
    return table;
}

// The price at which findings are told; the tables have all.
constexpr double told_price = 0.05;

/** The pair with top_p, tuned with or without the other limits, at the price nearest the one that is told. */
const Pair* told_pair(const std::vector<Pair>& pairs, bool constrained) {
    const Pair* nearest = nullptr;
    for (const Pair& pair : pairs) {
        if (pair.rival->family->id != "top_p" || pair.rival->limits.constrained != constrained || !pair.known()) continue;
        if (nearest == nullptr || std::abs(pair.price - told_price) < std::abs(nearest->price - told_price)) nearest = &pair;
    }
    return nearest;
}

std::string sentence(const Pair& pair) {
    const Interval& d = pair.collision;
    const char* verdict = d.high < 0  ? "less often than"
                          : d.low > 0 ? "more often than"
                                      : "as often, as far as these data can tell, as";
    return fmt::format(
        "At the price that tuned top_p pays ({:.3f} nats; limits kept in tuning: {}), two draws of tuned HLG (fade, entropy "
        "pivot) agree {} two of "
        "top_p: {:.3f} times (difference {:.3f}, {:.3f} to {:.3f}, of temperature's). Not corrected for how many comparisons "
        "there are; the table of pairs is.",
        pair.price, limits_text(pair.rival->limits), verdict, pair.ratio, d.estimate, d.low, d.high);
}

void add_findings(Report& report, const std::vector<Contestant>& contestants, const std::vector<Pair>& pairs) {
    for (const bool constrained : {true, false})
        if (const Pair* pair = told_pair(pairs, constrained)) report.find(sentence(*pair));
    std::map<double, std::vector<const Contestant*>> by_budget;
    for (const Contestant& one : contestants)
        if (one.trouble.empty() && one.limits.constrained) by_budget[std::abs(one.limits.price - told_price)].push_back(&one);
    if (by_budget.empty()) return;
    std::vector<const Contestant*>& ones = by_budget.begin()->second;
    std::sort(ones.begin(), ones.end(),
              [](const Contestant* a, const Contestant* b) { return a->judged.outcome.collision < b->judged.outcome.collision; });
    std::vector<std::string> names;
    for (std::size_t i = 0; i < std::min<std::size_t>(3, ones.size()); ++i)
        names.push_back(fmt::format("{} {:.3f} (price {:.3f})", ones[i]->family->label, ones[i]->judged.outcome.collision,
                                    ones[i]->judged.outcome.price));
    report.find(fmt::format("Least collision held out, tuned to keep all limits at {:g} nats: {}.", ones.front()->limits.price,
                            fmt::join(names, ", ")));
}

/** Price and collision alone: whiskers of two hundred points would hide them. */
Table curve_table(const std::vector<Contestant>& contestants) {
    Table table({{"sampler", "sampler"},
                 {"limits", "limits kept in tuning"},
                 {"price", "price paid", "nats"},
                 {"collision", "collision"}});
    for (const Contestant& one : contestants) {
        if (!one.trouble.empty()) continue;
        table.add({{"sampler", one.family->label},
                   {"limits", limits_text(one.limits)},
                   {"price", number(one.judged.outcome.price)},
                   {"collision", number(one.judged.outcome.collision)}});
    }
    return table;
}

const std::vector<std::string> facts{
    "Every sampler is brought to the mean entropy that temperature 1 has over all contexts, by its own temperature; \"cannot "
    "reach\" says that no "
    "temperature does. Knobs are tuned for the least collision on open contexts within a price, with the same number of "
    "evaluations for each sampler.",
    "Facts that bound the outcome: among all samplers with a given mean entropy temperature has the least surprisal, so every "
    "price is positive; "
    "among those with a given entropy and mass in the tail, truncation and temperature together have it. A curve can win only on "
    "the shape of the head."};

/** What is drawn together: more than eight lines nobody tells apart. */
const std::vector<std::string> drawn{"top_p + T",
                                     "min_p + T",
                                     "dynamic temperature + min_p",
                                     "quadratic smoothing",
                                     "XTC + T",
                                     "HLG, fade toe, entropy pivot",
                                     "HLG, fade toe, top pivot",
                                     "HLG, log toe, entropy pivot"};

Json curve_figure(const char* title, const std::string& limits) {
    return {{"title", title},
            {"caption", "Held out. Left and down is better; the tables below have every sampler, and the intervals."},
            {"table", "curves"},
            {"where", {{"limits", limits}, {"sampler", drawn}}},
            {"mark", "line"},
            {"x", {{"key", "price"}}},
            {"y", {{"key", "collision"}}},
            {"series", "sampler"},
            {"rules", Json::array({{{"axis", "y"}, {"at", 1.0}, {"label", "temperature"}}})}};
}

Json pair_figure(const std::string& limits) {
    return {{"title", "Limits kept in tuning: " + limits},
            {"caption", "Left of 0 is for HLG. 95%, texts resampled in blocks."},
            {"table", "pairs"},
            {"where", {{"limits", limits}}},
            {"mark", "interval"},
            {"x", {{"key", "difference"}}},
            {"y", {{"key", "at"}, {"scale", "category"}}},
            {"rules", Json::array({{{"axis", "x"}, {"at", 0.0}, {"label", "no difference"}}})}};
}

}  // namespace

Report match_report(const Corpus& corpus, const MatchOptions& options, Memo& memo, const Progress& progress) {
    const std::vector<Fold> folds = make_folds(corpus, options.held_out);
    const std::vector<const Family*> families = families_of(options.families);
    const std::vector<Limits> goals = goals_of(options.budgets);
    const Trials trials =
        search_all(folds, families, goals, options, memo, [&](double done) { return !progress || progress(0.9 * done); });
    std::vector<Contestant> contestants(families.size() * goals.size());
    parallel_for(
        contestants.size(),
        [&](std::size_t i) {
            const std::size_t family = i / goals.size();
            std::vector<std::vector<Trial>> own;
            own.reserve(trials.size());
            for (const auto& fold : trials) own.push_back(fold[family]);
            contestants[i] = contest(corpus, folds, *families[family], own, goals[i % goals.size()], options);
        },
        [&](double done) { return !progress || progress(0.9 + 0.1 * done); });
    const std::vector<Pair> pairs = pairs_of(corpus, contestants, options);
    Report report("match", "Samplers at the same mean entropy");
    report.inputs(corpus);
    report.seed("search and bootstrap", options.intervals.bootstrap.seed);
    report.set("evaluations", options.evaluations);
    report.set("budgets", options.budgets);
    report.set("folds", how_folded(corpus, options.held_out));
    report.set("block", options.intervals.block);
    add_findings(report, contestants, pairs);
    report.find(what_it_rests_on(corpus) + " Tuning: " + how_folded(corpus, options.held_out) + ".");
    report.table("short", short_table(contestants, options.budgets));
    report.table("known", known_table(corpus, options));
    report.table("curves", curve_table(contestants));
    report.table("match", match_table(contestants));
    report.table("pairs", pair_table(pairs));
    report.section("tuned", "Collision against price, tuned within the price alone", facts,
                   {curve_figure("Tuned within the price alone", "price")}, {});
    report.section("kept", "And tuned to keep tail, mid and slip as well", {},
                   {curve_figure("Tuned within all limits", "price, tail, mid, slip")}, {});
    report.section("known", "Samplers as people set them, on all the data", {}, {}, {"known"});
    report.section("pairs", "HLG (fade toe, entropy pivot) against each rival, at the price that the rival pays",
                   {"HLG stands between two of its own tuned settings here, mixed so that the price is the rival's; rivals that "
                    "pay more than the dearest or less than the cheapest of them have no row."},
                   {pair_figure("price"), pair_figure("price, tail, mid, slip")}, {"pairs"});
    report.section("numbers", "All tuned samplers, held out", {}, {}, {"match"});
    return report;
}

}  // namespace hlg::eval
