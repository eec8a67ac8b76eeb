// SPDX-License-Identifier: MIT
#include "eval/outcome.hpp"

#include <cmath>
#include <optional>

#include "eval/rules.hpp"

namespace hlg::eval {
namespace {

/** Weighted sums of a column over the contexts of a class, of all if there is none named. */
class Means {
public:
    Means(const Baseline& baseline, std::span<const double> times) : baseline_(baseline), times_(times) {}

    template <class Value>
    [[nodiscard]] double over(std::optional<Class> kind, const Value& value) const {
        double sum = 0.0;
        double total = 0.0;
        for (std::size_t i = 0; i < baseline_.rows.size(); ++i) {
            if (kind && baseline_.corpus->contexts[i].kind() != *kind) continue;
            const double weight = baseline_.weights[i] * (times_.empty() ? 1.0 : times_[i]);
            sum += weight * value(i);
            total += weight;
        }
        return total > 0 ? sum / total : std::nan("");
    }

private:
    const Baseline& baseline_;
    std::span<const double> times_;
};

/** At most, unless it is not known. */
bool at_most(double value, double limit) { return !(value > limit); }

}  // namespace

Baseline::Baseline(const Corpus& of, Weighing weighing) : corpus(&of), weights(eval::weights(of, weighing)) {
    rows = Applied(of, temperature_rule()).rows(1.0);
    entropy = weighted_mean(column(rows, Measure::entropy), weights);
}

Outcome outcome_of(const Baseline& baseline, std::span<const Row> rows, std::span<const double> times) {
    const Means means(baseline, times);
    const auto mean = [&](std::optional<Class> kind, Measure measure, std::span<const Row> from) {
        return means.over(kind, [&](std::size_t i) { return at(from[i], measure); });
    };
    const std::span<const Row> before = baseline.rows;
    Outcome outcome;
    // At temperature 1 surprisal is entropy, and surprisal grows as entropy does there: so entropies that differ a little, as in
    // a resample, are no price.
    outcome.price =
        means.over({}, [&](std::size_t i) { return at(rows[i], Measure::surprisal) - at(rows[i], Measure::entropy); });
    outcome.collision = mean(Class::open, Measure::collision, rows) / mean(Class::open, Measure::collision, before);
    outcome.open_top1 = mean(Class::open, Measure::top1, rows);
    outcome.mid = mean(Class::mid, Measure::top1, rows) - mean(Class::mid, Measure::top1, before);
    outcome.slip = 1.0 - mean(Class::confident, Measure::top1, rows);
    outcome.slip_before = 1.0 - mean(Class::confident, Measure::top1, before);
    outcome.tail = mean({}, Measure::tail4, rows) / mean({}, Measure::tail4, before);
    outcome.tail6 = mean({}, Measure::tail6, rows) / mean({}, Measure::tail6, before);
    return outcome;
}

bool keeps(const Outcome& outcome, const Limits& limits) {
    if (!at_most(outcome.price, limits.price)) return false;
    if (!limits.constrained) return true;
    return at_most(outcome.tail, most_tail) && at_most(-outcome.mid, most_mid_loss) && at_most(outcome.slip, outcome.slip_before);
}

}  // namespace hlg::eval
