// SPDX-License-Identifier: MIT
#include "eval/sampler.hpp"

#include <algorithm>
#include <cmath>

namespace hlg::eval {
namespace {

double highest(const Candidates& left, std::size_t from) {
    return *std::max_element(left.score.begin() + static_cast<std::ptrdiff_t>(from), left.score.end());
}

/** q and log_q of the cells from `from` on, which alone are drawn from. */
void soften(const Candidates& left, double temperature, std::size_t from, Distribution& out) {
    const double top = highest(left, from);
    const double gain = 1.0 / (temperature * left.factor);
    double sum = 0.0;
    for (std::size_t i = from; i < left.cells(); ++i) {
        out.log_q[i] = gain * (left.score[i] - top);
        out.q[i] = std::exp(out.log_q[i]);
        sum += left.count[i] * out.q[i];
    }
    const double log_sum = std::log(sum);
    for (std::size_t i = from; i < left.cells(); ++i) {
        out.log_q[i] -= log_sum;
        out.q[i] /= sum;
    }
}

}  // namespace

void Candidates::add(std::size_t of, double tokens, double value) {
    group.push_back(static_cast<std::uint32_t>(of));
    count.push_back(tokens);
    score.push_back(value);
}

void Sampler::finish(const Context& /*context*/, const Candidates& /*left*/, SamplerState& /*state*/,
                     Distribution& /*distribution*/) const {}

void heat(const Candidates& left, double temperature, Distribution& out) {
    out.q.resize(left.cells());
    out.log_q.resize(left.cells());
    soften(left, temperature, 0, out);
    if (left.rest_share == 0.0) return;
    Distribution rest;
    rest.q.resize(left.cells());
    rest.log_q.resize(left.cells());
    soften(left, temperature, left.rest_from, rest);
    for (std::size_t i = 0; i < left.cells(); ++i) {
        out.q[i] = (1.0 - left.rest_share) * out.q[i] + left.rest_share * rest.q[i];
        out.log_q[i] = std::log(out.q[i]);
    }
}

double heated_entropy(const Candidates& left, double temperature) {
    if (left.rest_share > 0.0) {
        Distribution mixed;
        heat(left, temperature, mixed);
        double entropy = 0.0;
        for (std::size_t i = 0; i < left.cells(); ++i)
            if (mixed.q[i] > 0) entropy -= left.count[i] * mixed.q[i] * mixed.log_q[i];
        return entropy;
    }
    const double top = highest(left, 0);
    const double gain = 1.0 / (temperature * left.factor);
    double sum = 0.0;
    double moment = 0.0;
    for (std::size_t i = 0; i < left.cells(); ++i) {
        const double below = gain * (left.score[i] - top);
        const double weight = left.count[i] * std::exp(below);
        sum += weight;
        if (weight > 0) moment += weight * below;
    }
    return std::log(sum) - moment / sum;
}

void normalise(const Candidates& left, Distribution& distribution) {
    double sum = 0.0;
    for (std::size_t i = 0; i < left.cells(); ++i) sum += left.count[i] * distribution.q[i];
    for (std::size_t i = 0; i < left.cells(); ++i) {
        distribution.q[i] /= sum;
        distribution.log_q[i] = std::log(distribution.q[i]);
    }
}

}  // namespace hlg::eval
