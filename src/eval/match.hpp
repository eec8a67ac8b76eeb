// SPDX-License-Identifier: MIT
//
// Samplers are compared at equal mean entropy: each has a temperature that brings it there, or it has none.
//
// Facts that bound any outcome. Of all samplers with a given mean entropy, temperature has the least mean surprisal; so every
// other one pays a price. At temperature 1 that price is the mean of KL(q || p). Of all with a given entropy that keep to given
// sets of tokens, temperature on those sets has the least.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "eval/measures.hpp"

namespace hlg::eval {

/** The temperature at which a rising function reaches the target within 1e-7 nats, from 1e-3 to 1e5; nothing if it never does. */
std::optional<double> solve_temperature(const std::function<double(double)>& entropy, double target);

/** The temperature at which the sampler's weighted mean entropy is `target`; nothing = cannot reach. */
std::optional<double> match_entropy(const Applied& applied, std::span<const double> weights, double target);

/** The temperature at which one context's own entropy is `target`, and its surprisal there; nothing where it cannot be. */
struct Heated {
    double temperature = 1.0;
    double surprisal = 0.0;
};
std::optional<Heated> temperature_with_entropy(const Context& context, double target);

/** A context's own price: its surprisal beyond that of temperature at the context's same entropy, nats; >= 0. */
double own_price(const Context& context, const Row& row);

}  // namespace hlg::eval
