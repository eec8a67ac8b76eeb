// SPDX-License-Identifier: MIT
#include "eval/match.hpp"

#include <algorithm>
#include <cmath>

#include <boost/math/tools/toms748_solve.hpp>

namespace hlg::eval {
namespace {

constexpr double coldest = 1e-3;
constexpr double hottest = 1e5;
constexpr double close_enough = 1e-7;  // nats

}  // namespace

std::optional<double> solve_temperature(const std::function<double(double)>& entropy, double target) {
    // In ln T, from 1 outwards: the answer is near, and each step costs a pass over all contexts.
    const auto miss = [&](double log_t) { return entropy(std::exp(log_t)) - target; };
    double from = 0.0;
    double at_from = miss(from);
    if (std::abs(at_from) <= close_enough) return 1.0;
    const double direction = at_from < 0 ? 1.0 : -1.0;
    const double limit = std::log(at_from < 0 ? hottest : coldest);
    for (double step = 0.25;; step *= 2.0) {
        const double to = direction > 0 ? std::min(from + step, limit) : std::max(from - step, limit);
        const double at_to = miss(to);
        if (at_to == 0.0) return std::exp(to);
        if ((at_to > 0) != (at_from > 0)) {
            std::uintmax_t rounds = 60;
            const auto near = [](double a, double b) { return std::abs(a - b) < 1e-9; };
            const bool rising = from < to;
            const auto [low, high] = boost::math::tools::toms748_solve(
                miss, rising ? from : to, rising ? to : from, rising ? at_from : at_to, rising ? at_to : at_from, near, rounds);
            return std::exp((low + high) / 2.0);
        }
        if (to == limit) return std::nullopt;
        from = to;
        at_from = at_to;
    }
}

std::optional<double> match_entropy(const Applied& applied, std::span<const double> weights, double target) {
    return solve_temperature([&](double temperature) { return weighted_mean(applied.entropies(temperature), weights); }, target);
}

std::optional<Heated> temperature_with_entropy(const Context& context, double target) {
    double surprisal = 0.0;
    const auto entropy = [&](double temperature) {
        double sum = 0.0;
        double moment = 0.0;
        for (std::size_t g = 0; g < context.groups(); ++g) {
            const double weight = context.count[g] * std::exp(context.logit[g] / temperature);
            sum += weight;
            moment += weight * context.logit[g];
        }
        surprisal = -moment / sum - context.log_p.front();
        return std::log(sum) - moment / sum / temperature;
    };
    const std::optional<double> temperature = solve_temperature(entropy, target);
    if (!temperature) return std::nullopt;
    entropy(*temperature);
    return Heated{*temperature, surprisal};
}

double own_price(const Context& context, const Row& row) {
    const std::optional<Heated> plain = temperature_with_entropy(context, at(row, Measure::entropy));
    return plain ? at(row, Measure::surprisal) - plain->surprisal : std::nan("");
}

}  // namespace hlg::eval
