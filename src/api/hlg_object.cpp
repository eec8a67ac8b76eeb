// SPDX-License-Identifier: MIT
#include "api/hlg_object.hpp"

#include <algorithm>
#include <array>

#include <fmt/core.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "engine/settings_json.hpp"

namespace hlg::api {
namespace {

constexpr std::array<std::string_view, 8> known = {"enabled", "preset",   "pivot", "pivot_offset",
                                                   "width",   "shoulder", "toe",   "toe_shape"};

std::optional<double> knob(const Node& node, std::string_view range) {
    if (node.absent()) return std::nullopt;
    if (node.json() == "off") return off;
    if (!node.json().is_number()) node.refuse(range);
    return node.number();
}

std::optional<std::string> preset(const Node& node) {
    if (node.absent()) return std::nullopt;
    std::vector<std::string_view> names;
    for (const Preset& one : presets()) names.push_back(one.name);
    if (!node.is_string() || find_preset(node.json().get_ref<const std::string&>()) == nullptr)
        node.refuse(fmt::format("must be one of {}", fmt::join(names, ", ")));
    return node.text();
}

void check_names(const Node& hlg) {
    for (const auto& [name, value] : hlg.json().items()) {
        if (std::find(known.begin(), known.end(), name) != known.end()) continue;
        throw bad_field(hlg.path(),
                        fmt::format("must have no member {}, only {}", Json(shown(name)).dump(), fmt::join(known, ", ")));
    }
}

/** The curve's own check knows the ranges. */
void check_ranges(const engine::HlgSettings& settings, const Node& hlg) {
    CurveParams curve;
    curve.pivot_offset = settings.pivot_offset;
    curve.width = settings.width.value_or(curve.width);
    curve.shoulder = settings.shoulder.value_or(curve.shoulder);
    curve.toe = settings.toe.value_or(curve.toe);
    try {
        validate(curve);
    } catch (const ParameterError& error) {
        hlg.at(error.field().substr(error.field().find('.') + 1)).refuse(error.rule());
    }
}

}  // namespace

engine::HlgSettings read_hlg(const Node& hlg) {
    engine::HlgSettings settings;
    if (hlg.absent()) return settings;
    if (hlg.json().is_boolean()) {
        settings.enabled = hlg.boolean();
        return settings;
    }
    if (!hlg.is_object()) hlg.refuse("must be an object, true or false");
    check_names(hlg);
    settings.enabled = hlg.at("enabled").boolean().value_or(true);
    settings.preset = preset(hlg.at("preset"));
    if (const auto pivot = hlg.at("pivot").word({"top", "entropy", "median"})) settings.pivot = pivot_from(*pivot);
    settings.pivot_offset = hlg.at("pivot_offset").number();
    settings.width = knob(hlg.at("width"), "must be a number >= 0, or \"off\"");
    settings.shoulder = knob(hlg.at("shoulder"), "must be a number > 0, or \"off\"");
    settings.toe = knob(hlg.at("toe"), "must be a number > 0, or \"off\"");
    if (const auto shape = hlg.at("toe_shape").word({"log", "fade"})) settings.toe_shape = toe_shape_from(*shape);
    check_ranges(settings, hlg);
    return settings;
}

Json hlg_json(const engine::ResolvedSettings& settings, const std::vector<std::string>& ignored) {
    const auto& curve = settings.params.hlg;
    Json json = curve ? engine::to_json(*curve, settings.preset) : Json{{"enabled", false}};
    json["ignored"] = ignored;
    return json;
}

}  // namespace hlg::api
