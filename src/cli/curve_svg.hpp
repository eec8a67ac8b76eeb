// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "cli/curve_view.hpp"

namespace hlg::cli {

/** The curve as a picture that stands alone: SVG with its own colours for light and dark, no fonts or files from elsewhere.
    `command` is what made it, kept in the picture's metadata. */
std::string svg_plot(const CurveView& view, const std::string& command);

}  // namespace hlg::cli
