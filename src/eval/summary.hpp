// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "eval/measures.hpp"
#include "eval/report.hpp"

namespace hlg::eval {

/** How intervals are made: texts are resampled in blocks of so many contexts. */
struct IntervalOptions {
    std::size_t block = 8;
    BootstrapOptions bootstrap = {.resamples = 1000, .level = 0.95, .seed = 1};
};

/** What a sampler does to a class of contexts, or to all (no class). */
struct Summary {
    std::optional<Class> kind;
    std::size_t contexts = 0;
    std::size_t clusters = 0;
    std::array<Interval, measures> mean;  ///< by Measure
    Interval price;                       ///< each context's own price (match.hpp), mean
    double kl_median = 0.0;
    double kl_p95 = 0.0;
};

/** Of each class and of all, in that order; `prices` as own_price gives them, [contexts]. */
std::vector<Summary> summarise(const Corpus& corpus, std::span<const Row> rows, std::span<const double> prices,
                               const IntervalOptions& options);

/** A summary as numbers for a Memo, and back. */
std::vector<double> numbers_of(const std::vector<Summary>& summaries);
std::vector<Summary> summaries_of(const std::vector<double>& numbers);

/** The columns of a table of summaries, and a summary's part of a row. */
std::vector<Column> summary_columns();
void put(Json& row, const Summary& summary);

/** The value below which a share of the weight lies; NaN if there are none. */
double weighted_quantile(std::span<const double> values, std::span<const double> weights, double share);

}  // namespace hlg::eval
