// SPDX-License-Identifier: MIT
//
// Bringing a sampler's texts to a given own-text surprisal by its temperature, from evaluations that are few and noisy.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

namespace hlg::eval {

/** What texts at a temperature were like, means over prompts. */
struct TextTrial {
    double temperature = 1.0;
    double surprisal = 0.0;  ///< nats a token, of the texts under the plain model
    double dissimilarity = 0.0;
    double non_words = 0.0;
};

/** The trial nearest to a surprisal. `trials` must not be empty. */
const TextTrial& nearest(std::span<const TextTrial> trials, double surprisal);

/** d surprisal / d ln T between the two trials nearest to the surprisal, kept within 0.5 to 8; 2 where there are no two. */
double surprisal_slope(std::span<const TextTrial> trials, double surprisal);

/** d dissimilarity / d surprisal there, kept within 0 to 0.2 a nat; 0 where there are no two. */
double dissimilarity_slope(std::span<const TextTrial> trials, double surprisal);

/** Where to look next: a secant step from the nearest trial, in ln T, within 0.05 to 100 and to four digits behind the point. */
double next_temperature(std::span<const TextTrial> trials, double surprisal);

/** The nearest trial's dissimilarity, moved along the slope by what is left to the surprisal. */
double dissimilarity_at(std::span<const TextTrial> trials, double surprisal);

/** So many trials: the first at temperature 1. */
std::vector<TextTrial> search_temperature(const std::function<TextTrial(double)>& evaluate, double surprisal, std::size_t trials);

}  // namespace hlg::eval
