// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/core.h>

#include "engine/settings_json.hpp"
#include "eval/compare.hpp"
#include "eval/sha256.hpp"

namespace hlg::eval {
namespace {

Json passage(const CompareOptions& options, const ComparedPrompt& compared) {
    Json columns = Json::array();
    for (std::size_t arm = 0; arm < compared.arms.size(); ++arm) {
        Json tokens{{"text", Json::array()}, {"region", Json::array()}, {"p", Json::array()}, {"q", Json::array()}};
        for (const TracedToken& token : compared.arms[arm].tokens) {
            tokens["text"].push_back(token.text);
            tokens["region"].push_back(token.region.empty() ? Json() : Json(token.region));
            tokens["p"].push_back(number(token.p));
            tokens["q"].push_back(number(token.q));
        }
        columns.push_back({{"label", options.arms[arm].name}, {"tokens", std::move(tokens)}});
    }
    return {{"prompt", compared.prompt}, {"columns", std::move(columns)}};
}

/** Sums of an arm over all its tokens. */
struct ArmSums {
    double tokens = 0.0;
    TraceMeans means = {};
    std::array<double, 3> regions = {};  ///< shoulder, mid, toe

    void add(const Trace& trace) {
        const auto n = static_cast<double>(trace.tokens.size());
        if (n == 0) return;
        tokens += n;
        means.entropy += n * trace.means.entropy;
        means.surprisal += n * trace.means.surprisal;
        means.kl += n * trace.means.kl;
        means.top1 += n * trace.means.top1;
        means.collision += n * trace.means.collision;
        means.tail += n * trace.means.tail;
        for (const TracedToken& token : trace.tokens)
            for (std::size_t i = 0; i < regions.size(); ++i) regions[i] += token.region == names[i] ? 1 : 0;
    }

    static constexpr std::array<const char*, 3> names{"shoulder", "mid", "toe"};
};

Table arms_table(const CompareOptions& options, const std::vector<ComparedPrompt>& compared) {
    Table table({{"arm", "Sampler"},
                 {"tokens", "Tokens"},
                 {"entropy", "Entropy", "nats"},
                 {"surprisal", "Surprisal", "nats", 3, "of the tokens drawn, under the model at temperature 1"},
                 {"kl", "KL to temperature", "nats", 3, "at the arm's own temperature"},
                 {"top1", "Top-1 mass"},
                 {"collision", "Collision", "", 3, "the chance that two draws agree"},
                 {"tail", "Deep tail", "", 2, "mass outside the 0.99 nucleus with p < 1e-4"},
                 {"shoulder", "Drawn from shoulder"},
                 {"mid", "mid"},
                 {"toe", "toe"}});
    for (std::size_t arm = 0; arm < options.arms.size(); ++arm) {
        ArmSums sums;
        for (const ComparedPrompt& prompt : compared) sums.add(prompt.arms[arm]);
        const double n = sums.tokens > 0 ? sums.tokens : std::nan("");
        const bool curved = sums.regions[0] + sums.regions[1] + sums.regions[2] > 0;
        Json row{{"arm", options.arms[arm].name},
                 {"tokens", sums.tokens},
                 {"entropy", number(sums.means.entropy / n)},
                 {"surprisal", number(sums.means.surprisal / n)},
                 {"kl", number(sums.means.kl / n)},
                 {"top1", number(sums.means.top1 / n)},
                 {"collision", number(sums.means.collision / n)},
                 {"tail", number(sums.means.tail / n)}};
        for (std::size_t i = 0; i < sums.regions.size(); ++i)
            row[ArmSums::names[i]] = curved ? number(sums.regions[i] / n) : Json();
        table.add(std::move(row));
    }
    return table;
}

/** What each arm makes of a score z nats above its pivot; of a truncation, what it does to what it keeps. */
Table curves_table(const CompareOptions& options) {
    Table table({{"arm", "Sampler"}, {"z", "Score above the pivot", "nats"}, {"shaped", "Shaped score", "nats"}});
    for (const Arm& arm : options.arms) {
        const engine::SamplingSettings settings = explicit_settings(arm.sampling);
        const auto found = engine::resolve(std::span(&settings, 1));
        if (!found || !(found->params.temperature > 0)) continue;
        const Curve curve = found->params.hlg ? Curve(*found->params.hlg) : Curve();
        for (int i = -80; i <= 60; i += 2) {
            const double z = i / 10.0;
            table.add({{"arm", arm.name}, {"z", z}, {"shaped", number(curve.h(z) / found->params.temperature)}});
        }
    }
    return table;
}

std::string finding(const Table& table) {
    std::string words = "Mean entropy of the draws: ";
    for (std::size_t i = 0; i < table.rows().size(); ++i) {
        const Json& row = table.rows()[i];
        words += fmt::format("{}{} {:.2f}", i == 0 ? "" : ", ", row["arm"].get<std::string>(),
                             row["entropy"].is_null() ? std::nan("") : row["entropy"].get<double>());
    }
    return words + " nats. Arms of unequal entropy differ in how random they are before they differ in anything else.";
}

}  // namespace

Report comparison_of_texts(const engine::Engine& engine, const CompareOptions& options,
                           const std::vector<ComparedPrompt>& compared) {
    Report report("compare", fmt::format("{} prompt{}, {} samplers, the same seeds", options.prompts.size(),
                                         options.prompts.size() == 1 ? "" : "s", options.arms.size()));
    const Table arms = arms_table(options, compared);
    report.find(finding(arms));
    report.find("A look at single texts proves nothing about a sampler; hlg eval diversity and capability measure.");
    report.input({{"id", engine.model().path().substr(engine.model().path().find_last_of('/') + 1)},
                  {"source", "model"},
                  {"vocabulary", engine.model().vocabulary_size()},
                  {"sha256", sha256_of_file(engine.model().path())}});
    report.seed("text", options.seed);
    for (const Arm& arm : options.arms) {
        const engine::SamplingSettings settings = explicit_settings(arm.sampling);
        if (const auto found = engine::resolve(std::span(&settings, 1)))
            report.set(arm.name, engine::to_json(*found, engine::SettingsScope::text));
    }
    Json passages = Json::array();
    for (const ComparedPrompt& prompt : compared) passages.push_back(passage(options, prompt));
    report.table("arms", arms);
    report.table("curves", curves_table(options));
    report.texts("texts", "The texts, each token tinted by the part of the curve that it came from", std::move(passages));
    report.section("measures", "What the samplers did along their own texts",
                   {"Means over the tokens of all texts. Each sampler went its own way: after the first token that differs they "
                    "stand at different places, so that differences here are of sampler and text together."},
                   {}, {"arms"});
    report.section("curves", "The curves", {},
                   {{{"title", "What becomes of a score"},
                     {"table", "curves"},
                     {"mark", "line"},
                     {"x", {{"key", "z"}}},
                     {"y", {{"key", "shaped"}}},
                     {"series", "arm"}}},
                   {});
    return report;
}

}  // namespace hlg::eval
