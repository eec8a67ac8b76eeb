#include "sample/blocks.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace hlg::sample {
namespace {

// Blocks that are weighed as soon as they are read: 16 KiB, which the nearest cache holds beside what else is in use.
constexpr std::size_t kAtOnce = 16;

}  // namespace

void Blocks::begin(std::span<const float> logits) {
    logits_ = logits;
    removed_ = nullptr;
    mass_.reset();
    maxima_.resize((logits.size() + kBlock - 1) / kBlock);
    lane_maxima_.resize(maxima_.size() * kLanes);
}

Status Blocks::scan(std::span<const float> logits) {
    begin(logits);
    return judge(kernels_->scan(logits.data(), logits.size(), maxima_.data(), lane_maxima_.data()));
}

Status Blocks::scan_and_weigh(std::span<const float> logits) {
    begin(logits);
    RunningMass running(*kernels_, logits.size());
    Scan all{.top = kMinusInfinity, .nan = false};
    for (std::size_t index = 0; index < maxima_.size() && !all.nan; index += kAtOnce) {
        const std::size_t blocks = std::min(kAtOnce, maxima_.size() - index);
        const auto some = logits.subspan(index * kBlock, std::min(blocks * kBlock, logits.size() - index * kBlock));
        const Scan found = kernels_->scan(some.data(), some.size(), &maxima_[index], &lane_maxima_[index * kLanes]);
        all = {.top = std::max(all.top, found.top), .nan = found.nan};
        if (!all.nan) running.add(some, std::span(maxima_).subspan(index, blocks), all.top);
    }
    const Status status = judge(all);
    if (Mass mass; status == Status::ok && running.total(top_, mass)) mass_ = mass;
    return status;
}

Status Blocks::judge(const Scan& found) {
    top_ = found.top;
    if (found.nan) return Status::nan;
    if (std::isinf(top_)) return top_ > 0 ? Status::infinite : Status::no_token;
    return Status::ok;
}

void Blocks::remove(const Edits& edits) {
    removed_ = &edits;
    BlockBuffer buffer;
    const auto tokens = edits.tokens();
    for (std::size_t i = 0; i < tokens.size();) {
        const std::size_t index = static_cast<std::size_t>(tokens[i].token) / kBlock;
        const auto rest = block(index, buffer);
        kernels_->scan(rest.data(), rest.size(), &maxima_[index], &lane_maxima_[index * kLanes]);
        while (i < tokens.size() && static_cast<std::size_t>(tokens[i].token) / kBlock == index) ++i;
    }
    if (tokens.empty()) return;
    mass_.reset();
    const std::size_t folds = (maxima_.size() + kBlock - 1) / kBlock;
    folded_.resize(folds * (1 + kLanes));
    top_ = kernels_->scan(maxima_.data(), maxima_.size(), folded_.data(), folded_.data() + folds).top;
}

std::span<const float> Blocks::block(std::size_t index, BlockBuffer& buffer) const {
    const std::size_t first = index * kBlock;
    const auto all = logits_.subspan(first, std::min(kBlock, logits_.size() - first));
    if (removed_ == nullptr) return all;
    const auto edited = removed_->between(first, first + all.size());
    if (edited.empty()) return all;
    std::copy(all.begin(), all.end(), buffer.begin());
    for (const EditedToken& gone : edited) buffer[static_cast<std::size_t>(gone.token) - first] = kMinusInfinity;
    return {buffer.data(), all.size()};
}

std::span<const std::uint32_t> Blocks::at_least(float threshold) {
    found_.resize(maxima_.size() + kLanes);
    const std::size_t count = kernels_->at_least(maxima_.data(), maxima_.size(), threshold, 0, found_.data());
    return {found_.data(), count};
}

void Blocks::gather(float threshold, std::vector<std::uint32_t>& out) {
    BlockBuffer buffer;
    for (const std::uint32_t index : at_least(threshold)) {
        const auto x = block(index, buffer);
        const std::size_t before = out.size();
        out.resize(before + x.size() + kLanes);
        const auto first = static_cast<std::uint32_t>(index * kBlock);
        out.resize(before + kernels_->at_least(x.data(), x.size(), threshold, first, out.data() + before));
    }
}

// Calls visit(logits) for the blocks whose maximum lies in [from, below): neighbours that no edit touched in one piece.
template <class Visit>
void Blocks::for_runs(float from, float below, const Visit& visit) {
    std::size_t first = 0;
    std::size_t last = 0;  // the run so far: blocks [first, last)
    const auto flush = [&] {
        if (first < last) visit(logits_.subspan(first * kBlock, std::min(last * kBlock, logits_.size()) - first * kBlock));
        first = last = 0;
    };
    for (const std::uint32_t index : at_least(from)) {
        if (maxima_[index] >= below) continue;
        if (index != last || first == last) {
            flush();
            first = index;
        }
        last = index + 1;
        if (removed_ == nullptr) continue;
        BlockBuffer buffer;
        const auto x = block(index, buffer);
        if (x.data() != buffer.data()) continue;
        last = index;
        flush();
        visit(x);
    }
    flush();
}

// The tokens of the blocks whose maximum lies in [from, below).
Mass Blocks::sum(float from, float below, bool coarse) {
    const double base = std::round(static_cast<double>(top_) * static_cast<double>(kOctavesPerNat));
    ExpSums sums;
    for_runs(from, below,
             [&](std::span<const float> x) { kernels_->exp_sums(x.data(), x.size(), static_cast<float>(base), coarse, sums); });
    return relative_to_top(sums, base, top_);
}

Mass Blocks::sum_in_float64(float floor) const {
    Mass mass;
    BlockBuffer buffer;
    for (std::size_t index = 0; index < maxima_.size(); ++index) {
        for (const float x : block(index, buffer)) {
            const double depth = static_cast<double>(top_) - static_cast<double>(x);
            if (depth > kMaskDepth || x < floor) continue;
            mass.weight += std::exp(-depth);
            mass.moment += depth * std::exp(-depth);
        }
    }
    return mass;
}

Mass Blocks::mass(float floor) {
    // The kernel's base is a float32 that must hold whole octaves and a distance to them.
    if (std::abs(top_) > 1e6F) return sum_in_float64(floor);
    const float last = lowest_that_counts();
    if (last < floor) return sum_in_float64(floor);  // the mask cuts into what counts, which is rare
    if (mass_) return *mass_;
    constexpr float above_all = std::numeric_limits<float>::infinity();
    const Mass near = sum(top_ - kNear, above_all, false);
    Mass far = sum(last, top_ - kNear, true);
    if (too_coarse(far, near.weight)) far = sum(last, top_ - kNear, false);
    return {near.weight + far.weight, near.moment + far.moment};
}

float Blocks::lowest_that_counts() const noexcept { return top_ - depth_that_counts(logits_.size()); }

Blocks::Split Blocks::split(float base, float low, float high, float* inside) {
    SplitSums sums;
    std::size_t count = 0;
    for_runs(low, std::numeric_limits<float>::infinity(), [&](std::span<const float> x) {
        count += kernels_->split(x.data(), x.size(), base, low, high, inside + count, sums);
    });
    return {std::accumulate(sums.total, sums.total + kLanes, 0.0), std::accumulate(sums.above, sums.above + kLanes, 0.0),
            sums.above_count, count};
}

std::size_t Blocks::collect(float low, float high, float* inside) {
    std::size_t count = 0;
    for_runs(low, std::numeric_limits<float>::infinity(),
             [&](std::span<const float> x) { count += kernels_->collect(x.data(), x.size(), low, high, inside + count); });
    return count;
}

// The tokens of the blocks whose maximum lies in [from, below).
double Blocks::weigh(float base, float from, float below, bool coarse) {
    double sums[kLanes] = {};
    if (from < below)
        for_runs(from, below, [&](std::span<const float> x) { kernels_->weight_sums(x.data(), x.size(), base, coarse, sums); });
    return std::accumulate(sums, sums + kLanes, 0.0);
}

double Blocks::weight(float base, float below, double known) {
    const float near = std::min(top_ - kNear, below);
    const double weight = weigh(base, near, below, false);
    double far = weigh(base, lowest_that_counts(), near, true);
    if (too_coarse({far, 0}, weight + known)) far = weigh(base, lowest_that_counts(), near, false);
    return weight + far;
}

std::size_t Blocks::first_with(float logit) const {
    BlockBuffer buffer;
    const auto holder = std::find_if(maxima_.begin(), maxima_.end(), [&](float maximum) { return maximum >= logit; });
    const auto index = static_cast<std::size_t>(holder - maxima_.begin());
    const auto x = block(index, buffer);
    return index * kBlock + static_cast<std::size_t>(std::find(x.begin(), x.end(), logit) - x.begin());
}

}  // namespace hlg::sample
