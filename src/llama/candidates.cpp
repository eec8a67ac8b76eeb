// SPDX-License-Identifier: MIT
#include "candidates.hpp"

#include <algorithm>
#include <numeric>

namespace hlg::llama {

void Candidates::read(const llama_token_data_array& array) {
    const std::span data(array.data, array.size);
    logits_.resize(data.size());
    order_.clear();
    const auto by_id = [](const llama_token_data& a, const llama_token_data& b) { return a.id < b.id; };
    if (!std::is_sorted(data.begin(), data.end(), by_id)) {
        order_.resize(data.size());
        std::iota(order_.begin(), order_.end(), 0U);
        std::sort(order_.begin(), order_.end(), [&](std::uint32_t a, std::uint32_t b) { return by_id(data[a], data[b]); });
    }
    for (std::size_t rank = 0; rank < data.size(); ++rank) logits_[rank] = data[place(rank)].logit;
}

void Candidates::write(const llama_token_data_array& array) const noexcept {
    for (std::size_t rank = 0; rank < logits_.size(); ++rank) array.data[place(rank)].logit = logits_[rank];
}

}  // namespace hlg::llama
