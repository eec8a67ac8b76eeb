// SPDX-License-Identifier: MIT
#include "engine/settings_json.hpp"

#include <cmath>

#include <nlohmann/json.hpp>

namespace hlg::engine {
namespace {

using nlohmann::ordered_json;

ordered_json knob(double value) { return std::isinf(value) ? ordered_json("off") : ordered_json(value); }

}  // namespace

ordered_json to_json(const CurveParams& curve, const std::optional<std::string>& preset) {
    ordered_json json{{"enabled", true}};
    if (preset) json["preset"] = *preset;
    json["pivot"] = to_string(curve.pivot);
    json["pivot_offset"] = curve.pivot_offset.value_or(default_offset(curve.pivot));
    json["width"] = knob(curve.width);
    json["shoulder"] = knob(curve.shoulder);
    json["toe"] = knob(curve.toe);
    json["toe_shape"] = to_string(curve.toe_shape);
    return json;
}

ordered_json to_json(const ResolvedSettings& settings, SettingsScope scope) {
    const SamplerParams& params = settings.params;
    ordered_json json{
        {"temperature", params.temperature}, {"top_p", params.top_p}, {"top_k", params.top_k}, {"min_p", params.min_p}};
    if (scope == SettingsScope::text) {
        const Penalties& penalties = settings.penalties;
        json["repeat_penalty"] = penalties.repeat;
        json["repeat_last_n"] = penalties.last_n;
        json["presence_penalty"] = penalties.presence;
        json["frequency_penalty"] = penalties.frequency;
        json["logit_bias"] = ordered_json::array();
        for (const Edit& edit : settings.logit_bias)
            json["logit_bias"].push_back({edit.token, std::isinf(edit.delta) ? ordered_json(false) : ordered_json(edit.delta)});
    }
    json["hlg"] = params.hlg ? to_json(*params.hlg, settings.preset) : ordered_json{{"enabled", false}};
    json["ignored"] = settings.ignored;
    return json;
}

}  // namespace hlg::engine
