// SPDX-License-Identifier: MIT
#include "cli/axis.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

namespace hlg::cli {

std::vector<double> ticks(double from, double to, int most) {
    double step = std::pow(10.0, std::floor(std::log10((to - from) / most)));
    const auto count = [&](double width) { return std::floor(to / width) - std::ceil(from / width) + 1; };
    const double unit = step;
    for (const double factor : {1.0, 2.0, 5.0, 10.0, 20.0}) {
        step = unit * factor;
        if (count(step) <= most) break;
    }
    std::vector<double> values;
    for (double i = std::ceil(from / step); i * step <= to; ++i) values.push_back(i * step);
    return values;
}

std::string tidy(double value) { return fmt::format("{:.4g}", value + 0.0); }  // + 0.0: no "-0"

}  // namespace hlg::cli
