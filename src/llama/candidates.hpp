// SPDX-License-Identifier: MIT
//
// llama.cpp's candidate array as libhlg sees it. Samplers in front of us may have sorted it or dropped tokens, so a place in it
// is not a token id; here the candidates stand in the order of their ids, whatever order they came in.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <llama.h>

namespace hlg::llama {

class Candidates {
public:
    /** Takes the logits of an array, [size]. Sorts only if the ids do not rise. */
    void read(const llama_token_data_array& array);

    /** In the order of token ids; to be read, or shaped in place and written back. */
    [[nodiscard]] std::span<float> logits() noexcept { return logits_; }

    /** Where in the array the candidate lies that is number `rank` by id. */
    [[nodiscard]] std::size_t place(std::size_t rank) const noexcept { return order_.empty() ? rank : order_[rank]; }

    /** Puts the logits back to where they were read. */
    void write(const llama_token_data_array& array) const noexcept;

private:
    std::vector<float> logits_;
    std::vector<std::uint32_t> order_;  ///< places by rising id; empty = they rise already
};

}  // namespace hlg::llama
