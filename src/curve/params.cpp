// The curve's knobs: their ranges, their names, and the named settings.
#include <array>
#include <cmath>
#include <cstdio>

#include "hlg/curve.hpp"

namespace hlg {
namespace {

// Past this distance below the top a token counts as masked, so a larger offset could not mean anything.
constexpr double kMaxOffset = 1e4;

std::string number(double value) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.10g", value);
    return text.data();
}

}  // namespace

ParameterError::ParameterError(std::string field, const std::string& rule, const std::string& got)
    : std::invalid_argument("[" + field + "] " + rule + ", got " + got), field_(std::move(field)), rule_(rule) {}

// Where the other built-in knobs leave the mean entropy that temperature 1 has, on the real logits of
// docs/investigations/hlg-defaults.md.
double default_offset(Pivot pivot) noexcept {
    switch (pivot) {
        case Pivot::top: return 3.0;
        case Pivot::entropy: return 1.7;
        case Pivot::median: return 2.5;
    }
    return 0.0;
}

void validate(const CurveParams& params) {
    if (params.pivot != Pivot::top && params.pivot != Pivot::entropy && params.pivot != Pivot::median)
        throw ParameterError("hlg.pivot", "must be top, entropy or median", std::to_string(static_cast<int>(params.pivot)));
    if (params.toe_shape != ToeShape::log && params.toe_shape != ToeShape::fade)
        throw ParameterError("hlg.toe_shape", "must be log or fade", std::to_string(static_cast<int>(params.toe_shape)));
    if (params.pivot_offset && !(std::abs(*params.pivot_offset) <= kMaxOffset))
        throw ParameterError("hlg.pivot_offset", "must be between -10000 and 10000", number(*params.pivot_offset));
    // Written so that NaN fails each of them.
    if (!(params.width >= 0)) throw ParameterError("hlg.width", "must be >= 0 or off", number(params.width));
    if (!(params.shoulder > 0)) throw ParameterError("hlg.shoulder", "must be > 0 or off", number(params.shoulder));
    if (!(params.toe > 0)) throw ParameterError("hlg.toe", "must be > 0 or off", number(params.toe));
}

std::span<const Preset> presets() noexcept {
    static constexpr std::array<Preset, 5> all{{
        {"note", "the settings the idea was first written down with", {Pivot::top, 6.0, 4.0, 4.0, 6.0, ToeShape::log}},
        {"gentle", "a little fresher than temperature, tail faded", {Pivot::entropy, 2.3, 2.3, 1.0, 1.5, ToeShape::fade}},
        {"balanced", "favourites clearly compressed, tail faded", {Pivot::entropy, 1.7, 1.6, 0.6, 2.0, ToeShape::fade}},
        {"bold", "the flattest head, the shortest tail", {Pivot::entropy, 1.5, 1.0, 0.3, 1.2, ToeShape::fade}},
        {"cheap",
         "the least computing: top pivot, tail faded, as a min_p without an edge",
         {Pivot::top, 5.2, 0.1, 12.0, 0.4, ToeShape::fade}},
    }};
    return all;
}

const Preset* find_preset(std::string_view name) noexcept {
    for (const Preset& preset : presets())
        if (preset.name == name) return &preset;
    return nullptr;
}

std::string_view to_string(Pivot pivot) noexcept {
    switch (pivot) {
        case Pivot::top: return "top";
        case Pivot::entropy: return "entropy";
        case Pivot::median: return "median";
    }
    return "?";
}

std::string_view to_string(ToeShape shape) noexcept { return shape == ToeShape::log ? "log" : "fade"; }

std::optional<Pivot> pivot_from(std::string_view name) noexcept {
    for (const Pivot pivot : {Pivot::top, Pivot::entropy, Pivot::median})
        if (to_string(pivot) == name) return pivot;
    return std::nullopt;
}

std::optional<ToeShape> toe_shape_from(std::string_view name) noexcept {
    for (const ToeShape shape : {ToeShape::log, ToeShape::fade})
        if (to_string(shape) == name) return shape;
    return std::nullopt;
}

}  // namespace hlg
