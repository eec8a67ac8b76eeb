// SPDX-License-Identifier: MIT
#include "engine/log_probabilities.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

namespace hlg::engine {

Status LogProbabilities::read(std::span<const float> logits) {
    logits_ = logits;
    if (logits.empty()) return Status::empty;
    if (const Status status = blocks_.scan_and_weigh(logits); status != Status::ok) return status;
    log_sum_ = static_cast<double>(blocks_.top()) + std::log(blocks_.mass().weight);
    return Status::ok;
}

float LogProbabilities::of(Token token) const {
    return static_cast<float>(static_cast<double>(logits_[static_cast<std::size_t>(token)]) - log_sum_);
}

std::vector<TokenLogProbability> LogProbabilities::highest(std::size_t n) {
    n = std::min(n, logits_.size());
    if (n == 0) return {};
    float floor = -std::numeric_limits<float>::infinity();
    if (n <= blocks_.maxima().size()) {
        // n blocks reach their n-th largest maximum, so at least n tokens do.
        maxima_.assign(blocks_.maxima().begin(), blocks_.maxima().end());
        const auto nth = maxima_.begin() + static_cast<std::ptrdiff_t>(n - 1);
        std::nth_element(maxima_.begin(), nth, maxima_.end(), std::greater<>());
        floor = *nth;
    }
    ids_.clear();
    blocks_.gather(floor, ids_);
    const auto before = [this](std::uint32_t a, std::uint32_t b) {
        return logits_[a] != logits_[b] ? logits_[a] > logits_[b] : a < b;
    };
    const auto end = ids_.begin() + static_cast<std::ptrdiff_t>(n);
    std::partial_sort(ids_.begin(), end, ids_.end(), before);
    std::vector<TokenLogProbability> found;
    found.reserve(n);
    for (auto id = ids_.begin(); id != end; ++id) found.push_back({static_cast<Token>(*id), of(static_cast<Token>(*id))});
    return found;
}

}  // namespace hlg::engine
