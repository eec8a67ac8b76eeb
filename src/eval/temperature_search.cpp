// SPDX-License-Identifier: MIT
#include "eval/temperature_search.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace hlg::eval {
namespace {

constexpr double usual_slope = 2.0;
constexpr double same = 1e-9;

/** The trials by their distance from the surprisal, the earlier of two as near first. */
std::vector<TextTrial> by_distance(std::span<const TextTrial> trials, double surprisal) {
    std::vector<TextTrial> sorted(trials.begin(), trials.end());
    std::stable_sort(sorted.begin(), sorted.end(), [surprisal](const TextTrial& a, const TextTrial& b) {
        return std::abs(a.surprisal - surprisal) < std::abs(b.surprisal - surprisal);
    });
    return sorted;
}

}  // namespace

const TextTrial& nearest(std::span<const TextTrial> trials, double surprisal) {
    return *std::min_element(trials.begin(), trials.end(), [surprisal](const TextTrial& a, const TextTrial& b) {
        return std::abs(a.surprisal - surprisal) < std::abs(b.surprisal - surprisal);
    });
}

double surprisal_slope(std::span<const TextTrial> trials, double surprisal) {
    const std::vector<TextTrial> sorted = by_distance(trials, surprisal);
    if (sorted.size() < 2) return usual_slope;
    const double step = std::log(sorted[1].temperature / sorted[0].temperature);
    if (std::abs(step) < same) return usual_slope;
    return std::clamp((sorted[1].surprisal - sorted[0].surprisal) / step, 0.5, 8.0);
}

double dissimilarity_slope(std::span<const TextTrial> trials, double surprisal) {
    const std::vector<TextTrial> sorted = by_distance(trials, surprisal);
    if (sorted.size() < 2) return 0.0;
    const double step = sorted[1].surprisal - sorted[0].surprisal;
    if (std::abs(step) < same) return 0.0;
    return std::clamp((sorted[1].dissimilarity - sorted[0].dissimilarity) / step, 0.0, 0.2);
}

double next_temperature(std::span<const TextTrial> trials, double surprisal) {
    constexpr double digits = 1e4;
    const TextTrial& near = nearest(trials, surprisal);
    const double step = (surprisal - near.surprisal) / surprisal_slope(trials, surprisal);
    return std::round(std::clamp(near.temperature * std::exp(step), 0.05, 100.0) * digits) / digits;
}

double dissimilarity_at(std::span<const TextTrial> trials, double surprisal) {
    const TextTrial& near = nearest(trials, surprisal);
    return near.dissimilarity + dissimilarity_slope(trials, surprisal) * (surprisal - near.surprisal);
}

std::vector<TextTrial> search_temperature(const std::function<TextTrial(double)>& evaluate, double surprisal,
                                          std::size_t trials) {
    std::vector<TextTrial> done;
    while (done.size() < trials) done.push_back(evaluate(done.empty() ? 1.0 : next_temperature(done, surprisal)));
    return done;
}

}  // namespace hlg::eval
