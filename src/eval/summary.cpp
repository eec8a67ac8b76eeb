// SPDX-License-Identifier: MIT
#include "eval/summary.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <utility>

namespace hlg::eval {
namespace {

constexpr std::size_t columns = measures + 1;  // and the price

/** The contexts of one class. */
std::vector<std::size_t> places_of(const Corpus& corpus, std::optional<Class> kind) {
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < corpus.contexts.size(); ++i)
        if (!kind || corpus.contexts[i].kind() == *kind) places.push_back(i);
    return places;
}

double value_of(std::span<const Row> rows, std::span<const double> prices, std::size_t place, std::size_t column) {
    return column < measures ? rows[place][column] : prices[place];
}

std::size_t clusters_of(const Corpus& corpus, const std::vector<std::size_t>& places) {
    std::set<std::pair<std::size_t, std::size_t>> clusters;
    for (const std::size_t place : places) clusters.insert({corpus.contexts[place].source, corpus.contexts[place].cluster});
    return clusters.size();
}

void add_quantiles(Summary& summary, std::span<const Row> rows, const std::vector<std::size_t>& places,
                   std::span<const double> weight) {
    std::vector<double> values;
    std::vector<double> weights;
    values.reserve(places.size());
    weights.reserve(places.size());
    for (const std::size_t place : places) {
        values.push_back(at(rows[place], Measure::kl));
        weights.push_back(weight[place]);
    }
    summary.kl_median = weighted_quantile(values, weights, 0.5);
    summary.kl_p95 = weighted_quantile(values, weights, 0.95);
}

}  // namespace

double weighted_quantile(std::span<const double> values, std::span<const double> weights, double share) {
    std::vector<std::size_t> order(values.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
    double below = 0.0;
    const double total = std::accumulate(weights.begin(), weights.end(), 0.0);
    for (const std::size_t i : order) {
        below += weights[i];
        if (below >= share * total) return values[i];
    }
    return std::nan("");
}

std::vector<Summary> summarise(const Corpus& corpus, std::span<const Row> rows, std::span<const double> prices,
                               const IntervalOptions& options) {
    const std::vector<double> weight = weights(corpus, Weighing::contexts);
    std::vector<Summary> summaries;
    std::vector<std::vector<std::size_t>> places;
    for (const std::optional<Class> kind :
         {std::optional(Class::confident), std::optional(Class::mid), std::optional(Class::open), std::optional<Class>()}) {
        places.push_back(places_of(corpus, kind));
        Summary summary;
        summary.kind = kind;
        summary.contexts = places.back().size();
        summary.clusters = clusters_of(corpus, places.back());
        add_quantiles(summary, rows, places.back(), weight);
        summaries.push_back(summary);
    }
    const auto means = [&](std::span<const double> times, std::span<double> values) {
        for (std::size_t k = 0; k < places.size(); ++k)
            for (std::size_t column = 0; column < columns; ++column) {
                double sum = 0.0;
                double total = 0.0;
                for (const std::size_t place : places[k]) {
                    const double value = value_of(rows, prices, place, column);
                    if (std::isnan(value)) continue;
                    sum += weight[place] * times[place] * value;
                    total += weight[place] * times[place];
                }
                values[k * columns + column] = total > 0 ? sum / total : std::nan("");
            }
    };
    const std::vector<Interval> found =
        bootstrap(resampling(corpus, options.block), means, places.size() * columns, options.bootstrap);
    for (std::size_t k = 0; k < summaries.size(); ++k) {
        std::copy_n(found.begin() + static_cast<std::ptrdiff_t>(k * columns), measures, summaries[k].mean.begin());
        summaries[k].price = found[k * columns + measures];
    }
    return summaries;
}

std::vector<double> numbers_of(const std::vector<Summary>& summaries) {
    std::vector<double> numbers;
    for (const Summary& one : summaries) {
        numbers.insert(numbers.end(), {one.kind ? static_cast<double>(*one.kind) : -1.0, static_cast<double>(one.contexts),
                                       static_cast<double>(one.clusters), one.kl_median, one.kl_p95});
        for (const Interval& mean : one.mean) numbers.insert(numbers.end(), {mean.estimate, mean.low, mean.high});
        numbers.insert(numbers.end(), {one.price.estimate, one.price.low, one.price.high});
    }
    return numbers;
}

std::vector<Summary> summaries_of(const std::vector<double>& numbers) {
    constexpr std::size_t each = 5 + 3 * columns;
    std::vector<Summary> summaries;
    for (const double* from = numbers.data(); from + each <= numbers.data() + numbers.size(); from += each) {
        Summary one;
        if (from[0] >= 0) one.kind = static_cast<Class>(static_cast<int>(from[0]));
        one.contexts = static_cast<std::size_t>(from[1]);
        one.clusters = static_cast<std::size_t>(from[2]);
        one.kl_median = from[3];
        one.kl_p95 = from[4];
        const double* interval = from + 5;
        for (Interval& mean : one.mean) {
            mean = {interval[0], interval[1], interval[2]};
            interval += 3;
        }
        one.price = {interval[0], interval[1], interval[2]};
        summaries.push_back(one);
    }
    return summaries;
}

std::vector<Column> summary_columns() {
    std::vector<Column> all{
        {"class", "contexts"},
        {"contexts", "contexts"},
        {"clusters", "distinct", "", 3, "near-duplicates (total variation below 0.15) count as one"},
        {"kl_median", "KL, median", "nats"},
        {"kl_p95", "KL, 95th percentile", "nats"},
        {"price", "price", "nats", 3, "surprisal beyond that of temperature at each context's same entropy", true}};
    for (std::size_t i = 0; i < measures; ++i) {
        const MeasureText& text = text_of(static_cast<Measure>(i));
        all.push_back({std::string(text.key), std::string(text.label), std::string(text.unit), 3, {}, true});
    }
    return all;
}

void put(Json& row, const Summary& summary) {
    row["class"] = summary.kind ? std::string(to_string(*summary.kind)) : "all";
    row["contexts"] = summary.contexts;
    row["clusters"] = summary.clusters;
    row["kl_median"] = number(summary.kl_median);
    row["kl_p95"] = number(summary.kl_p95);
    Table::put(row, "price", summary.price);
    for (std::size_t i = 0; i < measures; ++i)
        Table::put(row, std::string(text_of(static_cast<Measure>(i)).key), summary.mean[i]);
}

}  // namespace hlg::eval
