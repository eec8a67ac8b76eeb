// SPDX-License-Identifier: MIT
#include "eval/diversity_verdict.hpp"

#include <cmath>
#include <numeric>

namespace hlg::eval {
namespace {

constexpr double level = 0.05;

}  // namespace

std::vector<double> values_of(const DrawnBand& band, std::size_t configuration, TextMeasure measure) {
    std::vector<double> values;
    for (const TextMeasures& one : band.values[configuration]) values.push_back(one[static_cast<std::size_t>(measure)]);
    return values;
}

PairedDifference paired_by_prompt(std::span<const double> a, std::span<const double> b, const BootstrapOptions& options) {
    std::vector<double> differences;
    for (std::size_t i = 0; i < a.size(); ++i)
        if (!std::isnan(a[i]) && !std::isnan(b[i])) differences.push_back(a[i] - b[i]);
    const std::size_t n = differences.size();
    PairedDifference result{.prompts = n};
    const std::vector<double> weights(n, 1.0);
    std::vector<std::size_t> prompts(n);
    std::iota(prompts.begin(), prompts.end(), std::size_t{0});
    result.estimate = paired_difference(differences, weights, prompts);
    result.deviation = result.estimate.standard_error * std::sqrt(static_cast<double>(n));
    result.p = t_test(result.estimate);
    const Statistic mean = [&](std::span<const double> times) {
        return std::inner_product(times.begin(), times.end(), differences.begin(), 0.0) /
               std::accumulate(times.begin(), times.end(), 0.0);
    };
    result.mean = bootstrap(Resampling::independent(n), mean, options);
    return result;
}

bool Primary::more_diverse() const { return dissimilarity.estimate.value >= dissimilarity_margin && dissimilarity.p < level; }

bool Primary::as_clean() const { return no_worse < level; }

Primary primary_of(const DrawnBand& band, double rival_slope, const BootstrapOptions& options) {
    const auto difference = [&](TextMeasure measure) {
        return paired_by_prompt(values_of(band, 0, measure), values_of(band, 1, measure), options);
    };
    Primary primary{difference(TextMeasure::dissimilarity), difference(TextMeasure::non_words),
                    difference(TextMeasure::surprisal)};
    primary.corrected = primary.dissimilarity.estimate.value - rival_slope * primary.surprisal.estimate.value;
    primary.no_worse = tost(primary.non_words.estimate, -HUGE_VAL, non_word_margin);
    primary.equivalent = tost(primary.non_words.estimate, -non_word_margin, non_word_margin);
    return primary;
}

Verdict verdict_of(const Primary& held_out, const Primary& replication) {
    if (held_out.dissimilarity.mean.high < dissimilarity_margin || held_out.non_words.mean.low > non_word_margin)
        return Verdict::refuted;
    const bool both = held_out.more_diverse() && held_out.as_clean() && replication.more_diverse() && replication.as_clean();
    return both ? Verdict::confirmed : Verdict::not_shown;
}

}  // namespace hlg::eval
