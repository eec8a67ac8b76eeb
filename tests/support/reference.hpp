// The reference that every sampling test compares with: the formulas of include/hlg/curve.hpp and docs/sampling.md written down
// once more, one after the other, in float64 with plain sums and a full sort. Slow on purpose, and it shares no code with src.
//
// It expects finite or masked logits, valid settings and valid edits; what the library does with others is tested directly.
#pragma once

#include <limits>
#include <span>
#include <vector>

#include "hlg/sampler.hpp"

namespace hlg::test {

inline constexpr float kMinusInfinity = -std::numeric_limits<float>::infinity();

/** Whether these knobs leave the logits alone: width off, or shoulder and toe both off. */
bool rolloff_off(const CurveParams& curve);

/** h(z) - z, h(z) and h'(z) of the formulas. */
double reference_rho(const CurveParams& curve, double z);
double reference_h(const CurveParams& curve, double z);
double reference_slope(const CurveParams& curve, double z);

/** The pivot's logit, from all the logits. */
double reference_pivot(const CurveParams& curve, std::span<const float> logits);

/** One step, worked out in full. */
struct Reference {
    Status status = Status::ok;         ///< ok or no_token
    float gain = 1;                     ///< m
    double pivot = 0;                   ///< NaN where no curve acts
    std::vector<float> value;           ///< [vocab] curved + edit; -inf = masked, banned or cut off
    std::vector<float> shaped;          ///< [vocab] m * value
    std::vector<double> probabilities;  ///< [vocab]
};
Reference reference(const SamplerParams& params, const Step& step);

/** The same with the pivot given, for comparisons beyond the accuracy of the library's own pivot. */
Reference reference_at(const SamplerParams& params, const Step& step, double pivot);

/** The statistics of that step. */
Statistics reference_statistics(const SamplerParams& params, const Step& step, double log_prob);

/** softmax(x), in float64. */
std::vector<double> softmax(std::span<const float> x);

}  // namespace hlg::test
