// SPDX-License-Identifier: MIT
#include "eval/kl.hpp"

#include <cmath>
#include <functional>
#include <set>
#include <utility>

#include <fmt/core.h>

#include "eval/match.hpp"
#include "eval/parallel.hpp"
#include "eval/remarks.hpp"
#include "eval/rules.hpp"

namespace hlg::eval {
namespace {

/** "all", then each source by itself where there are several. */
struct Scope {
    std::string name;
    Corpus corpus;
};

std::vector<Scope> scopes_of(const Corpus& corpus) {
    std::vector<Scope> scopes{{"all", corpus}};
    if (corpus.sources.size() < 2) return scopes;
    for (std::size_t source = 0; source < corpus.sources.size(); ++source)
        scopes.push_back({corpus.sources[source].id, subset(corpus, {source})});
    return scopes;
}

void add_sweep(std::vector<KlSetting>& settings, const KlOptions& options, const std::string& knob,
               const std::vector<double>& values, const std::function<void(CurveParams&, double)>& set) {
    for (const double value : values) {
        CurveParams params = options.base;
        set(params, value);
        settings.push_back({knob, std::isinf(value) ? knob + " off" : fmt::format("{} {:g}", knob, value), value, params, false});
    }
}

std::vector<Summary> summaries_at(const Scope& scope, const KlSetting& setting, const KlOptions& options) {
    const SamplerPointer rule = setting.plain ? temperature_rule() : hlg_rule(setting.params);
    const std::vector<Row> rows = Applied(scope.corpus, rule).rows(options.temperature);
    std::vector<double> prices;
    prices.reserve(rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i)
        prices.push_back(setting.plain ? 0.0 : own_price(scope.corpus.contexts[i], rows[i]));
    return summarise(scope.corpus, rows, prices, options.intervals);
}

/** All summaries, [settings][scopes]. */
using Summaries = std::vector<std::vector<std::vector<Summary>>>;

Summaries compute(const std::vector<Scope>& scopes, const std::vector<KlSetting>& settings, const KlOptions& options, Memo& memo,
                  const Progress& progress) {
    Summaries all(settings.size(), std::vector<std::vector<Summary>>(scopes.size()));
    const auto work = [&](std::size_t i) {
        const std::size_t setting = i / scopes.size();
        const std::size_t scope = i % scopes.size();
        const std::string name = settings[setting].label + "@" + scopes[scope].name;
        if (const auto known = memo.find(name)) {
            all[setting][scope] = summaries_of(*known);
            return;
        }
        all[setting][scope] = summaries_at(scopes[scope], settings[setting], options);
        memo.put(name, numbers_of(all[setting][scope]));
    };
    parallel_for(settings.size() * scopes.size(), work, progress);
    return all;
}

Table table_of(const std::vector<Scope>& scopes, const std::vector<KlSetting>& settings, const Summaries& all) {
    std::vector<Column> columns{{"group", "what moves"}, {"setting", "setting"}, {"value", "value", "", 4}, {"source", "source"}};
    for (Column& column : summary_columns()) columns.push_back(std::move(column));
    Table table(std::move(columns));
    for (std::size_t i = 0; i < settings.size(); ++i)
        for (std::size_t scope = 0; scope < scopes.size(); ++scope)
            for (const Summary& summary : all[i][scope]) {
                if (summary.contexts == 0) continue;
                Json row{{"group", settings[i].group},
                         {"setting", settings[i].label},
                         {"value", number(settings[i].value)},
                         {"source", scopes[scope].name}};
                put(row, summary);
                table.add(std::move(row));
            }
    return table;
}

/** One figure of what a knob does to a measure, by class or by model. */
Json figure(const std::string& knob, const std::string& title, const std::string& measure, const char* series, Json where) {
    where["group"] = knob;
    return {{"title", title},          {"caption", "Bands: 95%, texts resampled in blocks."},
            {"table", "kl"},           {"where", std::move(where)},
            {"mark", "line"},          {"x", {{"key", "value"}, {"label", knob}, {"unit", "nats"}}},
            {"y", {{"key", measure}}}, {"series", series}};
}

void add_sections(Report& report, const std::vector<KlSetting>& settings, bool several) {
    report.section("presets", "The presets beside temperature", {}, {}, {"presets"});
    std::set<std::string> knobs;
    for (const KlSetting& setting : settings)
        if (setting.group != "preset" && setting.group != "pivot") knobs.insert(setting.group);
    for (const std::string& knob : knobs) {
        std::vector<Json> figures{figure(knob, "By how open the context is", "kl", "class", {{"source", "all"}}),
                                  figure(knob, "The tail", "tail4", "class", {{"source", "all"}}),
                                  figure(knob, "Agreement", "collision", "class", {{"source", "all"}})};
        if (several) figures.push_back(figure(knob, "By model, open contexts", "kl", "source", {{"class", "open"}}));
        report.section(knob, "What " + knob + " moves", {}, std::move(figures), {});
    }
    report.section("numbers", "All numbers", {}, {}, {"kl"});
}

const Summary* of_class(const std::vector<Summary>& summaries, std::optional<Class> kind) {
    for (const Summary& summary : summaries)
        if (summary.kind == kind && summary.contexts > 0) return &summary;
    return nullptr;
}

double mean_of(const Summary& summary, Measure measure) { return summary.mean[static_cast<std::size_t>(measure)].estimate; }

void add_findings(Report& report, const std::vector<KlSetting>& settings, const Summaries& all, double temperature) {
    const Summary* plain = of_class(all.front().front(), {});
    for (std::size_t i = 1; i < settings.size(); ++i) {
        if (settings[i].group != "preset") continue;
        std::string text = fmt::format("{} at T = {:g}: KL", settings[i].label, temperature);
        for (const Class kind : classes)
            if (const Summary* summary = of_class(all[i].front(), kind))
                text += fmt::format(" {:.3g} ({}),", mean_of(*summary, Measure::kl), to_string(kind));
        const Summary* summary = of_class(all[i].front(), {});
        text += fmt::format(" deep tail {:.2g} times temperature's",
                            mean_of(*summary, Measure::tail4) / mean_of(*plain, Measure::tail4));
        report.find(text + ".");
    }
}

/** The presets alone, all sources together, for the terminal and the first section. */
Table preset_table(const std::vector<KlSetting>& settings, const Summaries& all) {
    Table table({{"setting", "setting"},
                 {"class", "contexts"},
                 {"clusters", "distinct"},
                 {"kl", "KL", "nats", 3, {}, true},
                 {"kl_median", "median", "nats"},
                 {"kl_p95", "p95", "nats"},
                 {"price", "price", "nats", 3, {}, true},
                 {"entropy", "entropy", "nats", 3, {}, true},
                 {"top1", "top-1", "", 3, {}, true},
                 {"collision", "collision", "", 3, {}, true},
                 {"tail4", "deep tail", "", 3, {}, true},
                 {"impossible", "text impossible", "", 3, {}, true}});
    for (std::size_t i = 0; i < settings.size(); ++i) {
        if (settings[i].group != "preset") continue;
        for (const Summary& summary : all[i].front()) {
            if (summary.contexts == 0) continue;
            Json row{{"setting", settings[i].label}};
            put(row, summary);
            table.add(std::move(row));
        }
    }
    return table;
}

}  // namespace

std::vector<KlSetting> kl_settings(const KlOptions& options) {
    std::vector<KlSetting> settings{{"preset", "temperature", std::nan(""), {}, true}};
    for (const Preset& preset : presets())
        settings.push_back({"preset", std::string(preset.name), std::nan(""), preset.params, false});
    for (const Pivot pivot : {Pivot::top, Pivot::entropy, Pivot::median}) {
        CurveParams params = options.base;
        params.pivot = pivot;
        settings.push_back({"pivot", fmt::format("{} pivot", to_string(pivot)), std::nan(""), params, false});
    }
    add_sweep(settings, options, "offset", {-2, -1, 0, 0.5, 1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10},
              [](CurveParams& params, double value) { params.pivot_offset = value; });
    add_sweep(settings, options, "width", {0, 0.25, 0.5, 1, 1.5, 2, 2.5, 3, 4, 5, 6, 8},
              [](CurveParams& params, double value) { params.width = value; });
    add_sweep(settings, options, "shoulder", {0.1, 0.2, 0.3, 0.5, 0.7, 1, 1.5, 2, 3, 4, 6, 10, off},
              [](CurveParams& params, double value) { params.shoulder = value; });
    add_sweep(settings, options, "toe", {0.2, 0.5, 1, 1.5, 2, 3, 4, 6, 8, 12, 20, off},
              [](CurveParams& params, double value) { params.toe = value; });
    return settings;
}

std::string kl_inputs(const Corpus& corpus, const KlOptions& options) {
    const CurveParams& base = options.base;
    return fmt::format(
        "kl 1 {} T {} block {} seed {} resamples {} base {} {} {} {} {} {}", fingerprint(corpus), options.temperature,
        options.intervals.block, options.intervals.bootstrap.seed, options.intervals.bootstrap.resamples, to_string(base.pivot),
        base.pivot_offset.value_or(default_offset(base.pivot)), base.width, base.shoulder, base.toe, to_string(base.toe_shape));
}

Report kl_report(const Corpus& corpus, const KlOptions& options, Memo& memo, const Progress& progress) {
    const std::vector<Scope> scopes = scopes_of(corpus);
    const std::vector<KlSetting> settings = kl_settings(options);
    const Summaries all = compute(scopes, settings, options, memo, progress);
    Report report("kl", "How far the curve moves distributions from temperature");
    report.inputs(corpus);
    report.seed("bootstrap", options.intervals.bootstrap.seed);
    report.set("temperature", options.temperature);
    report.set("base", options.base_name);
    report.set("block", options.intervals.block);
    report.set("resamples", options.intervals.bootstrap.resamples);
    add_findings(report, settings, all, options.temperature);
    report.find(what_it_rests_on(corpus));
    report.table("presets", preset_table(settings, all));
    report.table("kl", table_of(scopes, settings, all));
    add_sections(report, settings, scopes.size() > 1);
    return report;
}

}  // namespace hlg::eval
