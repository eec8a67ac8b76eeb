#include "sample/blocks.hpp"

#include <algorithm>
#include <cmath>

namespace hlg::sample {

Status Blocks::scan(std::span<const float> logits) {
    logits_ = logits;
    removed_ = nullptr;
    maxima_.resize((logits.size() + kBlock - 1) / kBlock);
    const Scan found = kernels_->scan(logits.data(), logits.size(), maxima_.data());
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
        kernels_->scan(rest.data(), rest.size(), &maxima_[index]);
        while (i < tokens.size() && static_cast<std::size_t>(tokens[i].token) / kBlock == index) ++i;
    }
    if (tokens.empty()) return;
    folded_.resize((maxima_.size() + kBlock - 1) / kBlock);
    top_ = kernels_->scan(maxima_.data(), maxima_.size(), folded_.data()).top;
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

ExpSums Blocks::exp_sums() {
    ExpSums sums;
    // n tokens at this depth weigh e^-20 of the top one together; they and what lies below are left out.
    const auto depth = static_cast<float>(std::log(static_cast<double>(logits_.size())) + 20.0);
    BlockBuffer buffer;
    for (const std::uint32_t index : at_least(top_ - depth)) {
        const auto x = block(index, buffer);
        kernels_->exp_sums(x.data(), x.size(), top_, sums);
    }
    return sums;
}

std::size_t Blocks::first_with(float logit) const {
    BlockBuffer buffer;
    const auto holder = std::find_if(maxima_.begin(), maxima_.end(), [&](float maximum) { return maximum >= logit; });
    const auto index = static_cast<std::size_t>(holder - maxima_.begin());
    const auto x = block(index, buffer);
    return index * kBlock + static_cast<std::size_t>(std::find(x.begin(), x.end(), logit) - x.begin());
}

}  // namespace hlg::sample
