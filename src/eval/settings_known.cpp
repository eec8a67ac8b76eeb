// SPDX-License-Identifier: MIT
#include "eval/settings_known.hpp"

#include <fmt/core.h>

#include "eval/rules.hpp"

namespace hlg::eval {
namespace {

std::string text_of(const CurveParams& params) {
    return fmt::format("{} toe, {} pivot, offset {:g}, width {:g}, shoulder {:g}, toe {:g}", to_string(params.toe_shape),
                       to_string(params.pivot), params.pivot_offset.value_or(default_offset(params.pivot)), params.width,
                       params.shoulder, params.toe);
}

}  // namespace

std::vector<KnownSetting> known_settings() {
    std::vector<KnownSetting> all{
        {"temperature", "", temperature_rule()},
        {"top_p + T", "top_p 0.95", top_p_rule(0.95)},
        {"top_p + T", "top_p 0.9", top_p_rule(0.9)},
        {"top_k + T", "top_k 40", top_k_rule(40)},
        {"min_p + T", "min_p 0.01", min_p_rule(0.01)},
        {"min_p + T", "min_p 0.05", min_p_rule(0.05)},
        {"min_p + T", "min_p 0.1", min_p_rule(0.1)},
        {"top-n-sigma + T", "n 1", top_n_sigma_rule(1)},
        {"typical + T", "typical_p 0.95", typical_rule(0.95)},
        {"top-H + T", "alpha 0.4", top_h_rule(0.4)},
        {"p-less", "", p_less_rule()},
        {"XTC + T", "threshold 0.1, probability 0.5", xtc_rule(0.1, 0.5)},
        {"dynamic temperature", "range 0.5, exponent 1", dynamic_temperature_rule(0, 0.5, 1)},
        {"dynamic temperature + min_p", "min_p 0.003, range 0.5, exponent 1", dynamic_temperature_rule(0.003, 0.5, 1)},
        {"quadratic smoothing", "factor 0.2, curve 1", quadratic_rule(0.2, 1)},
        {"mirostat v2", "tau 5, eta 0.1", mirostat_rule(5, 0.1)},
        {"adaptive-p + min_p", "min_p 0.05, target 0.5, decay 0.9", adaptive_p_rule(0.05, 0.5, 0.9)},
        {"HLG", text_of({Pivot::top, 5, 1, 2, 2, ToeShape::fade}), hlg_rule({Pivot::top, 5, 1, 2, 2, ToeShape::fade})},
    };
    for (const Preset& preset : presets())
        all.push_back({fmt::format("HLG {}", preset.name), text_of(preset.params), hlg_rule(preset.params)});
    return all;
}

}  // namespace hlg::eval
