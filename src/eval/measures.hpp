// SPDX-License-Identifier: MIT
//
// What is measured of a sampler's distribution q at a context whose model distribution, at temperature 1, is p. All in float64.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "eval/corpus.hpp"
#include "eval/sampler.hpp"

namespace hlg::eval {

enum class Measure : std::size_t {
    entropy,     ///< of q, nats
    surprisal,   ///< mean of -ln p over q, nats
    kl,          ///< KL(q || softmax(x / T)) at the sampler's own T, nats
    top1,        ///< what q gives to the model's most probable token
    collision,   ///< sum of q^2: the chance that two draws agree
    tail4,       ///< what q gives to the deep tail, outside the 0.99 nucleus of p and p < 1e-4
    tail5,       ///< and p < 1e-5
    tail6,       ///< and p < 1e-6
    control,     ///< what q gives to marks; NaN where tokens have no strings
    byte,        ///< to pieces that are no whole character
    foreign,     ///< to letters of a script that the text has none of
    next,        ///< -ln q of the token that came next, nats; NaN where it is not known or impossible
    impossible,  ///< 1 if that token can't be drawn, else 0; NaN where it is not known
    next_tail,   ///< 1 if that token is in the deep tail (1e-4), else 0; the same for every sampler
};
inline constexpr std::size_t measures = 14;

/** One context's measures, by Measure. */
using Row = std::array<double, measures>;

inline double& at(Row& row, Measure measure) { return row[static_cast<std::size_t>(measure)]; }
inline double at(const Row& row, Measure measure) { return row[static_cast<std::size_t>(measure)]; }

struct MeasureText {
    std::string_view key;
    std::string_view label;
    std::string_view unit;
};
/** How reports call it. */
const MeasureText& text_of(Measure measure) noexcept;

/** The measures of one distribution. */
Row measure(const Context& context, const Candidates& left, const Distribution& distribution, double temperature);

/** ln of the sum of exp(x / T) over the vocabulary, x relative to the largest. */
double log_sum(const Context& context, double temperature);

/** A sampler with its candidates at every context of a corpus, which must outlive it. Made once, asked at many temperatures. */
class Applied {
public:
    Applied(const Corpus& corpus, SamplerPointer sampler);

    /** Entropies, [contexts]. */
    [[nodiscard]] std::vector<double> entropies(double temperature) const;

    /** All measures, [contexts]. */
    [[nodiscard]] std::vector<Row> rows(double temperature) const;

    /** Calls visit(index, candidates, distribution) for each context in its order. */
    template <class Visit>
    void for_each(double temperature, const Visit& visit) const {
        Distribution distribution;
        SamplerState state = sampler_->start();
        for (std::size_t i = 0; i < corpus_.contexts.size(); ++i) {
            const Context& context = corpus_.contexts[i];
            if (starts_text(i)) state = sampler_->start();
            heat(left_[i], temperature, distribution);
            if (sampler_->finishes()) sampler_->finish(context, left_[i], state, distribution);
            visit(i, left_[i], distribution);
        }
    }

private:
    [[nodiscard]] bool starts_text(std::size_t index) const;

    const Corpus& corpus_;
    SamplerPointer sampler_;
    std::vector<Candidates> left_;
};

/** sum of weight * values over those that are not NaN, divided by their weight; NaN if there is none. */
double weighted_mean(std::span<const double> values, std::span<const double> weights);

/** The column of a measure, [rows]. */
std::vector<double> column(std::span<const Row> rows, Measure measure);

}  // namespace hlg::eval
