// SPDX-License-Identifier: MIT
//
// What a sampler did at each token of a text that it drew: the model reads prompt and text again, and the sampler's distribution
// at each place is worked out whole.
#pragma once

#include <atomic>
#include <span>
#include <string>
#include <vector>

#include "engine/context_options.hpp"
#include "engine/model.hpp"
#include "engine/settings.hpp"

namespace hlg::eval {

/** A token that was drawn. */
struct TracedToken {
    std::string text;         ///< the characters that are whole with it; none where it only begins one
    double p = 0.0;           ///< what the model gives to it at temperature 1
    double q = 0.0;           ///< what the sampler gave
    std::string region = {};  ///< "shoulder", "mid", "toe"; empty where no curve was at work
};

/** Means over a text's places, of the sampler's distribution q. */
struct TraceMeans {
    double entropy = 0.0;    ///< of q, nats
    double surprisal = 0.0;  ///< -ln p of the tokens that were drawn, nats
    double kl = 0.0;         ///< KL(q || plain temperature), nats
    double top1 = 0.0;       ///< what q gives to the model's most probable token
    double collision = 0.0;  ///< sum of q^2
    double tail = 0.0;       ///< what q gives to the deep tail, p < 1e-4 outside the 0.99 nucleus
};

struct Trace {
    std::vector<TracedToken> tokens;
    TraceMeans means;  ///< NaN without a token
};

/**
 * The trace of a text whose tokens are given, under settings that drew it after this prompt. Penalties and biases take part; a
 * grammar does not. Throws std::runtime_error, and Stopped when `abort` is raised.
 */
Trace trace_text(const engine::Model& model, const engine::ContextOptions& options, std::span<const engine::Token> prompt,
                 std::span<const engine::Token> text, const engine::ResolvedSettings& settings, const std::atomic<bool>& abort);

}  // namespace hlg::eval
