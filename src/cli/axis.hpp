// SPDX-License-Identifier: MIT
//
// One axis of a plot: where values fall, which ones get a tick, how numbers are written.
#pragma once

#include <string>
#include <vector>

namespace hlg::cli {

/** A range of values laid over a range of places. */
struct Axis {
    double from = 0.0;
    double to = 1.0;
    double first = 0.0;  ///< the place of `from`
    double last = 1.0;   ///< the place of `to`

    [[nodiscard]] double place(double value) const noexcept { return first + (value - from) / (to - from) * (last - first); }
    [[nodiscard]] double value(double place) const noexcept { return from + (place - first) / (last - first) * (to - from); }
    [[nodiscard]] bool holds(double value) const noexcept { return value >= from && value <= to; }
};

/** Round values from `from` to `to`, at most `most` of them, 1, 2 or 5 times a power of ten apart. */
std::vector<double> ticks(double from, double to, int most);

/** Up to four significant digits, no trailing zeros: "1.6", "-10.84", "2e+04". */
std::string tidy(double value);

}  // namespace hlg::cli
