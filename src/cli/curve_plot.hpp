// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>

#include "cli/curve_view.hpp"

namespace hlg::cli {

/** What the terminal can show. */
struct PlotStyle {
    bool unicode = false;
    bool colour = false;
    int columns = 79;               ///< of the picture: one less than 80, as some terminals wrap a full line
    int words = 80;                 ///< columns of the text around it
    std::optional<int> lines = {};  ///< for everything; unset = twenty for the picture itself
};

/** The curve as lines of text, with a legend in words. A terminal of few lines gets a flat picture, but a picture. */
std::string terminal_plot(const CurveView& view, PlotStyle style);

}  // namespace hlg::cli
