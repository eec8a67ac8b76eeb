// SPDX-License-Identifier: MIT
#include "eval/reach.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <queue>

namespace hlg::eval {
namespace {

double weight(double logit, double slope) {
    if (logit == 0.0) return 1.0;
    return std::isinf(slope) ? 0.0 : std::exp(slope * logit);
}

/** Tokens of the prefix that have not passed their threshold yet, by run; and sums over them. */
class Waiting {
public:
    explicit Waiting(std::size_t runs) : joined_(runs) {}

    /** Takes out every run whose threshold is at most z. */
    void pass(double z) {
        while (!heap_.empty() && heap_.top().threshold <= z) {
            const Entry& entry = heap_.top();
            weights_ -= joined_[entry.run] * entry.weight;
            masses_ -= joined_[entry.run] * entry.mass;
            heap_.pop();
        }
        if (heap_.empty()) weights_ = masses_ = 0.0;  // not what rounding left
    }

    void join(std::size_t run, double threshold, double weight, double mass) {
        if (joined_[run]++ == 0.0) heap_.push({threshold, run, weight, mass});
        weights_ += weight;
        masses_ += mass;
    }

    [[nodiscard]] double weights() const noexcept { return weights_; }
    [[nodiscard]] double masses() const noexcept { return masses_; }

private:
    struct Entry {
        double threshold;
        std::size_t run;
        double weight;
        double mass;
        bool operator<(const Entry& other) const noexcept { return threshold > other.threshold; }  // the least one on top
    };
    std::priority_queue<Entry> heap_;
    std::vector<double> joined_;
    double weights_ = 0.0;
    double masses_ = 0.0;
};

/**
 * The walk, a token at a time. What r gives more than q is at least the sum over tokens of (w(steep) / Z(flat) - q)+; what q
 * gives more than r is at least that of (q - w(flat) / Z(steep))+, with all of q behind the prefix.
 */
class Walk {
public:
    Walk(const Ranking& ranking, double flat, double steep)
        : ranking_(ranking), over_(ranking.q.size()), not_under_(ranking.q.size()) {
        for (std::size_t i = 0; i < ranking.q.size(); ++i) {
            flat_.push_back(weight(ranking.logit[i], flat));
            steep_.push_back(weight(ranking.logit[i], steep));
            rest_ += ranking.count[i] * flat_.back();
        }
    }

    PrefixFit best() {
        PrefixFit best{2.0, 0.0};
        for (std::size_t run = 0; run < ranking_.q.size(); ++run)
            for (auto left = static_cast<std::size_t>(ranking_.count[run]); left > 0; --left) {
                take(run);
                const double more = over_.weights() / z_flat_ - over_.masses();
                const double less = 1.0 - in_prefix_ + under_mass() - under_weights() / z_steep_;
                const double distance = std::max({more, less, 0.0});
                if (distance < best.distance) best = {distance, tokens_};
                // The tokens to come can take no more from `more` than they add to the sum.
                if (more - rest_ / z_flat_ > best.distance) return best;
            }
        return best;
    }

private:
    void take(std::size_t run) {
        const double q = ranking_.q[run];
        tokens_ += 1.0;
        rest_ -= flat_[run];
        z_flat_ += flat_[run];
        z_steep_ += steep_[run];
        in_prefix_ += q;
        prefix_weights_ += flat_[run];
        const double over = q > 0 ? steep_[run] / q : HUGE_VAL;
        const double under = q > 0 ? flat_[run] / q : HUGE_VAL;
        if (over > z_flat_) over_.join(run, over, steep_[run], q);
        if (under > z_steep_) not_under_.join(run, under, flat_[run], q);
        over_.pass(z_flat_);
        not_under_.pass(z_steep_);
    }

    [[nodiscard]] double under_mass() const { return in_prefix_ - not_under_.masses(); }
    [[nodiscard]] double under_weights() const { return prefix_weights_ - not_under_.weights(); }

    const Ranking& ranking_;
    std::vector<double> flat_;
    std::vector<double> steep_;
    Waiting over_;
    Waiting not_under_;
    double rest_ = 0.0;
    double z_flat_ = 0.0;
    double z_steep_ = 0.0;
    double in_prefix_ = 0.0;
    double prefix_weights_ = 0.0;
    double tokens_ = 0.0;
};

/** Slopes between which the search begins; what is steeper than the last is greedy to any reader. */
constexpr std::array<double, 14> first_slopes{0.0, 0.1, 0.2, 0.3, 0.5, 0.7, 0.85, 1.0, 1.2, 1.5, 2.0, 3.0, 6.0, 20.0};

struct Interval {
    double least;
    double low;
    double high;
    bool operator<(const Interval& other) const noexcept { return least > other.least; }
};

/** The best slope found, and the intervals that are left. */
class SlopeSearch {
public:
    SlopeSearch(const Ranking& ranking, double hint) : ranking_(ranking) {
        std::vector<double> slopes(first_slopes.begin(), first_slopes.end());
        slopes.push_back(hint);
        std::sort(slopes.begin(), slopes.end());
        for (std::size_t i = 0; i < slopes.size(); ++i) {
            look(slopes[i]);
            add(slopes[i], i + 1 < slopes.size() ? slopes[i + 1] : no_slope_is_steeper);
        }
    }

    Reach run(double tolerance, std::size_t rounds) {
        while (rounds-- > 0 && !left_.empty() && best_.distance - left_.top().least > tolerance) {
            const Interval widest = left_.top();
            left_.pop();
            const double middle = std::isinf(widest.high) ? 2.0 * widest.low : (widest.low + widest.high) / 2.0;
            look(middle);
            add(widest.low, middle);
            add(middle, widest.high);
        }
        best_.error = left_.empty() ? 0.0 : std::max(0.0, best_.distance - left_.top().least);
        return best_;
    }

private:
    void look(double slope) {
        const PrefixFit fit = nearest_prefix(ranking_, slope);
        if (fit.distance < best_.distance) best_ = {fit.distance, 0.0, slope, fit.tokens};
    }

    void add(double low, double high) {
        if (low < high) left_.push({least_distance(ranking_, low, high), low, high});
    }

    const Ranking& ranking_;
    Reach best_;
    std::priority_queue<Interval> left_;
};

}  // namespace

Ranking ranking_of(const Context& context, const Candidates& left, const Distribution& distribution) {
    std::vector<std::vector<std::size_t>> cells(context.groups());
    for (std::size_t i = 0; i < left.cells(); ++i) cells[left.group[i]].push_back(i);
    Ranking ranking;
    const auto add = [&](std::size_t group, double count, double q) {
        ranking.logit.push_back(context.logit[group]);
        ranking.count.push_back(count);
        ranking.q.push_back(q);
    };
    for (std::size_t group = 0; group < context.groups(); ++group) {
        double rest = context.count[group];
        for (const std::size_t cell : cells[group]) {
            add(group, left.count[cell], distribution.q[cell]);
            rest -= left.count[cell];
        }
        if (rest > 0) add(group, rest, 0.0);
    }
    return ranking;
}

PrefixFit nearest_prefix(const Ranking& ranking, double slope) { return Walk(ranking, slope, slope).best(); }

double least_distance(const Ranking& ranking, double low, double high) { return Walk(ranking, low, high).best().distance; }

double distance_to_prefix(const Ranking& ranking, double tokens, double slope) {
    double sum = 0.0;
    double left = tokens;
    for (std::size_t i = 0; i < ranking.q.size() && left > 0; ++i) {
        sum += std::min(left, ranking.count[i]) * weight(ranking.logit[i], slope);
        left -= ranking.count[i];
    }
    double distance = 0.0;
    left = tokens;
    for (std::size_t i = 0; i < ranking.q.size() && left > 0; ++i) {
        distance += std::min(left, ranking.count[i]) * std::max(0.0, weight(ranking.logit[i], slope) / sum - ranking.q[i]);
        left -= ranking.count[i];
    }
    return distance;
}

Reach reach_of(const Ranking& ranking, double hint, double tolerance, std::size_t rounds) {
    return SlopeSearch(ranking, hint).run(tolerance, rounds);
}

}  // namespace hlg::eval
