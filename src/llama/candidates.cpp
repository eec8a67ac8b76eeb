// SPDX-License-Identifier: MIT
#include "candidates.hpp"

#include <algorithm>
#include <numeric>

namespace hlg::llama {

void Candidates::read(const llama_token_data_array& array) {
    const std::span data(array.data, array.size);
    logits_.resize(data.size());
    order_.clear();
    bool rising = true;
    for (std::size_t i = 0; i < data.size(); ++i) {  // one pass: at 262k tokens the array is 3 MiB
        logits_[i] = data[i].logit;
        rising &= i == 0 || data[i - 1].id < data[i].id;
    }
    if (rising) return;
    order_.resize(data.size());
    std::iota(order_.begin(), order_.end(), 0U);
    std::sort(order_.begin(), order_.end(), [&](std::uint32_t a, std::uint32_t b) { return data[a].id < data[b].id; });
    for (std::size_t rank = 0; rank < data.size(); ++rank) logits_[rank] = data[order_[rank]].logit;
}

void Candidates::write(const llama_token_data_array& array) const noexcept {
    for (std::size_t rank = 0; rank < logits_.size(); ++rank) array.data[place(rank)].logit = logits_[rank];
}

}  // namespace hlg::llama
