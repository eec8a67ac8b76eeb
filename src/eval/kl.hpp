// SPDX-License-Identifier: MIT
//
// hlg eval kl: how far each knob and each preset moves a model's distributions from temperature, and what it does to them.
// Nothing is matched here: the temperature stays where it is.
#pragma once

#include <string>
#include <vector>

#include "eval/memo.hpp"
#include "eval/progress.hpp"
#include "eval/summary.hpp"

namespace hlg::eval {

struct KlOptions {
    CurveParams base = {};           ///< the knobs that stay while one of them moves
    std::string base_name = "note";  ///< what to call them
    double temperature = 1.0;
    IntervalOptions intervals = {};
};

/** One curve that is looked at. */
struct KlSetting {
    std::string group;   ///< the knob that moves, or "preset"
    std::string label;   ///< "width 0.5", "balanced"
    double value = 0.0;  ///< the knob's; NaN for a preset
    CurveParams params;
    bool plain = false;  ///< temperature alone
};

/** Temperature, every preset, the base with each pivot, and the base with each knob moved over its range. */
std::vector<KlSetting> kl_settings(const KlOptions& options);

/** What a long run depends on besides the corpus, in one line. */
std::string kl_inputs(const Corpus& corpus, const KlOptions& options);

/** Throws Stopped. */
Report kl_report(const Corpus& corpus, const KlOptions& options, Memo& memo, const Progress& progress);

}  // namespace hlg::eval
