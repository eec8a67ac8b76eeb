#include "sample/distribution.hpp"

#include <algorithm>
#include <cmath>

namespace hlg::sample {
namespace {

// Calls set(token, value) for each token that can be drawn by its weight.
template <class Set>
void for_values(const Core& core, std::size_t vocab, const Set& set) {
    if (core.way() == Core::Way::list) {
        for (const Candidate& candidate : core.survivors()) set(candidate.token, candidate.value);
        return;
    }
    for (std::size_t i = 0; i < vocab; ++i)
        if (const float value = core.drawn_value(i); value > kMinusInfinity) set(i, value);
}

// -p ln p, which tends to 0 with p.
double entropy_term(double p) { return p > 0 ? -p * std::log(p) : 0.0; }

// Plain temperature with the same edits and mask, without truncation: ln of its normaliser relative to its best value.
struct Temperature {
    const Core& core;
    std::span<const float> raw;
    Shaper shaper;
    double log_sum = 0;

    Temperature(const Core& of, std::span<const float> logits) : core(of), raw(logits), shaper(of.shaper()) {
        static const Curve identity;
        shaper.curve = &identity;
        shaper.reference = kMinusInfinity;
        for (std::size_t i = 0; i < raw.size(); ++i) shaper.reference = std::max(shaper.reference, value(i));
        double sum = 0;
        for (std::size_t i = 0; i < raw.size(); ++i) sum += shaper.weight(value(i));
        log_sum = std::log(sum);
    }

    [[nodiscard]] float value(std::size_t token) const {
        if (!(core.value(token) > kMinusInfinity)) return kMinusInfinity;  // masked or banned
        const EditedToken* edited = core.edits().find(token);
        return shaper.value(raw[token]) + (edited != nullptr ? edited->delta : 0.0F);
    }

    [[nodiscard]] double log_probability(std::size_t token) const {
        return static_cast<double>(shaper.gain) * (static_cast<double>(value(token)) - static_cast<double>(shaper.reference)) -
               log_sum;
    }
};

}  // namespace

void probabilities(const Core& core, std::span<double> out) {
    std::fill(out.begin(), out.end(), 0.0);
    if (core.way() == Core::Way::greedy) {
        out[static_cast<std::size_t>(core.greedy_token())] = 1;
        return;
    }
    double sum = 0;
    for_values(core, out.size(), [&](std::size_t token, float value) { sum += out[token] = core.shaper().weight(value); });
    for (double& p : out) p /= sum;
}

void shaped_logits(const Core& core, std::span<const float> raw, std::span<float> out) {
    const float gain = core.shaper().gain;
    if (core.way() == Core::Way::greedy || core.way() == Core::Way::list) {
        const auto best = static_cast<std::size_t>(core.greedy_token());
        const float kept = core.way() == Core::Way::greedy ? core.value(best) : 0.0F;
        std::fill(out.begin(), out.end(), kMinusInfinity);
        if (core.way() == Core::Way::greedy)
            out[best] = kept;
        else
            for (const Candidate& candidate : core.survivors()) out[candidate.token] = gain * candidate.value;
        return;
    }
    for (std::size_t i = 0; i < raw.size(); ++i) out[i] = gain * core.drawn_value(i);
}

Statistics statistics(const Core& core, std::span<const float> raw, double log_prob) {
    std::vector<double> q(raw.size());
    probabilities(core, q);
    Statistics result;
    const auto top = static_cast<double>(core.shaper().top);
    double model_sum = 0;
    for (const float x : raw) model_sum += std::exp(static_cast<double>(x) - top);
    const double log_model_sum = std::log(model_sum);
    const bool greedy = core.way() == Core::Way::greedy;
    const Temperature temperature(core, raw);
    for (std::size_t i = 0; i < raw.size(); ++i) {
        const double log_p = static_cast<double>(raw[i]) - top - log_model_sum;
        result.model_entropy += entropy_term(std::exp(log_p));
        result.entropy += entropy_term(q[i]);
        result.top1 = std::max(result.top1, q[i]);
        result.collision += q[i] * q[i];
        if (log_p < log_prob) result.mass_below += q[i];
        if (q[i] > 0 && !greedy) result.kl += q[i] * (std::log(q[i]) - temperature.log_probability(i));
    }
    result.pivot = core.pivot();
    return result;
}

}  // namespace hlg::sample
