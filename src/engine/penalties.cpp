// SPDX-License-Identifier: MIT
#include "engine/penalties.hpp"

#include <algorithm>
#include <cmath>

namespace hlg::engine {

EditList::EditList(const Penalties& penalties, std::vector<Edit> bias, std::span<const Token> prompt)
    : penalties_(penalties), bias_(std::move(bias)) {
    if (penalties_.off()) return;
    if (penalties_.last_n > 0) prompt = prompt.last(std::min(prompt.size(), static_cast<std::size_t>(penalties_.last_n)));
    for (const Token token : prompt) enter(token);
}

void EditList::enter(Token token) {
    if (penalties_.last_n == 0) return;
    ++counts_[token].recent;
    if (penalties_.last_n < 0) return;
    if (window_.size() < static_cast<std::size_t>(penalties_.last_n)) {
        window_.push_back(token);
        return;
    }
    const auto gone = counts_.find(window_[oldest_]);
    if (--gone->second.recent == 0 && gone->second.generated == 0) counts_.erase(gone);
    window_[oldest_] = token;
    oldest_ = (oldest_ + 1) % window_.size();
}

void EditList::accept(Token token) {
    if (penalties_.off()) return;
    ++counts_[token].generated;
    enter(token);
}

std::span<const Edit> EditList::edits(std::span<const float> logits) {
    edits_.assign(bias_.begin(), bias_.end());
    for (const auto& [token, count] : counts_) {
        const auto x = static_cast<double>(logits[static_cast<std::size_t>(token)]);
        double delta = 0;
        // A masked token stays masked; -inf times anything is no delta.
        if (count.recent > 0 && std::isfinite(x)) delta = (x > 0 ? x / penalties_.repeat : x * penalties_.repeat) - x;
        if (count.generated > 0) delta -= penalties_.presence + penalties_.frequency * static_cast<double>(count.generated);
        if (delta != 0) edits_.push_back({token, static_cast<float>(delta)});
    }
    // In a fixed order, whatever the map's: float sums of one token's deltas must not depend on it.
    std::stable_sort(edits_.begin(), edits_.end(), [](const Edit& a, const Edit& b) { return a.token < b.token; });
    return edits_;
}

}  // namespace hlg::engine
