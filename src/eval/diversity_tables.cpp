// SPDX-License-Identifier: MIT
#include "eval/diversity_tables.hpp"

#include <array>
#include <cmath>

#include "engine/settings_json.hpp"

namespace hlg::eval {
namespace {

constexpr double matched = 0.02;  // nats
constexpr double level = 0.05;

constexpr std::array<TextMeasure, 10> secondary{TextMeasure::distinct1,         TextMeasure::distinct2, TextMeasure::distinct3,
                                                TextMeasure::adjusted_distinct, TextMeasure::self_bleu, TextMeasure::vendi,
                                                TextMeasure::repetition,        TextMeasure::surprisal, TextMeasure::deep_tail,
                                                TextMeasure::perplexity};

constexpr std::array<TextMeasure, text_measures> all_measures{
    TextMeasure::dissimilarity,     TextMeasure::non_words,  TextMeasure::surprisal, TextMeasure::vendi,
    TextMeasure::self_bleu,         TextMeasure::distinct1,  TextMeasure::distinct2, TextMeasure::distinct3,
    TextMeasure::adjusted_distinct, TextMeasure::repetition, TextMeasure::deep_tail, TextMeasure::perplexity};

std::string text(std::string_view view) { return std::string(view); }

bool any(std::span<const double> values) {
    for (const double value : values)
        if (!std::isnan(value)) return true;
    return false;
}

/** A measure's mean over prompts, with its interval. */
Interval mean_of(const std::vector<double>& values, const BootstrapOptions& options) {
    const std::vector<double> zero(values.size(), 0.0);
    return any(values) && values.size() > 1 ? paired_by_prompt(values, zero, options).mean : Interval{NAN, NAN, NAN};
}

std::vector<Column> measure_columns() {
    std::vector<Column> columns;
    columns.reserve(all_measures.size());
    for (const TextMeasure measure : all_measures)
        columns.push_back({.key = text(key_of(measure)), .label = text(label_of(measure)), .digits = 4, .interval = true});
    return columns;
}

/** The secondary differences of a band, Holm-adjusted together; measures that there are none of are left out. */
void add_secondary(Table& table, const DrawnBand& band, const BootstrapOptions& options) {
    std::vector<Json> rows;
    std::vector<double> p_values;
    for (const TextMeasure measure : secondary) {
        const std::vector<double> ours = values_of(band, 0, measure);
        if (!any(ours)) continue;
        const PairedDifference difference = paired_by_prompt(ours, values_of(band, 1, measure), options);
        Json row{{"measure", label_of(measure)}, {"band", band.id}};
        Table::put(row, "difference", difference.mean);
        const double sd = difference.deviation;
        const auto in_sd = [sd](double value) { return sd > 0 ? value / sd : NAN; };
        Table::put(row, "effect", {in_sd(difference.mean.estimate), in_sd(difference.mean.low), in_sd(difference.mean.high)});
        row["p"] = number(difference.p);
        p_values.push_back(difference.p);
        rows.push_back(std::move(row));
    }
    const std::vector<double> adjusted = holm(p_values);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        rows[i]["holm"] = number(adjusted[i]);
        rows[i]["differs"] = adjusted[i] < level;
        table.add(std::move(rows[i]));
    }
}

}  // namespace

Table samplers_table(const Diversity& diversity, const BootstrapOptions& options) {
    std::vector<Column> columns{{"sampler", "sampler"}, {"id", "id"}, {"band", "band"}};
    for (Column& column : measure_columns()) columns.push_back(std::move(column));
    Table table(std::move(columns));
    for (const DrawnBand* band : {&diversity.held_out, &diversity.replication})
        for (std::size_t i = 0; i < diversity.configurations.size(); ++i) {
            Json row{{"sampler", diversity.configurations[i].name}, {"id", diversity.configurations[i].id}, {"band", band->id}};
            for (const TextMeasure measure : all_measures)
                Table::put(row, text(key_of(measure)), mean_of(values_of(*band, i, measure), options));
            table.add(std::move(row));
        }
    return table;
}

Table short_table(const Table& samplers, const Diversity& diversity) {
    std::vector<Column> columns{{"sampler", "sampler"}};
    for (const Column& column : samplers.columns())
        if (column.interval) columns.push_back({.key = column.key, .label = column.label, .digits = column.digits});
    columns.push_back({.key = "ends", .label = "end-of-text", .unit = "a token"});
    Table table(std::move(columns));
    for (std::size_t i = 0; i < diversity.configurations.size(); ++i) {
        Json row = samplers.rows()[i];
        const EndRate& ends = diversity.ends[i];
        row["ends"] = number(static_cast<double>(ends.ended) / static_cast<double>(ends.tokens));
        table.add(std::move(row));
    }
    return table;
}

Table primary_table(const Primary& held_out, const Primary& replication) {
    Table table({{"band", "band"},
                 {"prompts", "prompts"},
                 {.key = "dissimilarity", .label = "dissimilarity", .interval = true},
                 {"dissimilarity_p", "p", "", 2, "of no difference, t test on prompts"},
                 {"dissimilarity_sd", "sd", "", 2, "of the prompts' differences"},
                 {.key = "corrected", .label = "at equal surprisal", .note = "corrected by the slope of the rival's level"},
                 {.key = "non_words", .label = "non-words", .interval = true},
                 {"no_worse", "p no worse", "", 2, "of being worse by .01 or more"},
                 {"equivalent", "p TOST", "", 2, "of being .01 or more apart, in either direction"},
                 {.key = "surprisal", .label = "surprisal", .unit = "nats", .interval = true},
                 {"more_diverse", "part 1 holds"},
                 {"as_clean", "part 2 holds"}});
    for (const auto& [band, primary] : {std::pair("held-out", &held_out), {"replication", &replication}}) {
        Json row{{"band", band}, {"prompts", primary->dissimilarity.prompts}};
        Table::put(row, "dissimilarity", primary->dissimilarity.mean);
        row["dissimilarity_p"] = number(primary->dissimilarity.p);
        row["dissimilarity_sd"] = number(primary->dissimilarity.deviation);
        row["corrected"] = number(primary->corrected);
        Table::put(row, "non_words", primary->non_words.mean);
        row["no_worse"] = number(primary->no_worse);
        row["equivalent"] = number(primary->equivalent);
        Table::put(row, "surprisal", primary->surprisal.mean);
        row["more_diverse"] = primary->more_diverse();
        row["as_clean"] = primary->as_clean();
        table.add(std::move(row));
    }
    return table;
}

Table secondary_table(const Diversity& diversity, const BootstrapOptions& options) {
    Table table({{"measure", "measure"},
                 {"band", "band"},
                 {.key = "difference", .label = "HLG less top_p", .interval = true},
                 {.key = "effect", .label = "in standard deviations of the prompts' differences", .interval = true},
                 {"p", "p", "", 2},
                 {"holm", "p, Holm", "", 2},
                 {"differs", "differs"}});
    add_secondary(table, diversity.held_out, options);
    add_secondary(table, diversity.replication, options);
    return table;
}

Table search_table(const Diversity& diversity) {
    Table table({{"family", "family"},
                 {"level", "level"},
                 {"setting", "setting"},
                 {"temperature", "T", "", 4},
                 {"surprisal", "own-text surprisal", "nats", 4},
                 {"dissimilarity", "dissimilarity", "", 4},
                 {"non_words", "non-words", "", 3},
                 {"at_target", "dissimilarity at the target", "", 4},
                 {"allowed", "allowed"}});
    for (const FamilySearch& family : diversity.searches)
        for (const Level& one : family.levels)
            for (const TextTrial& trial : one.trials)
                table.add({{"family", family.name},
                           {"level", one.knob},
                           {"setting", family.name + " " + one.knob},
                           {"temperature", number(trial.temperature)},
                           {"surprisal", number(trial.surprisal)},
                           {"dissimilarity", number(trial.dissimilarity)},
                           {"non_words", number(trial.non_words)},
                           {"at_target", number(one.at_target)},
                           {"allowed", one.allowed}});
    return table;
}

Table frozen_table(const Diversity& diversity) {
    Table table({{"sampler", "sampler"},
                 {"surprisal", "own-text surprisal, development", "nats", 4},
                 {"off", "off the target", "nats", 2},
                 {"matched", "matched"},
                 {"ends", "end-of-text", "a token", 3, "where it is not banned"},
                 {"ended", "texts that ended", "", 3, "within the tokens of a text"},
                 {"settings", "settings"}});
    for (std::size_t i = 0; i < diversity.configurations.size(); ++i) {
        const Configuration& one = diversity.configurations[i];
        const EndRate& ends = diversity.ends[i];
        table.add({{"sampler", one.name},
                   {"surprisal", number(one.trial.surprisal)},
                   {"off", number(one.surprisal_off)},
                   {"matched", std::abs(one.surprisal_off) <= matched},
                   {"ends", number(static_cast<double>(ends.ended) / static_cast<double>(ends.tokens))},
                   {"ended", number(static_cast<double>(ends.ended) / static_cast<double>(ends.texts))},
                   {"settings", Json(engine::to_json(one.sampling)).dump()}});
    }
    return table;
}

Table prompts_table(const Diversity& diversity, const DiversityOptions& options) {
    std::vector<Column> columns{{"band", "band"}, {"sampler", "sampler"}, {"prompt", "prompt"}};
    for (Column& column : measure_columns()) {
        column.interval = false;
        columns.push_back(std::move(column));
    }
    Table table(std::move(columns));
    for (const DrawnBand* band : {&diversity.held_out, &diversity.replication})
        for (std::size_t i = 0; i < diversity.configurations.size(); ++i)
            for (std::size_t prompt = 0; prompt < options.held_out.size(); ++prompt) {
                Json row{{"band", band->id}, {"sampler", diversity.configurations[i].name}, {"prompt", options.held_out[prompt]}};
                for (const TextMeasure measure : all_measures)
                    row[text(key_of(measure))] = number(band->values[i][prompt][static_cast<std::size_t>(measure)]);
                table.add(std::move(row));
            }
    return table;
}

}  // namespace hlg::eval
