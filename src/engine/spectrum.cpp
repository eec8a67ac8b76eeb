// SPDX-License-Identifier: MIT
#include "engine/spectrum.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

namespace hlg::engine {
namespace {

// Scores are gathered in intervals of this width near the top and wider ones further down, in proportion to 1 + distance. Within
// one, the mean of exp(-d / T) differs from exp(-mean d / T) by (width / T)^2 / 24 of it.
constexpr double width = 0.004;

constexpr double lowest = 0.01;
constexpr double highest = 100.0;
constexpr int most_steps = 60;
constexpr double close_enough = 1e-9;  // nats

double mean_entropy(std::span<const Spectrum> spectra, double temperature) {
    const double sum = std::accumulate(spectra.begin(), spectra.end(), 0.0, [&](double before, const Spectrum& spectrum) {
        return before + spectrum.entropy(temperature);
    });
    return sum / static_cast<double>(spectra.size());
}

}  // namespace

Spectrum::Spectrum(std::span<const float> scores) {
    const auto top = static_cast<double>(*std::max_element(scores.begin(), scores.end()));
    std::map<int, Line> gathered;
    for (const float score : scores) {
        const double distance = top - static_cast<double>(score);
        if (!std::isfinite(distance)) continue;
        Line& line = gathered.try_emplace(static_cast<int>(std::log1p(distance) / width), Line{0.0, 0.0}).first->second;
        line.distance += distance;
        ++line.count;
    }
    for (const auto& [_, line] : gathered) lines_.push_back({line.distance / line.count, line.count});
}

double Spectrum::entropy(double temperature) const {
    double weight = 0;
    double moment = 0;
    for (const Line& line : lines_) {
        const double cold = line.distance / temperature;
        const double some = line.count * std::exp(-cold);
        weight += some;
        moment += some * cold;
    }
    return std::log(weight) + moment / weight;
}

// The Illinois variant of false position, in ln T, in which entropies are nearly straight.
TemperatureMatch match_entropy(std::span<const Spectrum> spectra, double target) {
    double low = std::log(lowest);
    double high = std::log(highest);
    double below = mean_entropy(spectra, lowest) - target;
    double above = mean_entropy(spectra, highest) - target;
    if (below >= 0) return {lowest, below + target};
    if (above <= 0) return {highest, above + target};
    TemperatureMatch match;
    int side = 0;
    for (int step = 0; step < most_steps; ++step) {
        const double middle = (low * above - high * below) / (above - below);
        match.temperature = std::exp(middle);
        match.entropy = mean_entropy(spectra, match.temperature);
        const double error = match.entropy - target;
        if (std::abs(error) < close_enough) break;
        if (error < 0) {
            low = middle;
            below = error;
            if (side < 0) above /= 2;
            side = -1;
        } else {
            high = middle;
            above = error;
            if (side > 0) below /= 2;
            side = 1;
        }
    }
    return match;
}

}  // namespace hlg::engine
