#include "sample/truncation.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace hlg::sample {
namespace {

// Exactly e^-64 of the favourite's mass and what lies below it can decide no top_p: float64 sums do not see it.
constexpr double kDepthLimit = 64;

double mass(float value, float top) { return std::exp(static_cast<double>(value) - static_cast<double>(top)); }

}  // namespace

bool Truncation::active(const SamplerParams& params, std::size_t vocab) noexcept {
    const bool keeps_all = params.top_k <= 0 || static_cast<std::uint64_t>(params.top_k) >= vocab;
    return params.top_p < 1 || !keeps_all || params.min_p > 0;
}

// A value that no survivor of min_p or top_k lies below, edited or not.
float Truncation::cut_value(const Blocks& blocks, const SamplerParams& params) {
    double cut = -std::numeric_limits<double>::infinity();
    // ln of the ratio to the favourite's probability, and some leeway; the exact test comes later.
    if (params.min_p > 0) cut = static_cast<double>(top_) + std::log(params.min_p) - 1e-3;
    const auto k = static_cast<std::size_t>(params.top_k);
    if (params.top_k > 0 && k <= blocks.maxima().size()) {
        // k blocks reach their k-th largest maximum, so at least k tokens do.
        maxima_.assign(blocks.maxima().begin(), blocks.maxima().end());
        const auto kth = maxima_.begin() + static_cast<std::ptrdiff_t>(k - 1);
        std::nth_element(maxima_.begin(), kth, maxima_.end(), std::greater<>());
        cut = std::max(cut, static_cast<double>(*kth));
    }
    const auto rounded = static_cast<float>(cut);
    return static_cast<double>(rounded) > cut ? std::nextafter(rounded, kMinusInfinity) : rounded;
}

// The tokens whose value is at least `floor`; those present also have to lie above the mask, which the edited have met by
// themselves.
void Truncation::gather(Blocks& blocks, const Edits& edits, float floor) {
    ids_.clear();
    candidates_.clear();
    blocks.gather(std::max(floor, mask_floor_), ids_);
    for (const std::uint32_t id : ids_) candidates_.push_back({blocks.logits()[id], id});
    for (const EditedToken& edited : edits.tokens())
        if (edited.value > kMinusInfinity && edited.value >= floor)
            candidates_.push_back({edited.value, static_cast<std::uint32_t>(edited.token)});
}

double Truncation::gathered_mass() const {
    return std::accumulate(candidates_.begin(), candidates_.end(), 0.0,
                           [this](double sum, const Candidate& candidate) { return sum + mass(candidate.value, top_); });
}

// Gathers downwards until top_p's prefix is certainly inside, but no further than the other cuts' floor; cuts there.
void Truncation::cut_top_p(Blocks& blocks, const Edits& edits, double top_p, float floor) {
    double all = 0;
    if (blocks.top() >= mask_floor_) all = blocks.mass(mask_floor_).weight * mass(blocks.top(), top_);
    for (const EditedToken& edited : edits.tokens()) all += mass(edited.value, top_);
    const double target = top_p * all;
    for (double depth = 2;; depth *= 2) {
        const auto down = static_cast<float>(static_cast<double>(top_) - depth);
        const bool last = down <= floor || depth >= kDepthLimit;
        gather(blocks, edits, last ? floor : down);
        if (last || gathered_mass() >= target) break;
    }
    if (gathered_mass() >= target) candidates_.resize(shortest_prefix(candidates_, top_, target));
}

std::span<const Candidate> Truncation::apply(Blocks& blocks, const Edits& edits, const Shaper& shaper,
                                             const SamplerParams& params) {
    top_ = shaper.reference;
    mask_floor_ = shaper.lowest_unmasked();
    const float floor = cut_value(blocks, params);
    if (params.top_p < 1)
        cut_top_p(blocks, edits, params.top_p, floor);
    else
        gather(blocks, edits, floor);
    if (params.min_p > 0) {
        const double limit = static_cast<double>(top_) + std::log(params.min_p);
        std::erase_if(candidates_, [&](const Candidate& candidate) {
            return static_cast<double>(candidate.value) < limit && candidate.value < top_;
        });
    }
    const auto k = static_cast<std::size_t>(std::max<std::int64_t>(params.top_k, 0));
    if (k > 0 && k < candidates_.size()) {
        std::nth_element(candidates_.begin(), candidates_.begin() + static_cast<std::ptrdiff_t>(k), candidates_.end());
        candidates_.resize(k);
    }
    std::sort(candidates_.begin(), candidates_.end(), [](const Candidate& a, const Candidate& b) { return a.token < b.token; });
    return candidates_;
}

}  // namespace hlg::sample
