// SPDX-License-Identifier: MIT
#include "eval/search.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "eval/random.hpp"

namespace hlg::eval {
namespace {

/** How far around the best the second half looks, in the cube: from the first step to the last. */
constexpr double widest = 0.2;
constexpr double narrowest = 0.01;

std::vector<double> near(const std::vector<double>& unit, double radius, Random& random) {
    std::vector<double> moved = unit;
    for (double& place : moved) place = std::clamp(place + radius * random.normal(), 0.0, 1.0);
    return moved;
}

/** Which is least far from being allowed, where none is: what it breaks, added up in shares of the limits. */
double excess(const Trial& trial, const Limits& limits) {
    const auto over = [](double value, double limit, double scale) { return value > limit ? (value - limit) / scale : 0.0; };
    const Outcome& outcome = trial.outcome;
    double sum = over(outcome.price, limits.price, limits.price);
    if (!limits.constrained) return sum;
    sum += over(outcome.tail, most_tail, 1.0) + over(-outcome.mid, most_mid_loss, most_mid_loss);
    return sum + over(outcome.slip, outcome.slip_before, std::max(outcome.slip_before, 1e-4));
}

const Trial* most_promising(std::span<const Trial> trials, const Limits& limits) {
    if (const Trial* best = best_of(trials, limits)) return best;
    const Trial* least = nullptr;
    for (const Trial& trial : trials)
        if (trial.temperature && (least == nullptr || excess(trial, limits) < excess(*least, limits))) least = &trial;
    return least;
}

}  // namespace

Trial try_setting(const Family& family, const Baseline& baseline, std::vector<double> unit) {
    Trial trial{std::move(unit), {}, {}, {}};
    trial.knobs = family.at(trial.unit);
    const Applied applied(*baseline.corpus, family.make(trial.knobs));
    trial.temperature = match_entropy(applied, baseline.weights, baseline.entropy);
    if (trial.temperature) trial.outcome = outcome_of(baseline, applied.rows(*trial.temperature));
    return trial;
}

const Trial* best_of(std::span<const Trial> trials, const Limits& limits) {
    const Trial* best = nullptr;
    for (const Trial& trial : trials) {
        if (!trial.temperature || !keeps(trial.outcome, limits)) continue;
        if (best == nullptr || trial.outcome.collision < best->outcome.collision) best = &trial;
    }
    return best;
}

std::vector<double> halton(std::size_t i, std::size_t dimensions) {
    constexpr std::array<std::size_t, 6> bases{2, 3, 5, 7, 11, 13};
    std::vector<double> point;
    point.reserve(dimensions);
    for (std::size_t d = 0; d < dimensions; ++d) {
        double place = 0.0;
        double digit = 1.0;
        for (std::size_t rest = i; rest > 0; rest /= bases[d]) {
            digit /= static_cast<double>(bases[d]);
            place += digit * static_cast<double>(rest % bases[d]);
        }
        point.push_back(place);
    }
    return point;
}

std::vector<Trial> search(const Family& family, const Try& attempt, std::span<const Limits> goals, std::size_t evaluations,
                          std::uint64_t seed) {
    std::vector<Trial> trials;
    const std::size_t dimensions = family.knobs.size();
    if (dimensions == 0) evaluations = 1;
    trials.reserve(evaluations);
    const std::size_t even = goals.empty() ? evaluations : (evaluations + 1) / 2;
    for (std::size_t i = 0; i < even; ++i) trials.push_back(attempt(halton(i + 1, dimensions)));
    Random random(seed);
    for (std::size_t i = even; i < evaluations; ++i) {
        const double done = static_cast<double>(i - even) / static_cast<double>(evaluations - even);
        const Trial* around = most_promising(trials, goals[i % goals.size()]);
        const double radius = widest * std::pow(narrowest / widest, done);
        trials.push_back(attempt(around == nullptr ? halton(i + 1, dimensions) : near(around->unit, radius, random)));
    }
    return trials;
}

}  // namespace hlg::eval
