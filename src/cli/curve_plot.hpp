// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "cli/curve_view.hpp"

namespace hlg::cli {

/** What the terminal can show. */
struct PlotStyle {
    bool unicode = false;
    bool colour = false;
};

/** The curve as lines of text, at most 80 columns wide, with a legend in words. */
std::string terminal_plot(const CurveView& view, PlotStyle style);

}  // namespace hlg::cli
