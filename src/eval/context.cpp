// SPDX-License-Identifier: MIT
#include "eval/context.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <string>

namespace hlg::eval {
namespace {

constexpr double mask_depth = 1e4;  // nats, as the sampler has it

float checked_top(std::span<const float> logits) {
    float top = -HUGE_VALF;
    for (std::size_t i = 0; i < logits.size(); ++i) {
        if (std::isnan(logits[i]) || logits[i] == HUGE_VALF)
            throw std::invalid_argument("the logit of token " + std::to_string(i) + " is " +
                                        (std::isnan(logits[i]) ? "NaN" : "+inf"));
        top = std::max(top, logits[i]);
    }
    if (top == -HUGE_VALF) throw std::invalid_argument("no token is left: all are masked");
    return top;
}

/** Ids of the tokens that are not masked, the largest logit first, lower ids first among equals. */
std::vector<std::uint32_t> ranked(std::span<const float> logits, float top) {
    std::vector<std::uint32_t> ids;
    ids.reserve(logits.size());
    for (std::size_t i = 0; i < logits.size(); ++i)
        if (static_cast<double>(top) - static_cast<double>(logits[i]) <= mask_depth) ids.push_back(static_cast<std::uint32_t>(i));
    std::sort(ids.begin(), ids.end(),
              [&](std::uint32_t a, std::uint32_t b) { return logits[a] != logits[b] ? logits[a] > logits[b] : a < b; });
    return ids;
}

void add_kinds(Context& context, std::span<const std::uint8_t> kinds, std::uint32_t id) {
    if (kinds.empty()) return;
    for (std::size_t kind = 0; kind < token_kinds; ++kind) {
        context.kinds[kind].resize(context.groups());
        context.kinds[kind].back() += (kinds[id] >> kind & 1U) != 0 ? 1.0F : 0.0F;
    }
}

void set_probabilities(Context& context) {
    const std::size_t n = context.groups();
    double sum = 0.0;
    for (std::size_t g = 0; g < n; ++g) sum += context.count[g] * std::exp(context.logit[g]);
    const double log_sum = std::log(sum);
    context.log_p.resize(n);
    context.p.resize(n);
    for (std::size_t g = 0; g < n; ++g) {
        context.log_p[g] = context.logit[g] - log_sum;
        context.p[g] = std::exp(context.log_p[g]);
        context.entropy -= context.count[g] * context.p[g] * context.log_p[g];
    }
    for (std::vector<float>& kind : context.kinds)
        for (std::size_t g = 0; g < kind.size(); ++g) kind[g] /= static_cast<float>(context.count[g]);
}

/** The first group at which the mass from the top reaches `share`. */
std::size_t reaches(const Context& context, double share) {
    double mass = 0.0;
    for (std::size_t g = 0; g < context.groups(); ++g) {
        mass += context.count[g] * context.p[g];
        if (mass >= share) return g;
    }
    return context.groups() - 1;
}

}  // namespace

std::string_view to_string(Class one) noexcept {
    switch (one) {
        case Class::confident: return "confident";
        case Class::mid: return "mid";
        case Class::open: break;
    }
    return "open";
}

Class Context::kind() const noexcept {
    if (entropy < confident_below) return Class::confident;
    return entropy > open_above ? Class::open : Class::mid;
}

double Context::anchor(Pivot pivot) const noexcept {
    if (pivot == Pivot::top) return 0.0;
    return pivot == Pivot::median ? median_logit
                                  : -entropy - log_p.front();  // sum(p x) = -H + ln Z, and log_p of the top is -ln Z
}

Context make_context(std::span<const float> logits, std::span<const std::uint8_t> kinds, std::optional<std::size_t> next) {
    if (next && *next >= logits.size()) throw std::invalid_argument("the next token is not in the vocabulary");
    const float top = checked_top(logits);
    Context context;
    for (const std::uint32_t id : ranked(logits, top)) {
        const double value = static_cast<double>(logits[id]) - static_cast<double>(top);
        if (context.logit.empty() || context.logit.back() != value) {
            context.logit.push_back(value);
            context.count.push_back(0.0);
        }
        if (next == id) context.next = NextToken{context.groups() - 1, context.count.back()};
        context.count.back() += 1.0;
        add_kinds(context, kinds, id);
    }
    context.vocabulary = logits.size();
    set_probabilities(context);
    context.median_logit = context.logit[reaches(context, 0.5)];
    const std::size_t nucleus = reaches(context, nucleus_share) + 1;
    for (std::size_t i = 0; i < tail_thresholds.size(); ++i) {
        const auto below =
            std::partition_point(context.p.begin(), context.p.end(), [&](double p) { return p >= tail_thresholds[i]; });
        context.tail_from[i] = std::max(nucleus, static_cast<std::size_t>(below - context.p.begin()));
    }
    return context;
}

}  // namespace hlg::eval
