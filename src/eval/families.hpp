// SPDX-License-Identifier: MIT
//
// The samplers as families: a rule and the knobs that it is tuned by, with the ranges that are searched. Temperature is no knob:
// it is what brings every sampler to the same entropy.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "eval/rules.hpp"

namespace hlg::eval {

struct Knob {
    std::string name;
    double low = 0.0;
    double high = 1.0;
    bool logarithmic = false;  ///< searched evenly in ratios
};

struct Family {
    std::string id;     ///< "top_p", "hlg-fade-entropy"
    std::string label;  ///< for people
    std::vector<Knob> knobs;
    std::function<SamplerPointer(std::span<const double> knobs)> make;

    /** Knob values for places in the unit cube, [knobs]. */
    [[nodiscard]] std::vector<double> at(std::span<const double> unit) const;

    /** "top_p 0.95". */
    [[nodiscard]] std::string text(std::span<const double> knobs) const;
};

/** Every family: temperature, the rivals, then HLG by shape and pivot. */
const std::vector<Family>& families();

/** The family of that id, or null. */
const Family* find_family(std::string_view id);

/** HLG with this toe and pivot; its knobs are pivot_offset, width, shoulder, toe. */
Family hlg_family(ToeShape shape, Pivot pivot);

/** The curve that an HLG family makes of knobs. */
CurveParams curve_of(ToeShape shape, Pivot pivot, std::span<const double> knobs);

}  // namespace hlg::eval
