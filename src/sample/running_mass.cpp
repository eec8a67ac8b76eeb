#include "sample/running_mass.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "sample/shaper.hpp"

namespace hlg::sample {
namespace {

constexpr auto kOctaves = static_cast<double>(kOctavesPerNat);
constexpr double kCoarseError = 1.1e-4;
constexpr double kTolerance = 5e-6;  // of the whole mass

// From 2^base to 2^(base + octaves): w becomes w 2^-octaves, log2(w) becomes log2(w) - octaves. Whole octaves cost no accuracy.
void move(ExpSums& sums, double octaves) {
    const double scale = std::exp2(-octaves);
    for (std::size_t i = 0; i < kLanes; ++i) {
        sums.moment[i] = (sums.moment[i] - octaves * sums.weight[i]) * scale;
        sums.weight[i] *= scale;
    }
}

enum class Depth { near, far, nothing };

}  // namespace

Mass relative_to_top(const ExpSums& sums, double base, float top) {
    const double weight = std::accumulate(sums.weight, sums.weight + kLanes, 0.0);
    const double moment = std::accumulate(sums.moment, sums.moment + kLanes, 0.0);
    const double shift = static_cast<double>(top) * kOctaves - base;
    const double scale = std::exp2(-shift);
    return {weight * scale, (shift * weight - moment) * scale / kOctaves};
}

bool too_coarse(const Mass& far, double near_weight) noexcept {
    return (far.weight + far.moment) * kCoarseError > kTolerance * near_weight;
}

float depth_that_counts(std::size_t vocab) noexcept { return static_cast<float>(std::log(static_cast<double>(vocab)) + 16.0); }

void RunningMass::move_base(float top) {
    const double base = std::round(static_cast<double>(top) * kOctaves);
    if (begun_ && base > base_) {
        move(near_, base - base_);
        move(far_, base - base_);
    }
    if (!begun_ || base > base_) base_ = base;
    begun_ = true;
}

// While exponentials are computed nothing is read, and the processor's own look ahead stops: so the next pieces are asked for,
// one for each that is done. (hlg_bench shows what it is for in its table of contexts in rotation, whose logits come from
// memory.)
void RunningMass::weigh(std::span<const float> run, bool coarse) {
    constexpr std::size_t piece = 2 * kBlock;
    constexpr std::size_t line = 64 / sizeof(float);
    for (std::size_t at = 0; at < run.size(); at += piece) {
        const auto part = run.subspan(at, std::min(piece, run.size() - at));
        for (std::size_t i = 0; i < part.size(); i += line) __builtin_prefetch(part.data() + kAhead + i);
        kernels_->exp_sums(part.data(), part.size(), static_cast<float>(base_), coarse, coarse ? far_ : near_);
    }
}

void RunningMass::add(std::span<const float> logits, std::span<const float> maxima, float top) {
    fits_ = fits_ && (std::abs(top) <= 1e6F || !(top > kMinusInfinity));
    if (!fits_ || !(top > kMinusInfinity)) return;
    move_base(top);
    const auto depth_of = [&](float maximum) {
        return maximum >= top - kNear ? Depth::near : maximum >= top - depth_ ? Depth::far : Depth::nothing;
    };
    for (std::size_t first = 0; first < maxima.size();) {
        const Depth depth = depth_of(maxima[first]);
        std::size_t last = first + 1;
        while (last < maxima.size() && depth_of(maxima[last]) == depth) ++last;
        const auto run = logits.subspan(first * kBlock, std::min(last * kBlock, logits.size()) - first * kBlock);
        first = last;
        if (depth == Depth::nothing) continue;
        weigh(run, depth == Depth::far);
    }
}

bool RunningMass::total(float top, Mass& mass) const {
    if (!fits_) return false;
    const Mass near = relative_to_top(near_, base_, top);
    const Mass far = relative_to_top(far_, base_, top);
    if (too_coarse(far, near.weight)) return false;
    mass = {near.weight + far.weight, near.moment + far.moment};
    return true;
}

}  // namespace hlg::sample
