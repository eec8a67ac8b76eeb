// SPDX-License-Identifier: MIT
#include "eval/reach_report.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/core.h>

#include "eval/families.hpp"
#include "eval/outcome.hpp"
#include "eval/parallel.hpp"
#include "eval/reach.hpp"
#include "eval/remarks.hpp"
#include "eval/settings_known.hpp"

namespace hlg::eval {
namespace {

/** One sampler's distances, [contexts] each. */
struct Distances {
    std::vector<double> reach;
    std::vector<double> error;
    std::vector<double> plain;  ///< to temperature 1
    std::vector<double> fixed;  ///< to the nearest single setting
    std::string setting;        ///< which that is
};

/** A single setting of a truncation with temperature, and how many tokens it keeps of each context. */
struct FixedSetting {
    std::string text;
    double temperature = 1.0;
    std::vector<double> tokens;
};

std::vector<FixedSetting> fixed_settings(const Corpus& corpus) {
    constexpr std::array<double, 13> temperatures{0.5, 0.6, 0.7, 0.8, 0.9, 1.0, 1.1, 1.2, 1.35, 1.5, 1.75, 2.0, 2.5};
    std::vector<FixedSetting> all;
    for (const char* id : {"temperature", "top_k", "top_p", "min_p", "top_n_sigma", "epsilon"}) {
        const Family& family = *find_family(id);
        for (std::size_t step = 0; step < (family.knobs.empty() ? 1U : 13U); ++step) {
            const std::vector<double> knobs =
                family.at(std::vector<double>(family.knobs.size(), static_cast<double>(step) / 12.0));
            const SamplerPointer rule = family.make(knobs);
            FixedSetting setting;
            for (const Context& context : corpus.contexts) {
                double tokens = 0.0;
                for (const double count : rule->candidates(context).count) tokens += count;
                setting.tokens.push_back(tokens);
            }
            for (const double temperature : temperatures) {
                setting.text = fmt::format("{}, T {:g}", family.knobs.empty() ? "no cut" : family.text(knobs), temperature);
                setting.temperature = temperature;
                all.push_back(setting);
            }
        }
    }
    return all;
}

void find_fixed(Distances& found, const std::vector<Ranking>& rankings, const std::vector<FixedSetting>& settings,
                std::span<const double> weight) {
    double least = HUGE_VAL;
    std::vector<double> distances(rankings.size());
    for (const FixedSetting& setting : settings) {
        for (std::size_t i = 0; i < rankings.size(); ++i)
            distances[i] = distance_to_prefix(rankings[i], setting.tokens[i], 1.0 / setting.temperature);
        const double mean = weighted_mean(distances, weight);
        if (mean >= least) continue;
        least = mean;
        found.fixed = distances;
        found.setting = setting.text;
    }
}

Distances distances_of(const Corpus& corpus, const Applied& applied, double temperature,
                       const std::vector<FixedSetting>& settings, std::span<const double> weight, const ReachOptions& options) {
    Distances found;
    std::vector<Ranking> rankings;
    applied.for_each(temperature, [&](std::size_t i, const Candidates& left, const Distribution& distribution) {
        const Context& context = corpus.contexts[i];
        rankings.push_back(ranking_of(context, left, distribution));
        const Reach reach = reach_of(rankings.back(), 1.0 / (temperature * left.factor), options.tolerance);
        found.reach.push_back(reach.distance);
        found.error.push_back(reach.error);
        found.plain.push_back(distance_to_prefix(rankings.back(), static_cast<double>(context.vocabulary), 1.0));
    });
    find_fixed(found, rankings, settings, weight);
    return found;
}

std::vector<double> numbers_of(const Distances& found) {
    std::vector<double> numbers;
    for (const auto* part : {&found.reach, &found.error, &found.plain, &found.fixed})
        numbers.insert(numbers.end(), part->begin(), part->end());
    return numbers;
}

/** The interval of a mean over one class, or over all. */
Interval mean_of(const Corpus& corpus, std::span<const double> values, std::span<const double> weight, std::optional<Class> kind,
                 const ReachOptions& options) {
    const auto mean = [&](std::span<const double> times) {
        double sum = 0.0;
        double total = 0.0;
        for (std::size_t i = 0; i < values.size(); ++i) {
            if (kind && corpus.contexts[i].kind() != *kind) continue;
            sum += times[i] * weight[i] * values[i];
            total += times[i] * weight[i];
        }
        return total > 0 ? sum / total : std::nan("");
    };
    return bootstrap(resampling(corpus, options.intervals.block), Statistic(mean), options.intervals.bootstrap);
}

void add_rows(Table& table, const KnownSetting& setting, double temperature, const Distances& found, const Corpus& corpus,
              std::span<const double> weight, const ReachOptions& options) {
    for (const std::optional<Class> kind :
         {std::optional(Class::confident), std::optional(Class::mid), std::optional(Class::open), std::optional<Class>()}) {
        Json row{{"sampler", setting.label},
                 {"knobs", setting.knobs},
                 {"temperature", temperature},
                 {"class", kind ? std::string(to_string(*kind)) : "all"}};
        double error = 0.0;
        for (std::size_t i = 0; i < found.error.size(); ++i)
            if (!kind || corpus.contexts[i].kind() == *kind) error = std::max(error, found.error[i]);
        Table::put(row, "reach", mean_of(corpus, found.reach, weight, kind, options));
        row["error"] = number(error);
        Table::put(row, "fixed", mean_of(corpus, found.fixed, weight, kind, options));
        row["setting"] = found.setting;
        Table::put(row, "plain", mean_of(corpus, found.plain, weight, kind, options));
        if (!row["reach"].is_null()) table.add(std::move(row));
    }
}

void add_findings(Report& report, const Table& table) {
    for (const Json& row : table.rows()) {
        if (row["class"] != "open") continue;
        const auto sampler = row["sampler"].get<std::string>();
        if (!sampler.starts_with("HLG") && sampler != "temperature" && sampler != "quadratic smoothing") continue;
        report.find(
            fmt::format("{}: on open contexts {:.3f} from the nearest prefix with temperature, whatever it is in each context "
                        "(certified within {:.3f}); "
                        "{:.3f} from the nearest single setting ({}); {:.3f} from temperature 1.",
                        sampler, row["reach"].get<double>(), row["error"].get<double>(), row["fixed"].get<double>(),
                        row["setting"].get<std::string>(), row["plain"].get<double>()));
    }
}

}  // namespace

std::string reach_inputs(const Corpus& corpus, const ReachOptions& options) {
    return fmt::format("reach 1 {} tolerance {} weighing {}", fingerprint(corpus), options.tolerance,
                       static_cast<int>(options.weighing));
}

Report reach_report(const Corpus& corpus, const ReachOptions& options, Memo& memo, const Progress& progress) {
    const Baseline baseline(corpus, options.weighing);
    const std::vector<KnownSetting> known = known_settings();
    const std::vector<FixedSetting> fixed = fixed_settings(corpus);
    std::vector<std::optional<double>> temperatures(known.size());
    std::vector<Distances> all(known.size());
    parallel_for(
        known.size(),
        [&](std::size_t i) {
            const Applied applied(corpus, known[i].sampler);
            temperatures[i] = match_entropy(applied, baseline.weights, baseline.entropy);
            if (!temperatures[i]) return;
            const std::string name = known[i].label + " " + known[i].knobs;
            const std::size_t n = corpus.contexts.size();
            if (const auto numbers = memo.find(name); numbers && numbers->size() == 4 * n + 1) {
                const auto part = [&](std::size_t k) {
                    return std::vector<double>(numbers->begin() + static_cast<std::ptrdiff_t>(k * n),
                                               numbers->begin() + static_cast<std::ptrdiff_t>((k + 1) * n));
                };
                all[i] = {part(0), part(1), part(2), part(3), fixed.at(static_cast<std::size_t>(numbers->back())).text};
                return;
            }
            all[i] = distances_of(corpus, applied, *temperatures[i], fixed, baseline.weights, options);
            std::vector<double> numbers = numbers_of(all[i]);
            const auto of =
                std::find_if(fixed.begin(), fixed.end(), [&](const FixedSetting& one) { return one.text == all[i].setting; });
            numbers.push_back(static_cast<double>(of - fixed.begin()));
            memo.put(name, numbers);
        },
        progress);
    Table table({{"sampler", "sampler"},
                 {"knobs", "knobs"},
                 {"temperature", "T"},
                 {"class", "contexts"},
                 {"reach", "to any prefix", "", 3,
                  "total variation to the nearest prefix with any temperature, chosen for each context", true},
                 {"error", "certified within", "", 2, "the largest of its contexts"},
                 {"fixed", "to one setting", "", 3,
                  "to the nearest single setting of top-k, top-p, min-p, top-n-sigma or epsilon with temperature", true},
                 {"setting", "which"},
                 {"plain", "to T = 1", "", 3, {}, true}});
    for (std::size_t i = 0; i < known.size(); ++i)
        if (temperatures[i]) add_rows(table, known[i], *temperatures[i], all[i], corpus, baseline.weights, options);
    Report report("reach", "What no truncation can do");
    report.inputs(corpus);
    report.seed("bootstrap", options.intervals.bootstrap.seed);
    report.set("tolerance", options.tolerance);
    report.set("single settings tried", fixed.size());
    add_findings(report, table);
    report.find(what_it_rests_on(corpus));
    report.table("reach", std::move(table));
    report.section("reach", "Distance to the nearest prefix with temperature",
                   {"Samplers at the mean entropy of temperature 1. Temperature, and truncations with temperature, are at 0 by "
                    "construction: they are the control. "
                    "Quadratic smoothing, which bends the scores, is the positive one. Samplers that cannot reach the entropy "
                    "are left out."},
                   {{{"title", "By class of context"},
                     {"caption", "Whiskers: 95%, texts resampled in blocks."},
                     {"table", "reach"},
                     {"mark", "interval"},
                     {"x", {{"key", "reach"}}},
                     {"y", {{"key", "sampler"}, {"scale", "category"}}},
                     {"series", "knobs"},
                     {"facet", "class"}}},
                   {"reach"});
    return report;
}

}  // namespace hlg::eval
