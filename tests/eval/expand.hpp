// What the tests of distributions share: logits, random and of given probabilities, and a distribution written out token by
// token.
#pragma once

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <vector>

#include "eval/random.hpp"
#include "eval/sampler.hpp"

namespace hlg::eval {

/** [vocab]; sums to 1. Cells hand out their tokens in the order of the ranking. */
inline std::vector<double> expand(std::span<const float> logits, const Context& context, const Candidates& left,
                                  const Distribution& distribution) {
    std::vector<std::size_t> ranking(logits.size());
    std::iota(ranking.begin(), ranking.end(), std::size_t{0});
    std::stable_sort(ranking.begin(), ranking.end(), [&](std::size_t a, std::size_t b) { return logits[a] > logits[b]; });
    std::vector<std::size_t> next(context.groups());
    std::size_t first = 0;
    for (std::size_t g = 0; g < context.groups(); ++g) {
        next[g] = first;
        first += static_cast<std::size_t>(context.count[g]);
    }
    std::vector<double> q(logits.size());
    for (std::size_t i = 0; i < left.cells(); ++i)
        for (auto tokens = static_cast<std::size_t>(left.count[i]); tokens > 0; --tokens)
            q[ranking[next[left.group[i]]++]] = distribution.q[i];
    return q;
}

/** The sampler's first distribution of a text. */
inline std::vector<double> drawn_from(const Sampler& sampler, std::span<const float> logits, double temperature) {
    const Context context = make_context(logits);
    const Candidates left = sampler.candidates(context);
    Distribution distribution;
    heat(left, temperature, distribution);
    SamplerState state = sampler.start();
    sampler.finish(context, left, state, distribution);
    return expand(logits, context, left, distribution);
}

/** Those of which p is the softmax. */
inline std::vector<float> logits_of(const std::vector<double>& p) {
    std::vector<float> logits;
    logits.reserve(p.size());
    for (const double one : p) logits.push_back(static_cast<float>(std::log(one)));
    return logits;
}

/** Normal logits of this deviation under `heads` tokens that stand out; no two are equal. */
inline std::vector<float> random_logits(std::size_t vocab, double deviation, std::size_t heads, std::uint64_t seed) {
    Random random(seed);
    std::vector<float> logits(vocab);
    for (float& logit : logits) logit = static_cast<float>(deviation * random.normal());
    for (std::size_t i = 0; i < heads; ++i)
        logits[random.below(vocab)] = static_cast<float>(4.0 * deviation + 3.0 * random.uniform() - 0.7 * static_cast<double>(i));
    return logits;
}

}  // namespace hlg::eval
