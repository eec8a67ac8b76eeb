// The whole distribution of a prepared step, in float64 with the C library's functions: what the draw draws from, token by token.
#pragma once

#include <span>

#include "hlg/sampler.hpp"
#include "sample/core.hpp"

namespace hlg::sample {

/** probabilities[vocab], summing to 1 within rounding. */
void probabilities(const Core& core, std::span<double> out);

/** The shaped logits [vocab], -inf where a token cannot be drawn; softmax of them is the distribution. */
void shaped_logits(const Core& core, std::span<const float> raw, std::span<float> out);

/** Statistics beside the model's own distribution of `raw`; see Statistics. */
[[nodiscard]] Statistics statistics(const Core& core, std::span<const float> raw, double log_prob);

}  // namespace hlg::sample
