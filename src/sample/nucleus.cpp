#include "sample/nucleus.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

namespace hlg::sample {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

// Few enough to sort.
constexpr std::size_t kFew = 24;

// Up to here a list is its own sample.
constexpr std::size_t kWholeSample = 1024;

// A distribution is steep if no more than one block in so many reaches so far up.
constexpr std::size_t kSteep = 8;
constexpr float kSteepDepth = 6;

// The share of the tokens up to which one pass with a bracket is worth more than one for the total and some that only compare.
constexpr double kMostInside = 0.375;

double sum_of(const double (&lanes)[kLanes]) { return std::accumulate(lanes, lanes + kLanes, 0.0); }

float after(float value) { return std::nextafter(value, kInfinity); }

}  // namespace

double Nucleus::weight(float value) const noexcept {
    return std::exp2(static_cast<double>(value) * static_cast<double>(kOctavesPerNat) - base_);
}

// All tokens by two logits; the values of those inside go to spare_.
Blocks::Split Nucleus::split_all(float low, float high) {
    const auto base = static_cast<float>(base_);
    Blocks::Split found = blocks_->split(base, low, high, spare_.data());
    SplitSums sums;
    found.inside_count +=
        blocks_->kernels().split(others_.data(), others_.size(), base, low, high, spare_.data() + found.inside_count, sums);
    found.total += sum_of(sums.total);
    found.above += sum_of(sums.above);
    found.above_count += sums.above_count;
    return found;
}

// The same of what is left.
Blocks::Split Nucleus::split_list(Bracket bracket) {
    SplitSums sums;
    Blocks::Split found;
    found.inside_count =
        blocks_->kernels().split(list_.data(), count_, static_cast<float>(base_), bracket.low, bracket.high, spare_.data(), sums);
    found.above = sum_of(sums.above);
    found.above_count = sums.above_count;
    return found;
}

double Nucleus::listed_mass(const float* list, std::size_t count) const {
    double sums[kLanes] = {};
    blocks_->kernels().weight_sums(list, count, static_cast<float>(base_), false, sums);
    return sum_of(sums);
}

// Goes on with the bracket, or with the side of it where the crossing turned out to be.
template <class Split>
void Nucleus::take(const Split& split, Bracket bracket, Blocks::Split found) {
    if (found.above_count > 0 && before_ + found.above >= target_) {
        bracket = {bracket.high, range_.high};
        found = split(bracket);
    } else if (careful_) {
        const double reached = found.above + listed_mass(spare_.data(), found.inside_count);
        const Bracket below{range_.low, bracket.low};
        if (before_ + reached < target_) {
            const Blocks::Split side = split(below);
            if (side.inside_count == 0) {
                found = split(bracket);  // rounding: nothing lies below, so the crossing is the last inside
            } else {
                found = {side.total, reached, found.above_count + found.inside_count, side.inside_count};
                bracket = below;
            }
        }
    }
    before_ += found.above;
    before_count_ += found.above_count;
    range_ = bracket;
    count_ = found.inside_count;
    std::swap(list_, spare_);
}

void Nucleus::find_total() {
    double sums[kLanes] = {};
    const auto base = static_cast<float>(base_);
    blocks_->kernels().weight_sums(others_.data(), others_.size(), base, false, sums);
    const double others = sum_of(sums);
    total_ = others + blocks_->weight(base, kInfinity, others);
    target_ = query_.share * total_;
}

// Steep distributions: collects downwards from the top, in steps. False if that has to go below the floor.
bool Nucleus::look_from_top(float depth) {
    if (total_ == 0) find_total();
    const float floor = std::max(query_.floor, lowest_);
    range_.low = after(query_.top);
    for (; range_.low > floor; depth *= 1.5F) {
        range_ = {std::max(query_.top - depth, floor), range_.low};
        count_ = blocks_->collect(range_.low, range_.high, list_.data());
        count_ += blocks_->kernels().collect(others_.data(), others_.size(), range_.low, range_.high, list_.data() + count_);
        const double mass = listed_mass(list_.data(), count_);
        if (before_ + mass >= target_) return true;
        before_ += mass;
        before_count_ += count_;
    }
    return false;
}

// Flat distributions: one pass that keeps what a sample says. False if that is too much; range_ is then where it begins.
bool Nucleus::look_at_sample() {
    const auto base = static_cast<float>(base_);
    const auto logits = blocks_->logits();
    range_ = {lowest_, after(query_.top)};
    Bracket bracket = range_;
    if (logits.size() > kWholeSample) {
        sample_.clear(blocks_->kernels(), base);
        sample_.add_all(blocks_->maxima());
        sample_.add_all(others_);
        sample_.add_some(logits, blocks_->maxima());
        bracket = sample_.find({query_.share, 0}, range_);
        if (sample_.tokens(bracket) > kMostInside * static_cast<double>(logits.size())) {
            range_ = bracket;
            return false;
        }
    }
    const Blocks::Split found = split_all(bracket.low, bracket.high);
    if (total_ == 0) {
        total_ = found.total + blocks_->weight(base, bracket.low, found.total);
        target_ = query_.share * total_;
    }
    take([this](Bracket side) { return split_all(side.low, side.high); }, bracket, found);
    return true;
}

// Logits so large that float32 holds no octaves beside them, or a mask that cuts into what counts.
void Nucleus::look_in_float64() {
    const float floor = std::max(query_.top - 64, query_.floor);
    count_ = 0;
    BlockBuffer buffer;
    for (const std::uint32_t index : blocks_->at_least(std::max(floor, query_.mask_floor)))
        for (const float x : blocks_->block(index, buffer))
            if (x >= floor && x >= query_.mask_floor) list_[count_++] = x;
    total_ = 0;
    if (blocks_->top() >= query_.mask_floor) total_ = blocks_->mass(query_.mask_floor).weight * weight(blocks_->top());
    for (const float x : others_) {
        total_ += weight(x);
        if (x >= floor) list_[count_++] = x;
    }
    target_ = query_.share * total_;
    range_ = {-kInfinity, kInfinity};
}

// Makes the first list. False if the prefix reaches below the floor.
bool Nucleus::look() {
    if (std::abs(query_.top) > 1e6F || lowest_ < query_.mask_floor) {
        look_in_float64();
        return true;
    }
    constexpr float first_step = 2;
    const float down = query_.top - kSteepDepth;
    if (query_.floor > down || blocks_->at_least(down).size() <= blocks_->maxima().size() / kSteep)
        return look_from_top(first_step);
    return look_at_sample() || look_from_top(std::max(query_.top - range_.high, first_step));
}

// From a list of any length to few, or to one value.
void Nucleus::narrow() {
    constexpr int kRounds = 12;        // three do; whatever defeats them is sorted
    if (range_.low < lowest_) return;  // what was looked at in float64 no kernel can weigh
    for (int round = 0; round < kRounds && count_ > kFew && range_.high != after(range_.low); ++round) {
        sample_.clear(blocks_->kernels(), static_cast<float>(base_));
        if (count_ > kWholeSample)
            sample_.add_some({list_.data(), count_}, {});
        else
            sample_.add_all({list_.data(), count_});
        const std::size_t count = count_;
        const Bracket bracket = sample_.find({0, target_ - before_}, range_);
        take([this](Bracket side) { return split_list(side); }, bracket, split_list(bracket));
        if (count <= kWholeSample && count_ == count) return;  // ties
    }
}

// Walks down what is left. If that falls short a bracket had ended too high, or rounding is to blame and the last is meant.
std::optional<Crossing> Nucleus::finish() {
    const auto first = list_.begin();
    const auto last = first + static_cast<std::ptrdiff_t>(count_);
    if (range_.high != after(range_.low)) std::sort(first, last, std::greater<>());
    for (auto at = first; at != last;) {
        const auto next = std::find_if(at, last, [at](float x) { return x != *at; });
        const double each = weight(*at);
        const auto ties = static_cast<std::size_t>(next - at);
        const double needed = std::max(std::ceil((target_ - before_) / each), 1.0);
        if (needed <= static_cast<double>(ties) || (careful_ && next == last)) {
            const auto before = before_count_ + static_cast<std::size_t>(at - first);
            return Crossing{*at, before, ties, static_cast<std::size_t>(std::min(needed, static_cast<double>(ties)))};
        }
        before_ += static_cast<double>(ties) * each;
        at = next;
    }
    return std::nullopt;
}

std::optional<Crossing> Nucleus::find(Blocks& blocks, std::span<const float> others, const Query& query) {
    blocks_ = &blocks;
    others_ = others;
    query_ = query;
    base_ = std::round(static_cast<double>(query.top) * static_cast<double>(kOctavesPerNat));
    const std::size_t tokens = blocks.logits().size() + others.size();
    lowest_ = query.top - static_cast<float>(std::log(static_cast<double>(tokens)) + 16.0);
    if (list_.size() < tokens + kLanes) list_.resize(tokens + kLanes);
    if (spare_.size() < tokens + kLanes) spare_.resize(tokens + kLanes);
    for (careful_ = false;; careful_ = true) {
        total_ = before_ = 0;
        before_count_ = 0;
        if (!look()) return std::nullopt;
        narrow();
        auto found = finish();
        if (found || careful_) return found;
    }
}

}  // namespace hlg::sample
