// SPDX-License-Identifier: MIT
#include "eval/random.hpp"

#include <cmath>
#include <numbers>

namespace hlg::eval {

double Random::normal() {
    const double radius = std::sqrt(-2.0 * std::log(1.0 - uniform()));  // 1 - u is never 0
    return radius * std::cos(2.0 * std::numbers::pi * uniform());
}

}  // namespace hlg::eval
