// SPDX-License-Identifier: MIT
#include "eval/measures.hpp"

#include <cmath>
#include <limits>

namespace hlg::eval {
namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

constexpr std::array<MeasureText, measures> texts{{
    {"entropy", "entropy", "nats"},
    {"surprisal", "surprisal", "nats"},
    {"kl", "KL to temperature", "nats"},
    {"top1", "top-1 mass", ""},
    {"collision", "collision", ""},
    {"tail4", "deep tail, p < 1e-4", ""},
    {"tail5", "deep tail, p < 1e-5", ""},
    {"tail6", "deep tail, p < 1e-6", ""},
    {"control", "control tokens", ""},
    {"byte", "torn characters", ""},
    {"foreign", "other scripts", ""},
    {"next", "surprisal of the text", "nats"},
    {"impossible", "text made impossible", ""},
    {"next_tail", "text in the deep tail", ""},
}};

/** What q gives to the token that came next: the cells of its group hold its lower ids first. */
double next_probability(const Context& context, const Candidates& left, const Distribution& distribution) {
    double before = 0.0;
    for (std::size_t i = 0; i < left.cells(); ++i) {
        if (left.group[i] != context.next->group) continue;
        before += left.count[i];
        if (context.next->rank < before) return distribution.q[i];
    }
    return 0.0;
}

void add_next(const Context& context, const Candidates& left, const Distribution& distribution, Row& row) {
    at(row, Measure::next) = at(row, Measure::impossible) = at(row, Measure::next_tail) = unknown;
    if (!context.next) return;
    const double q = next_probability(context, left, distribution);
    if (q > 0) at(row, Measure::next) = -std::log(q);
    at(row, Measure::impossible) = q > 0 ? 0.0 : 1.0;
    at(row, Measure::next_tail) = context.next->group >= context.tail_from[0] ? 1.0 : 0.0;
}

void add_kinds(const Context& context, const Candidates& left, const Distribution& distribution, Row& row) {
    for (std::size_t kind = 0; kind < token_kinds; ++kind) {
        double& mass = row[static_cast<std::size_t>(Measure::control) + kind];
        mass = context.kinds[kind].empty() ? unknown : 0.0;
        if (context.kinds[kind].empty()) continue;
        for (std::size_t i = 0; i < left.cells(); ++i)
            mass += left.count[i] * distribution.q[i] * static_cast<double>(context.kinds[kind][left.group[i]]);
    }
}

}  // namespace

const MeasureText& text_of(Measure measure) noexcept { return texts[static_cast<std::size_t>(measure)]; }

double log_sum(const Context& context, double temperature) {
    if (temperature == 1.0) return -context.log_p.front();
    double sum = 0.0;
    for (std::size_t g = 0; g < context.groups(); ++g) sum += context.count[g] * std::exp(context.logit[g] / temperature);
    return std::log(sum);
}

Row measure(const Context& context, const Candidates& left, const Distribution& distribution, double temperature) {
    Row row{};
    for (std::size_t i = 0; i < left.cells(); ++i) {
        const double q = distribution.q[i];
        if (!(q > 0)) continue;
        const std::size_t group = left.group[i];
        const double mass = left.count[i] * q;
        at(row, Measure::entropy) -= mass * distribution.log_q[i];
        at(row, Measure::surprisal) -= mass * context.log_p[group];
        at(row, Measure::collision) += mass * q;
        for (std::size_t tail = 0; tail < tail_thresholds.size(); ++tail)
            if (group >= context.tail_from[tail]) row[static_cast<std::size_t>(Measure::tail4) + tail] += mass;
    }
    for (std::size_t i = left.cells(); i-- > 0;)
        if (left.group[i] == 0) at(row, Measure::top1) = distribution.q[i];  // the last of these is the group's first cell
    const double mean_logit = -context.log_p.front() - at(row, Measure::surprisal);
    // A sum of large terms that cancel: where nothing was changed, rounding is all that is left, of either sign.
    const double kl = -at(row, Measure::entropy) - mean_logit / temperature + log_sum(context, temperature);
    at(row, Measure::kl) = kl < 1e-12 ? 0.0 : kl;
    add_kinds(context, left, distribution, row);
    add_next(context, left, distribution, row);
    return row;
}

Applied::Applied(const Corpus& corpus, SamplerPointer sampler) : corpus_(corpus), sampler_(std::move(sampler)) {
    left_.reserve(corpus.contexts.size());
    for (const Context& context : corpus.contexts) left_.push_back(sampler_->candidates(context));
}

bool Applied::starts_text(std::size_t index) const {
    if (index == 0) return true;
    const Context& here = corpus_.contexts[index];
    const Context& before = corpus_.contexts[index - 1];
    return here.source != before.source || here.text != before.text;
}

std::vector<double> Applied::entropies(double temperature) const {
    std::vector<double> found(left_.size());
    if (sampler_->finishes()) {
        for_each(temperature, [&](std::size_t i, const Candidates& left, const Distribution& distribution) {
            for (std::size_t cell = 0; cell < left.cells(); ++cell)
                if (distribution.q[cell] > 0) found[i] -= left.count[cell] * distribution.q[cell] * distribution.log_q[cell];
        });
        return found;
    }
    for (std::size_t i = 0; i < found.size(); ++i) found[i] = heated_entropy(left_[i], temperature);
    return found;
}

std::vector<Row> Applied::rows(double temperature) const {
    std::vector<Row> found(left_.size());
    for_each(temperature, [&](std::size_t i, const Candidates& left, const Distribution& distribution) {
        found[i] = measure(corpus_.contexts[i], left, distribution, temperature);
    });
    return found;
}

double weighted_mean(std::span<const double> values, std::span<const double> weights) {
    double sum = 0.0;
    double total = 0.0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (std::isnan(values[i])) continue;
        sum += weights[i] * values[i];
        total += weights[i];
    }
    return total > 0 ? sum / total : unknown;
}

std::vector<double> column(std::span<const Row> rows, Measure measure) {
    std::vector<double> values;
    values.reserve(rows.size());
    for (const Row& row : rows) values.push_back(at(row, measure));
    return values;
}

}  // namespace hlg::eval
