// SPDX-License-Identifier: MIT
#include "cli/draw_report.hpp"

#include <algorithm>
#include <cmath>

#include <nlohmann/json.hpp>

#include "engine/settings_json.hpp"

namespace hlg::cli {
namespace {

using nlohmann::ordered_json;

/** ln sum exp(x). */
double log_sum(std::span<const float> logits) {
    const auto top = static_cast<double>(*std::max_element(logits.begin(), logits.end()));
    double sum = 0.0;
    for (const float x : logits) sum += std::exp(static_cast<double>(x) - top);
    return top + std::log(sum);
}

/** What a drawn token costs under the model's own distribution, on average: -sum q ln p. */
double surprisal(std::span<const float> logits, std::span<const double> q, double log_normaliser) {
    double sum = 0.0;
    for (std::size_t i = 0; i < q.size(); ++i)
        if (q[i] > 0.0) sum += q[i] * (log_normaliser - static_cast<double>(logits[i]));
    return sum;
}

ordered_json mass_json(const std::vector<MassBelow>& masses) {
    ordered_json json = ordered_json::array();
    for (const MassBelow& below : masses) json.push_back({{"log_prob", below.log_prob}, {"mass", below.mass}});
    return json;
}

ordered_json edits_json(std::span<const Edit> edits) {
    ordered_json json = ordered_json::array();
    for (const Edit& edit : edits) {
        const bool ban = std::isinf(edit.delta);
        json.push_back({{"token", edit.token}, {"delta", ban ? ordered_json("ban") : ordered_json(edit.delta)}});
    }
    return json;
}

}  // namespace

std::string to_json(const DrawReport& report) {
    const std::span<const double> q = report.probabilities;
    const Statistics& found = report.statistics;
    const double log_normaliser = log_sum(report.logits);
    const float top = *std::max_element(report.logits.begin(), report.logits.end());
    ordered_json json;
    json["vocab"] = report.logits.size();
    json["row"] = report.row;
    json["entropy"] = found.entropy;
    json["model_entropy"] = found.model_entropy;
    json["top1"] = found.top1;
    json["top1_token"] = std::max_element(q.begin(), q.end()) - q.begin();
    json["model_top1"] = std::exp(static_cast<double>(top) - log_normaliser);
    json["collision"] = found.collision;
    json["surprisal"] = surprisal(report.logits, q, log_normaliser);
    json["kl"] = found.kl;
    json["mass_below"] = mass_json(report.mass_below);
    json["support"] = std::count_if(q.begin(), q.end(), [](double p) { return p > 0.0; });
    json["pivot"] = found.pivot;  // NaN, where no curve acts, becomes null
    json["top_logit"] = top;
    if (report.seed) json["seed"] = *report.seed;
    json["settings"] = to_json(report.settings, engine::SettingsScope::step);
    json["edits"] = edits_json(report.edits);
    return json.dump();
}

}  // namespace hlg::cli
