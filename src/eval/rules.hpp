// SPDX-License-Identifier: MIT
//
// The samplers. Those that cut keep a part of the ranking at temperature 1, then temperature acts on what is left, as in
// llama.cpp's default chain; of equal tokens the lowest ids are kept. Each is given with the source of its formula; the tests
// compare those that llama.cpp has with llama.cpp's own.
#pragma once

#include "eval/sampler.hpp"
#include "hlg/curve.hpp"

namespace hlg::eval {

/** softmax(x / T). */
SamplerPointer temperature_rule();

/** The k most probable tokens; k >= 1 (Fan et al. 2018). */
SamplerPointer top_k_rule(double k);

/** The fewest tokens, from the top, that hold a share `p` of the mass (Holtzman et al. 2020). */
SamplerPointer top_p_rule(double p);

/** Tokens with at least `p` times the top one's probability (Nguyen et al. 2024). */
SamplerPointer min_p_rule(double p);

/** Tokens with at least this probability, and the top one (Hewitt et al. 2022). */
SamplerPointer epsilon_rule(double p);

/** Tokens within n standard deviations of all logits below the largest (Tang et al. 2024). */
SamplerPointer top_n_sigma_rule(double n);

/** The tokens whose surprisal is nearest the entropy, until they hold more than a share `p` (Meister et al. 2023). */
SamplerPointer typical_rule(double p);

/** The longest prefix of the ranking whose entropy, by itself, is at most alpha * H; the top one at least. (Potraghloo et al.
   2025, "Top-H decoding", algorithm 1; alpha = 0.4 there.) */
SamplerPointer top_h_rule(double alpha);

/** With probability `probability`, of the tokens that have at least `threshold` all but the least probable are taken out (p-e-w
   2024, "exclude top choices"). The distribution is the mixture of both cases. */
SamplerPointer xtc_rule(double threshold, double probability);

/** min_p, then a temperature that grows with the entropy of what is left: T (1 - range + 2 range (H / ln n)^exponent), n tokens
   being left (kalomaze 2023; llama.cpp's temp_ext with delta = range T, range from 0 to 1). */
SamplerPointer dynamic_temperature_rule(double min_p, double range, double exponent);

/** score = -factor (k d^2 - s d^3), d = x - max, k = (3 - curve) / 2, s = (curve - 1) / 2; factor > 0, curve 1 to 3 (kalomaze
   2024, "quadratic sampling", smoothing_factor and smoothing_curve of text-generation-webui). */
SamplerPointer quadratic_rule(double factor, double curve);

/** The HLG curve, its pivot from the model's own distribution. */
SamplerPointer hlg_rule(const CurveParams& params);

/** After temperature: tokens with at least the chance that two draws agree, sum of q^2 (Tan et al. 2025, "p-less sampling"). */
SamplerPointer p_less_rule();

/** After temperature: tokens whose surprisal in bits is at most mu, which follows the text: from 2 tau on, less eta times what
   the token drawn surprises more than tau (Basu et al. 2021; llama.cpp's mirostat_v2). */
SamplerPointer mirostat_rule(double tau, double eta);

/** min_p, then, after temperature, scores by the distance of a token's probability from a target, which moves against the mean
   probability of the tokens drawn so far, older ones fading by `decay` each token (llama.cpp's adaptive_p). */
SamplerPointer adaptive_p_rule(double min_p, double target, double decay);

}  // namespace hlg::eval
