// SPDX-License-Identifier: MIT
#include "eval/pairs.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <utility>

#include "eval/hypothesis.hpp"

namespace hlg::eval {
namespace {

constexpr const char* champion = "hlg-fade-entropy";

/** Two of HLG's contestants, the second with this share. */
struct Mix {
    const Contestant* cheap = nullptr;
    const Contestant* dear = nullptr;
    double share = 0.0;

    [[nodiscard]] double collision(std::size_t place) const {
        return (1.0 - share) * at(cheap->rows[place], Measure::collision) + share * at(dear->rows[place], Measure::collision);
    }
};

std::optional<Mix> mixed_for(const std::vector<const Contestant*>& front, double price) {
    for (std::size_t i = 1; i < front.size(); ++i) {
        const double low = front[i - 1]->judged.outcome.price;
        const double high = front[i]->judged.outcome.price;
        if (low <= price && price <= high) return Mix{front[i - 1], front[i], high > low ? (price - low) / (high - low) : 0.0};
    }
    return std::nullopt;
}

/** HLG's contestants by what they pay. */
std::vector<const Contestant*> front_of(const std::vector<Contestant>& contestants, bool constrained) {
    std::vector<const Contestant*> front;
    for (const Contestant& one : contestants)
        if (one.family->id == champion && one.trouble.empty() && one.limits.constrained == constrained) front.push_back(&one);
    std::sort(front.begin(), front.end(),
              [](const Contestant* a, const Contestant* b) { return a->judged.outcome.price < b->judged.outcome.price; });
    return front;
}

/** Which block of which text a context is in. */
std::vector<std::size_t> block_numbers(const Corpus& corpus, std::size_t length) {
    std::map<std::array<std::size_t, 3>, std::size_t> numbers;
    std::map<std::pair<std::size_t, std::size_t>, std::size_t> seen;
    std::vector<std::size_t> found;
    for (const Context& context : corpus.contexts) {
        const std::size_t block = seen[{context.source, context.text}]++ / length;
        found.push_back(numbers.try_emplace({context.source, context.text, block}, numbers.size()).first->second);
    }
    return found;
}

/** p of no difference on the open contexts that were held out. */
double p_of(const Corpus& corpus, const Baseline& baseline, const Mix& hlg, const Contestant& rival, std::size_t block) {
    const std::vector<std::size_t> blocks = block_numbers(corpus, block);
    std::vector<double> differences;
    std::vector<double> weights;
    std::vector<std::size_t> clusters;
    for (std::size_t i = 0; i < corpus.contexts.size(); ++i) {
        if (corpus.contexts[i].kind() != Class::open || rival.held[i] == 0.0) continue;
        differences.push_back(hlg.collision(i) - at(rival.rows[i], Measure::collision));
        weights.push_back(baseline.weights[i]);
        clusters.push_back(blocks[i]);
    }
    const bool several = std::any_of(clusters.begin(), clusters.end(), [&](std::size_t one) { return one != clusters.front(); });
    return several ? t_test(paired_difference(differences, weights, clusters)) : std::nan("");
}

Pair compare(const Corpus& corpus, const Baseline& baseline, const Mix& hlg, const Contestant& rival,
             const MatchOptions& options) {
    const auto relative = [&](std::span<const double> times, const auto& collision) {
        double sum = 0.0;
        double plain = 0.0;
        for (std::size_t i = 0; i < times.size(); ++i) {
            if (corpus.contexts[i].kind() != Class::open || rival.held[i] == 0.0) continue;
            sum += times[i] * baseline.weights[i] * collision(i);
            plain += times[i] * baseline.weights[i] * at(baseline.rows[i], Measure::collision);
        }
        return sum / plain;
    };
    const auto ours = [&](std::size_t i) { return hlg.collision(i); };
    const auto theirs = [&](std::size_t i) { return at(rival.rows[i], Measure::collision); };
    const auto difference = [&](std::span<const double> times) { return relative(times, ours) - relative(times, theirs); };
    const std::vector<double> once(corpus.contexts.size(), 1.0);
    Pair pair;
    pair.rival = &rival;
    pair.price = rival.judged.outcome.price;
    pair.ratio = relative(once, ours) / relative(once, theirs);
    pair.collision = bootstrap(resampling(corpus, options.intervals.block), Statistic(difference), options.intervals.bootstrap);
    pair.p = p_of(corpus, baseline, hlg, rival, options.intervals.block);
    return pair;
}

}  // namespace

std::vector<Pair> pairs_of(const Corpus& corpus, const std::vector<Contestant>& contestants, const MatchOptions& options) {
    const Baseline baseline(corpus, options.weighing);
    std::vector<Pair> pairs;
    for (const bool constrained : {false, true}) {
        const std::vector<const Contestant*> front = front_of(contestants, constrained);
        for (const Contestant& rival : contestants) {
            if (!rival.trouble.empty() || rival.limits.constrained != constrained || rival.family->id.starts_with("hlg"))
                continue;
            const std::optional<Mix> hlg = mixed_for(front, rival.judged.outcome.price);
            // A family without knobs is one setting, at whatever budget it was asked for.
            const bool again =
                !pairs.empty() && pairs.back().rival->family == rival.family && pairs.back().price == rival.judged.outcome.price;
            if (hlg && !again) pairs.push_back(compare(corpus, baseline, *hlg, rival, options));
        }
    }
    return pairs;
}

}  // namespace hlg::eval
