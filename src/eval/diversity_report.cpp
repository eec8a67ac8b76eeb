// SPDX-License-Identifier: MIT
#include <cmath>

#include <fmt/core.h>

#include "eval/diversity_tables.hpp"

namespace hlg::eval {
namespace {

constexpr double matched = 0.02;  // nats
constexpr double percent = 100.0;

std::string spoken(const Interval& interval, double times, int digits) {
    return fmt::format("{:+.{}f} ({:+.{}f} to {:+.{}f})", interval.estimate * times, digits, interval.low * times, digits,
                       interval.high * times, digits);
}

std::string primary_sentence(const std::string& band, const Primary& primary) {
    std::string sentence = fmt::format(
        "{}: dissimilarity {}, p {:.2g}; non-words {} percentage points, p of being worse by one {:.2g} (TOST {:.2g})", band,
        spoken(primary.dissimilarity.mean, 1.0, 4), primary.dissimilarity.p, spoken(primary.non_words.mean, percent, 2),
        primary.no_worse, primary.equivalent);
    const double off = primary.surprisal.estimate.value;
    if (std::abs(off) > matched)
        sentence += fmt::format(
            "; their own-text surprisal differs by {:+.3f} nats, so they are not matched here: corrected for it, {:+.4f}", off,
            primary.corrected);
    if (primary.dissimilarity.mean.low > dissimilarity_margin) sentence += "; the whole interval lies above .01";
    return sentence + ".";
}

std::string verdict_sentence(Verdict verdict, const Diversity& diversity) {
    const std::string claim =
        fmt::format("texts of {} differ more from each other, by .01 or more, than texts of {}, with no more non-words",
                    diversity.configurations[0].name, diversity.configurations[1].name);
    switch (verdict) {
        case Verdict::confirmed: return "Confirmed: " + claim + ", on held-out prompts and again with fresh seeds.";
        case Verdict::refuted: return "Refuted: it is not so that " + claim + ".";
        case Verdict::not_shown: break;
    }
    return "Not shown: that " + claim + ".";
}

std::string secondary_sentence(const Table& table) {
    std::string differ;
    std::size_t measures = 0;
    for (const Json& row : table.rows()) {
        if (row["band"] != "held-out") continue;
        ++measures;
        if (!row["differs"].get<bool>()) continue;
        differ += fmt::format("{}{} ({:+.3g})", differ.empty() ? "" : ", ", row["measure"].get<std::string>(),
                              row["difference"].is_null() ? NAN : row["difference"].get<double>());
    }
    return fmt::format("Of {} secondary measures these differ after Holm's correction: {}.", measures,
                       differ.empty() ? "none" : differ);
}

std::vector<Json> tuning_figures(double target) {
    return {{{"title", "Tuning: dissimilarity over own-text surprisal, on development prompts"},
             {"caption", "Each line is a setting at three temperatures; they are compared at the rule."},
             {"table", "search"},
             {"mark", "line"},
             {"x", {{"key", "surprisal"}}},
             {"y", {{"key", "dissimilarity"}}},
             {"series", "level"},
             {"facet", "family"},
             {"rules", {{{"axis", "x"}, {"at", number(target)}, {"label", "temperature 1"}}}}}};
}

std::vector<Json> quality_figures() {
    return {
        {{"title", "Diversity against quality, held-out prompts"},
         {"caption", "Up is more different texts, left is fewer words that are none; whiskers are 95% intervals over prompts."},
         {"table", "samplers"},
         {"mark", "point"},
         {"x", {{"key", "non_words"}}},
         {"y", {{"key", "dissimilarity"}}},
         {"series", "sampler"},
         {"facet", "band"},
         {"label", "id"}}};
}

std::vector<Json> forest_figures() {
    return {{{"title", "HLG less tuned top_p, secondary measures"},
             {"caption",
              "In standard deviations of the prompts' differences, so that they share an axis; 95% intervals, not adjusted."},
             {"table", "secondary"},
             {"mark", "interval"},
             {"x", {{"key", "effect"}}},
             {"y", {{"key", "measure"}, {"scale", "category"}}},
             {"series", "band"},
             {"rules", {{{"axis", "x"}, {"at", 0}, {"label", "no difference"}}}}}};
}

void settle(Report& report, const Diversity& diversity, const SourceFacts& facts, const DiversityOptions& options) {
    Json input = facts.json();
    input["texts"] = options.held_out;
    report.input(std::move(input));
    report.set("samples", options.samples);
    report.set("search_samples", options.search_samples);
    report.set("trials", options.trials);
    report.set("matchings", options.matchings);
    report.set("end_samples", options.end_samples);
    report.set("tokens", options.tokens);
    report.set("words_in_list", options.words.size());
    report.set("development", options.development);
    report.set("frozen_sha256", diversity.frozen);
    report.set("target_surprisal", number(diversity.target.surprisal));
    report.seed("texts", options.seed);
    report.seed("bootstrap", options.seed);
}

}  // namespace

Report diversity_report(const Diversity& diversity, const SourceFacts& facts, const DiversityOptions& options) {
    const BootstrapOptions bootstrap{.resamples = options.resamples, .level = 0.95, .seed = options.seed};
    const double slope = diversity.configurations[1].dissimilarity_slope;
    const Primary held_out = primary_of(diversity.held_out, slope, bootstrap);
    const Primary replication = primary_of(diversity.replication, slope, bootstrap);
    const Verdict verdict = verdict_of(held_out, replication);

    Report report("diversity", "Do texts drawn with HLG differ more from each other?");
    settle(report, diversity, facts, options);
    const Table samplers = samplers_table(diversity, bootstrap);
    const Table secondary_differences = secondary_table(diversity, bootstrap);
    report.find(verdict_sentence(verdict, diversity));
    report.find(primary_sentence("Held out", held_out));
    report.find(primary_sentence("Replication", replication));
    report.find(secondary_sentence(secondary_differences));
    for (const Configuration& one : diversity.configurations)
        if (std::abs(one.surprisal_off) > matched)
            report.find(fmt::format("{} is not matched: {:+.3f} nats off on development prompts.", one.name, one.surprisal_off));
    report.find(fmt::format("One model, {}; {} prompts, {} samples each of {} tokens.", facts.id, options.held_out.size(),
                            options.samples, options.tokens));
    report.table("short", short_table(samplers, diversity));
    report.table("samplers", samplers);
    report.table("primary", primary_table(held_out, replication));
    report.table("secondary", secondary_differences);
    report.table("search", search_table(diversity));
    report.table("frozen", frozen_table(diversity));
    report.table("prompts", prompts_table(diversity, options));
    report.section("primary", verdict_sentence(verdict, diversity),
                   {primary_sentence("Held out", held_out), primary_sentence("Replication", replication)}, quality_figures(),
                   {"primary", "samplers"});
    report.section("secondary", secondary_sentence(secondary_differences), {}, forest_figures(), {"secondary"});
    report.section("tuning", "How the samplers were tuned and matched", {}, tuning_figures(diversity.target.surprisal),
                   {"frozen", "search"});
    return report;
}

}  // namespace hlg::eval
