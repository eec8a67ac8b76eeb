// SPDX-License-Identifier: MIT
#include "eval/families.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

namespace hlg::eval {
namespace {

using Knobs = std::span<const double>;

std::vector<Family> rivals() {
    // Below the smallest min_p and above the largest top_p that are searched, a sampler is temperature to any reader.
    const Knob min_p{"min_p", 1e-4, 0.3, true};
    return {
        {"temperature", "temperature", {}, [](Knobs) { return temperature_rule(); }},
        {"top_p", "top_p + T", {{"top_p", 0.5, 0.999, false}}, [](Knobs k) { return top_p_rule(k[0]); }},
        {"top_k", "top_k + T", {{"top_k", 2, 2000, true}}, [](Knobs k) { return top_k_rule(std::round(k[0])); }},
        {"min_p", "min_p + T", {min_p}, [](Knobs k) { return min_p_rule(k[0]); }},
        {"epsilon", "epsilon + T", {{"epsilon", 1e-5, 0.05, true}}, [](Knobs k) { return epsilon_rule(k[0]); }},
        {"top_n_sigma", "top-n-sigma + T", {{"n", 0.3, 8, true}}, [](Knobs k) { return top_n_sigma_rule(k[0]); }},
        {"typical", "typical + T", {{"typical_p", 0.2, 0.999, false}}, [](Knobs k) { return typical_rule(k[0]); }},
        {"top_h", "top-H + T", {{"alpha", 0.2, 0.99, false}}, [](Knobs k) { return top_h_rule(k[0]); }},
        {"p_less", "p-less", {}, [](Knobs) { return p_less_rule(); }},
        {"xtc",
         "XTC + T",
         {{"threshold", 0.02, 0.5, true}, {"probability", 0.02, 1, false}},
         [](Knobs k) { return xtc_rule(k[0], k[1]); }},
        {"dynatemp",
         "dynamic temperature",
         {{"range", 0.05, 1, false}, {"exponent", 0.2, 3, true}},
         [](Knobs k) { return dynamic_temperature_rule(0.0, k[0], k[1]); }},
        {"dynatemp_min_p",
         "dynamic temperature + min_p",
         {min_p, {"range", 0.05, 1, false}, {"exponent", 0.2, 3, true}},
         [](Knobs k) { return dynamic_temperature_rule(k[0], k[1], k[2]); }},
        {"quadratic",
         "quadratic smoothing",
         {{"factor", 0.02, 3, true}, {"curve", 1, 3, false}},
         [](Knobs k) { return quadratic_rule(k[0], k[1]); }},
        {"mirostat",
         "mirostat v2",
         {{"tau", 1, 10, true}, {"eta", 0.01, 0.5, true}},
         [](Knobs k) { return mirostat_rule(k[0], k[1]); }},
        {"adaptive_p",
         "adaptive-p + min_p",
         {min_p, {"target", 0.05, 0.95, false}, {"decay", 0.5, 0.99, false}},
         [](Knobs k) { return adaptive_p_rule(k[0], k[1], k[2]); }},
    };
}

std::vector<Family> all_families() {
    std::vector<Family> all = rivals();
    for (const ToeShape shape : {ToeShape::fade, ToeShape::log})
        for (const Pivot pivot : {Pivot::entropy, Pivot::top, Pivot::median}) all.push_back(hlg_family(shape, pivot));
    return all;
}

}  // namespace

std::vector<double> Family::at(std::span<const double> unit) const {
    std::vector<double> values;
    values.reserve(knobs.size());
    for (std::size_t i = 0; i < knobs.size(); ++i) {
        const Knob& knob = knobs[i];
        const double share = std::clamp(unit[i], 0.0, 1.0);
        values.push_back(knob.logarithmic ? knob.low * std::pow(knob.high / knob.low, share)
                                          : knob.low + (knob.high - knob.low) * share);
    }
    return values;
}

std::string Family::text(std::span<const double> values) const {
    std::string all;
    for (std::size_t i = 0; i < knobs.size(); ++i)
        all += fmt::format("{}{} {:.3g}", i == 0 ? "" : ", ", knobs[i].name, values[i]);
    return all;
}

const std::vector<Family>& families() {
    static const std::vector<Family> all = all_families();
    return all;
}

const Family* find_family(std::string_view id) {
    const auto found = std::find_if(families().begin(), families().end(), [&](const Family& one) { return one.id == id; });
    return found == families().end() ? nullptr : &*found;
}

CurveParams curve_of(ToeShape shape, Pivot pivot, std::span<const double> knobs) {
    return {pivot, knobs[0], knobs[1], knobs[2], knobs[3], shape};
}

Family hlg_family(ToeShape shape, Pivot pivot) {
    // The top pivot starts at the favourite itself, so that all of its offsets go down; the others lie near where the mass is.
    const Knob offset = pivot == Pivot::top ? Knob{"offset", 0.5, 12, true} : Knob{"offset", -1, 6, false};
    return {fmt::format("hlg-{}-{}", to_string(shape), to_string(pivot)),
            fmt::format("HLG, {} toe, {} pivot", to_string(shape), to_string(pivot)),
            {offset, {"width", 0, 5, false}, {"shoulder", 0.1, 20, true}, {"toe", 0.2, 30, true}},
            [=](Knobs k) { return hlg_rule(curve_of(shape, pivot, k)); }};
}

}  // namespace hlg::eval
