#include "sample/nucleus.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace hlg::sample {
namespace {

double mass(float value, float top) noexcept { return std::exp(static_cast<double>(value) - static_cast<double>(top)); }

}  // namespace

std::size_t shortest_prefix(std::vector<Candidate>& candidates, float top, double target) {
    auto first = candidates.begin();
    auto last = candidates.end();
    double before = 0;  // mass of [begin, first), known to fall short of the target
    // Quickselect by mass: keep the side in which the running mass crosses the target.
    while (last - first > 1) {
        const auto middle = first + (last - first) / 2;
        std::nth_element(first, middle, last);
        const double upper = std::accumulate(
            first, middle, 0.0, [top](double sum, const Candidate& candidate) { return sum + mass(candidate.value, top); });
        if (before + upper >= target) {
            last = middle;
        } else {
            before += upper;
            first = middle;
        }
    }
    return static_cast<std::size_t>(last - candidates.begin());
}

float MedianLogit::find(Blocks& blocks) {
    const float top = blocks.top();
    const double half = blocks.mass().weight / 2;
    if (half <= 1) return top;  // the favourite alone holds half
    const auto logits = blocks.logits();
    for (float depth = 2;; depth *= 2) {
        ids_.clear();
        blocks.gather(top - depth, ids_);
        candidates_.clear();
        double total = 0;
        for (const std::uint32_t id : ids_) {
            candidates_.push_back({logits[id], id});
            total += mass(logits[id], top);
        }
        // Past e^-64 there is no mass left to find, whatever rounding says of the sums.
        if (total < half && depth < 64) continue;
        const std::size_t length = shortest_prefix(candidates_, top, half);
        return candidates_[length - 1].value;
    }
}

}  // namespace hlg::sample
