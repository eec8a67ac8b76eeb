#include "support/reference.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace hlg::test {
namespace {

bool greedy(const SamplerParams& params) { return params.temperature < 1e-5; }

bool curved(const SamplerParams& params) { return params.hlg && !rolloff_off(*params.hlg) && !greedy(params); }

bool allowed(const Step& step, std::size_t token) {
    return step.allowed.empty() || (step.allowed[token / 32] >> (token % 32) & 1U) != 0;
}

// Curve, edits, masks: the value of every token, -inf where it cannot be drawn.
std::vector<float> values(const SamplerParams& params, const Step& step, double pivot) {
    const double top = static_cast<double>(*std::max_element(step.logits.begin(), step.logits.end()));
    std::vector<float> value(step.logits.begin(), step.logits.end());
    if (curved(params))
        for (float& x : value)
            if (const double rho = reference_rho(*params.hlg, static_cast<double>(x) - pivot); rho != 0)
                x = static_cast<float>(static_cast<double>(x) + rho);
    // The deltas of one token add up before they act.
    std::vector<double> delta(value.size(), 0);
    std::vector<bool> edited(value.size(), false);
    for (const Edit& edit : step.edits) {
        const auto token = static_cast<std::size_t>(edit.token);
        delta[token] += static_cast<double>(edit.delta);
        edited[token] = true;
    }
    for (std::size_t i = 0; i < value.size(); ++i) {
        if (edited[i]) value[i] += static_cast<float>(delta[i]);
        const bool masked = top - static_cast<double>(step.logits[i]) > 1e4;
        if (masked || !allowed(step, i)) value[i] = kMinusInfinity;
    }
    return value;
}

// The ids of the tokens that can be drawn, best first, lower ids first among equals.
std::vector<std::size_t> ranked(const std::vector<float>& value) {
    std::vector<std::size_t> ids;
    for (std::size_t i = 0; i < value.size(); ++i)
        if (value[i] > kMinusInfinity) ids.push_back(i);
    std::stable_sort(ids.begin(), ids.end(), [&](std::size_t a, std::size_t b) { return value[a] > value[b]; });
    return ids;
}

// exp(m (value - best)) of the listed tokens, normalised.
std::vector<double> normalised(const std::vector<float>& value, const std::vector<std::size_t>& ids, double gain) {
    const auto best = static_cast<double>(value[ids.front()]);
    std::vector<double> p(ids.size());
    double sum = 0;
    for (std::size_t i = 0; i < ids.size(); ++i) sum += p[i] = std::exp(gain * (static_cast<double>(value[ids[i]]) - best));
    for (double& q : p) q /= sum;
    return p;
}

void keep(std::vector<std::size_t>& ids, std::size_t count) {
    if (count < ids.size()) ids.erase(ids.begin() + static_cast<std::ptrdiff_t>(count), ids.end());
}

// top_p, top_k, min_p, one after the other.
void truncate(const SamplerParams& params, const std::vector<float>& value, std::vector<std::size_t>& ids) {
    if (params.top_p < 1) {
        const std::vector<double> p = normalised(value, ids, 1);
        double mass = 0;
        std::size_t kept = 0;
        while (kept < ids.size() && (kept == 0 || mass < params.top_p)) mass += p[kept++];
        keep(ids, kept);
    }
    if (params.top_k > 0) keep(ids, static_cast<std::size_t>(params.top_k));
    if (params.min_p > 0) {
        const std::vector<double> p = normalised(value, ids, 1);
        std::size_t kept = 1;
        while (kept < ids.size() && p[kept] >= params.min_p * p[0]) ++kept;
        keep(ids, kept);
    }
}

double entropy(const std::vector<double>& p) {
    return std::accumulate(p.begin(), p.end(), 0.0, [](double sum, double q) { return q > 0 ? sum - q * std::log(q) : sum; });
}

}  // namespace

Reference reference_at(const SamplerParams& params, const Step& step, double pivot) {
    Reference out;
    out.gain = greedy(params) ? 1.0F : static_cast<float>(1.0 / params.temperature);
    out.pivot = curved(params) ? pivot : std::numeric_limits<double>::quiet_NaN();
    const std::vector<float> value = values(params, step, pivot);
    std::vector<std::size_t> ids = ranked(value);
    out.value.assign(value.size(), kMinusInfinity);
    out.shaped = out.value;
    out.probabilities.assign(value.size(), 0);
    if (ids.empty()) {
        out.status = Status::no_token;
        return out;
    }
    if (greedy(params))
        keep(ids, 1);
    else if (!params.hlg)
        truncate(params, value, ids);
    const std::vector<double> p = normalised(value, ids, static_cast<double>(out.gain));
    for (std::size_t i = 0; i < ids.size(); ++i) {
        out.value[ids[i]] = value[ids[i]];
        out.shaped[ids[i]] = out.gain * value[ids[i]];
        out.probabilities[ids[i]] = p[i];
    }
    return out;
}

Reference reference(const SamplerParams& params, const Step& step) {
    return reference_at(params, step, curved(params) ? reference_pivot(*params.hlg, step.logits) : 0);
}

Statistics reference_statistics(const SamplerParams& params, const Step& step, double log_prob) {
    const Reference q = reference(params, step);
    const std::vector<double> p = softmax(step.logits);
    SamplerParams plain;
    plain.temperature = params.temperature;
    const std::vector<double> t = reference(plain, step).probabilities;
    Statistics out;
    out.entropy = entropy(q.probabilities);
    out.model_entropy = entropy(p);
    out.pivot = q.pivot;
    for (std::size_t i = 0; i < p.size(); ++i) {
        const double mass = q.probabilities[i];
        out.top1 = std::max(out.top1, mass);
        out.collision += mass * mass;
        if (std::log(p[i]) < log_prob) out.mass_below += mass;
        // Below 1e-300 plain temperature's probability is lost to float64; such tokens are left to tests of their own.
        if (mass > 0 && t[i] > 1e-300) out.kl += mass * std::log(mass / t[i]);
    }
    return out;
}

}  // namespace hlg::test
