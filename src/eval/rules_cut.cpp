// SPDX-License-Identifier: MIT
//
// Rules that leave a part of the tokens and all scores as they are.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "eval/rules.hpp"

namespace hlg::eval {
namespace {

/** A rule made of a function from a context to its candidates. */
template <class Make>
class CutRule final : public Sampler {
public:
    explicit CutRule(Make make) : make_(std::move(make)) {}
    [[nodiscard]] Candidates candidates(const Context& context) const override { return make_(context); }

private:
    Make make_;
};

template <class Make>
SamplerPointer rule(Make make) {
    return std::make_shared<CutRule<Make>>(std::move(make));
}

/** The first groups, and so many tokens of the one behind them. */
Candidates prefix(const Context& context, std::size_t groups, double more = 0.0) {
    Candidates left;
    for (std::size_t g = 0; g < groups; ++g) left.add(g, context.count[g], context.logit[g]);
    if (more > 0 && groups < context.groups()) left.add(groups, std::min(more, context.count[groups]), context.logit[groups]);
    return left;
}

/** The groups for which `holds`, which is true from the top to some place; one at least. */
template <class Holds>
Candidates while_true(const Context& context, const Holds& holds) {
    std::size_t groups = 1;
    while (groups < context.groups() && holds(groups)) ++groups;
    return prefix(context, groups);
}

/** The deviation of all logits. */
double deviation(const Context& context) {
    double tokens = 0.0;
    double sum = 0.0;
    double squares = 0.0;
    for (std::size_t g = 0; g < context.groups(); ++g) {
        tokens += context.count[g];
        sum += context.count[g] * context.logit[g];
        squares += context.count[g] * context.logit[g] * context.logit[g];
    }
    return std::sqrt(std::max(0.0, squares / tokens - sum / tokens * (sum / tokens)));
}

Candidates typical(const Context& context, double p) {
    if (p >= 1) return prefix(context, context.groups());
    std::vector<std::size_t> order(context.groups());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto shift = [&](std::size_t g) { return std::abs(-context.log_p[g] - context.entropy); };
    std::sort(order.begin(), order.end(),
              [&](std::size_t a, std::size_t b) { return shift(a) != shift(b) ? shift(a) < shift(b) : a < b; });
    Candidates left;
    double mass = 0.0;
    for (const std::size_t g : order) {
        const double enough = std::floor((p - mass) / context.p[g]) + 1.0;
        left.add(g, std::min(enough, context.count[g]), context.logit[g]);
        mass += left.count.back() * context.p[g];
        if (mass > p) break;
    }
    return left;
}

/** The entropy of tokens with mass `mass` and sum of p ln p `moment`, made to sum to 1. */
double entropy_of(double mass, double moment) { return std::log(mass) - moment / mass; }

Candidates top_h(const Context& context, double alpha) {
    const double limit = alpha * context.entropy;
    double mass = 0.0;
    double moment = 0.0;
    for (std::size_t g = 0; g < context.groups(); ++g) {
        const double p = context.p[g];
        const double term = p * context.log_p[g];
        const auto fits = [&](double tokens) { return entropy_of(mass + tokens * p, moment + tokens * term) <= limit; };
        if (!fits(context.count[g])) {  // entropy grows with each token of the ranking, so some of the group may fit
            double low = g == 0 ? 1.0 : 0.0;
            for (double high = context.count[g]; high - low > 1.0;) {
                const double middle = std::floor((low + high) / 2.0);
                (fits(middle) ? low : high) = middle;
            }
            return prefix(context, g, low);
        }
        mass += context.count[g] * p;
        moment += context.count[g] * term;
    }
    return prefix(context, context.groups());
}

/** The place, among all tokens by rank, of the last one with at least `threshold`, and from which cell on XTC would keep. */
Candidates xtc(const Context& context, double threshold, double probability) {
    Candidates all = prefix(context, context.groups());
    std::size_t groups = 0;
    double tokens = 0.0;
    while (groups < context.groups() && context.p[groups] >= threshold) tokens += context.count[groups++];
    if (tokens < 2 || threshold > 0.5) return all;
    Candidates left = prefix(context, groups - 1, context.count[groups - 1] - 1.0);  // without the least probable of them
    left.rest_share = probability;
    left.rest_from = left.cells();
    left.add(groups - 1, 1.0, context.logit[groups - 1]);
    for (std::size_t g = groups; g < context.groups(); ++g) left.add(g, context.count[g], context.logit[g]);
    return left;
}

Candidates top_k(const Context& context, double k) {
    std::size_t groups = 0;
    double tokens = 0.0;
    while (groups < context.groups() && tokens + context.count[groups] <= k) tokens += context.count[groups++];
    return prefix(context, groups, std::floor(k - tokens));
}

Candidates top_p(const Context& context, double p) {
    if (p >= 1) return prefix(context, context.groups());
    double mass = 0.0;
    for (std::size_t g = 0; g < context.groups(); ++g) {
        const double needed = std::max(1.0, std::ceil((p - mass) / context.p[g]));
        if (needed <= context.count[g]) return prefix(context, g, needed);
        mass += context.count[g] * context.p[g];
    }
    return prefix(context, context.groups());
}

}  // namespace

SamplerPointer temperature_rule() {
    return rule([](const Context& context) { return prefix(context, context.groups()); });
}

SamplerPointer top_k_rule(double k) {
    return rule([k](const Context& context) { return top_k(context, std::max(1.0, k)); });
}

SamplerPointer top_p_rule(double p) {
    return rule([p](const Context& context) { return top_p(context, p); });
}

SamplerPointer min_p_rule(double p) {
    return rule([p](const Context& context) {
        return while_true(context, [&](std::size_t g) { return context.p[g] >= p * context.p[0]; });
    });
}

SamplerPointer epsilon_rule(double p) {
    return rule([p](const Context& context) { return while_true(context, [&](std::size_t g) { return context.p[g] >= p; }); });
}

SamplerPointer top_n_sigma_rule(double n) {
    return rule([n](const Context& context) {
        const double lowest = -n * deviation(context);
        return while_true(context, [&](std::size_t g) { return context.logit[g] >= lowest; });
    });
}

SamplerPointer typical_rule(double p) {
    return rule([p](const Context& context) { return typical(context, p); });
}

SamplerPointer top_h_rule(double alpha) {
    return rule([alpha](const Context& context) { return top_h(context, alpha); });
}

SamplerPointer xtc_rule(double threshold, double probability) {
    return rule([=](const Context& context) { return xtc(context, threshold, probability); });
}

}  // namespace hlg::eval
