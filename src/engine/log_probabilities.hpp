// SPDX-License-Identifier: MIT
//
// The model's own distribution over the next token, as clients see it: ln softmax of the raw logits.
#pragma once

#include <span>
#include <vector>

#include "engine/event.hpp"
#include "hlg/status.hpp"
#include "sample/blocks.hpp"

namespace hlg::engine {

class LogProbabilities {
public:
    /** Reads a row of logits, [vocab], which must stay until the last question. Status::nan, infinite or no_token as for a draw.
     */
    Status read(std::span<const float> logits);

    /** ln p of a token, nats, within 1e-5; -inf if the model masks it. */
    [[nodiscard]] float of(Token token) const;

    /** The n most probable tokens, best first, lower ids first among equals. */
    [[nodiscard]] std::vector<TokenLogProbability> highest(std::size_t n);

private:
    sample::Blocks blocks_{*sample::available_kernels().front()};
    std::span<const float> logits_;
    double log_sum_ = 0;  ///< ln sum exp x
    std::vector<float> maxima_;
    std::vector<std::uint32_t> ids_;
};

}  // namespace hlg::engine
