#include "sample/bracket.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace hlg::sample {
namespace {

// A sample is kRows rows of kLanes neighbours: a load each, and neighbours are no more alike than that costs.
constexpr std::size_t kRows = 32;

constexpr float kInfinity = std::numeric_limits<float>::infinity();

// One row of each of kRows equal stretches, at a place in it that no period of the logits follows: the fractions of multiples of
// the golden ratio lie evenly.
std::size_t row(std::size_t i, std::size_t rows) {
    constexpr double golden = 0.6180339887498949;
    const double fraction = static_cast<double>(i) * golden;
    const double place = static_cast<double>(i) + fraction - std::floor(fraction);
    return static_cast<std::size_t>(place * static_cast<double>(rows) / kRows);
}

}  // namespace

void Sample::clear(const Kernels& kernels, float base) {
    kernels_ = &kernels;
    base_ = base;
    size_ = 0;
    each_ = variance_ = 0;
}

void Sample::append(std::span<const float> x) {
    const std::size_t room = size_ + x.size() + 2 * kPadding;
    if (x_.size() < room) x_.resize(room);
    if (weights_.size() < room) weights_.resize(room);
    std::copy(x.begin(), x.end(), x_.begin() + static_cast<std::ptrdiff_t>(size_));
    const std::size_t whole = (x.size() + kLanes - 1) / kLanes * kLanes;
    std::fill_n(x_.begin() + static_cast<std::ptrdiff_t>(size_ + x.size()), whole - x.size(), -kInfinity);
    kernels_->weights(x_.data() + size_, whole, base_, weights_.data() + size_);
    size_ += whole;
}

void Sample::add_all(std::span<const float> x) {
    if (!x.empty()) append(x);
}

void Sample::add_some(std::span<const float> x, std::span<const float> block_maxima) {
    std::array<float, (kRows + 1) * kLanes> some;
    const std::size_t rows = x.size() / kLanes;
    some_ = 0;
    for (std::size_t i = 0; i < kRows; ++i) {
        const std::size_t first = row(i, rows) * kLanes;
        const float known = block_maxima.empty() ? kInfinity : block_maxima[first / kBlock];
        some_ += kernels_->collect(x.data() + first, kLanes, -kInfinity, known, some.data() + some_);
    }
    append({some.data(), some_});
    each_ = static_cast<double>(x.size() - block_maxima.size()) / static_cast<double>(std::max<std::size_t>(some_, 1));
    const auto each = static_cast<float>(each_);
    std::array<float, 8> squares{};
    some_ = (some_ + kLanes - 1) / kLanes * kLanes;
    for (std::size_t i = size_ - some_; i < size_; i += squares.size())
        for (std::size_t j = 0; j < squares.size(); ++j) {
            weights_[i + j] *= each;
            squares[j] += weights_[i + j] * weights_[i + j];
        }
    for (const float sum : squares) variance_ += static_cast<double>(sum);
}

double Sample::tokens(Bracket bracket) const {
    std::array<float, (kRows + 1) * kLanes> inside;
    const float* const some = x_.data() + size_ - some_;
    return each_ * static_cast<double>(kernels_->collect(some, some_, bracket.low, bracket.high, inside.data()));
}

// The masses between which a sample's sum down to a logit `near` may be the goal. Its relative error counts twice: that of the
// few heavy tokens above, as far as it moves the total and not the sum alone, and that of the many light ones below.
Sample::Limits Sample::limits(double goal, double total, float near) const {
    constexpr double kDeviations = 2.5;
    constexpr double kRounding = 1e-6;  // of float32 sums
    const double share = std::min(goal / total, 1.0);
    const double rest = 1 - share;
    const double weight = std::exp2(static_cast<double>(near) * static_cast<double>(kOctavesPerNat) - static_cast<double>(base_));
    const double below = std::min(each_ * weight * rest * total, variance_);
    const double variance = std::min(rest * rest * variance_ + share * share * below, share * rest * variance_);
    const double margin = kDeviations * std::sqrt(variance) + kRounding * total;
    // However little the sample knows, half of what lies to either side is put aside: a list always becomes shorter.
    return {goal - std::min(margin, goal / 2), goal + std::min(margin, (total - goal) / 2)};
}

Bracket Sample::find(Goal goal, Bracket range) const {
    constexpr int rounds = 3;
    Limits limit{};
    for (int round = 0; round < rounds; ++round) {
        std::array<float, kThresholds> at;
        std::array<float, kThresholds> sums;
        for (std::size_t i = 0; i < kThresholds; ++i) {
            const float down = 1 - static_cast<float>(i) / static_cast<float>(kThresholds);
            // Closer together near the top at first, for there weights change most.
            at[i] = std::max(range.high - (range.high - range.low) * (round == 0 ? down * down : down), range.low);
        }
        at[0] = range.low;
        kernels_->sums_at_least(x_.data(), weights_.data(), size_, at.data(), sums.data());
        if (round == 0) {
            const auto total = static_cast<double>(sums[0]);
            const double wanted = std::min(goal.share * total + goal.mass, total);
            std::size_t cell = 0;
            while (cell + 1 < kThresholds && static_cast<double>(sums[cell + 1]) >= wanted) ++cell;
            limit = limits(wanted, total, (at[cell] + (cell + 1 < kThresholds ? at[cell + 1] : range.high)) / 2);
        }
        for (std::size_t i = 0; i < kThresholds && static_cast<double>(sums[i]) >= limit.most; ++i) range.low = at[i];
        for (std::size_t i = kThresholds; i-- > 0 && static_cast<double>(sums[i]) < limit.least;) range.high = at[i];
    }
    return range;
}

}  // namespace hlg::sample
