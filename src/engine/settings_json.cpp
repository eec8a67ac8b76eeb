// SPDX-License-Identifier: MIT
#include "engine/settings_json.hpp"

#include <cmath>

#include <nlohmann/json.hpp>

namespace hlg::engine {
namespace {

using nlohmann::ordered_json;

ordered_json knob(double value) { return std::isinf(value) ? ordered_json("off") : ordered_json(value); }

template <class T>
void put(ordered_json& json, const char* name, const std::optional<T>& value) {
    if (value) json[name] = *value;
}

ordered_json hlg_object(const HlgSettings& hlg) {
    ordered_json json = ordered_json::object();
    put(json, "enabled", hlg.enabled);
    put(json, "preset", hlg.preset);
    if (hlg.pivot) json["pivot"] = to_string(*hlg.pivot);
    put(json, "pivot_offset", hlg.pivot_offset);
    for (const auto& [name, value] : {std::pair("width", hlg.width), {"shoulder", hlg.shoulder}, {"toe", hlg.toe}})
        if (value) json[name] = knob(*value);
    if (hlg.toe_shape) json["toe_shape"] = to_string(*hlg.toe_shape);
    return json;
}

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

ordered_json to_json(const SamplingSettings& given) {
    constexpr double banned = -100.0;
    ordered_json json = ordered_json::object();
    put(json, "temperature", given.temperature);
    put(json, "top_p", given.top_p);
    put(json, "top_k", given.top_k);
    put(json, "min_p", given.min_p);
    put(json, "seed", given.seed);
    put(json, "repeat_penalty", given.repeat_penalty);
    put(json, "presence_penalty", given.presence_penalty);
    put(json, "frequency_penalty", given.frequency_penalty);
    put(json, "repeat_last_n", given.repeat_last_n);
    for (const Edit& edit : given.logit_bias.value_or(std::vector<Edit>{}))
        json["logit_bias"][std::to_string(edit.token)] = std::isinf(edit.delta) ? banned : edit.delta;
    if (given.hlg != HlgSettings{}) json["hlg"] = hlg_object(given.hlg);
    return json;
}

}  // namespace hlg::engine
