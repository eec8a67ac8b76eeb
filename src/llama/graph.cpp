// SPDX-License-Identifier: MIT
//
// Why the operations are the ones they are:
//
// - z is x - top + (top - pivot), not x - pivot: neighbours of the top subtract exactly, and the offset of the `top` pivot is a
//   constant. That leaves the mid's error at a rounding of z, whatever the logits' own size.
// - The logit itself is added last and the rest is exactly 0 in the mid: there the result has the bits of x * m.
// - A mask of -inf makes inf - inf and 0 * inf, and one of -1e30 would cancel against its own log toe. So the curve sees
// distances cut
//   at the mask's depth, and what was cut is added back, enlarged: 0 for every token that is not masked, far below any weight
//   for those that are, NaN if there is no token at all. Cutting and relu swallow NaN; x and the part cut do not.
// - Clamping works in place in some versions of ggml, so it gets a copy.
// - argmax starts at -FLT_MAX on some devices and then finds nothing, index -1, in a row of masks: it sees logits cut to less.
#include "graph.hpp"

#include <cmath>

#include <ggml-backend.h>
#include <ggml.h>

namespace hlg::llama {
namespace {

constexpr float above_argmax_start = -3e38F;

// What is cut off a mask's distance is at least one float32 step at the depth, 0.001 nats.
constexpr float enlarge = 1e30F;

// log(1 + d / b) is off by 6e-8, which b multiplies: up to here that stays under 1e-5 nats.
constexpr double largest_rolloff = 64;
constexpr double smallest_rolloff = 1e-3;

// Masked logits are scaled, not set to -inf, without a curve: at this temperature exp(-1e4 / T) is still 0 in float32.
constexpr double hottest = 90;

ggml_tensor* affine(ggml_context* ctx, ggml_tensor* x, double slope, double bias) {
    return ggml_scale_bias(ctx, x, static_cast<float>(slope), static_cast<float>(bias));
}

ggml_tensor* clamped_copy(ggml_context* ctx, ggml_tensor* x, float low, float high) {
    return ggml_clamp(ctx, ggml_cont(ctx, x), low, high);
}

// The largest entry, [1]: -inf if all are.
ggml_tensor* largest(ggml_context* ctx, ggml_tensor* x) {
    return entry(ctx, x, ggml_argmax(ctx, clamped_copy(ctx, x, above_argmax_start, -above_argmax_start)));
}

// b log(1 + d / b), the rolled-off length of distances d >= 0.
ggml_tensor* rolled(ggml_context* ctx, ggml_tensor* d, double b) {
    return ggml_scale(ctx, ggml_log(ctx, affine(ctx, d, 1 / b, 1)), static_cast<float>(b));
}

// rho of the shoulder, for z = v + offset.
ggml_tensor* shoulder(ggml_context* ctx, ggml_tensor* v, double offset, const Curve& curve) {
    ggml_tensor* d = ggml_relu(ctx, affine(ctx, v, 1, offset - curve.width()));
    return ggml_sub(ctx, rolled(ctx, d, curve.shoulder()), d);
}

// rho of the toe, for z = v + offset.
ggml_tensor* toe(ggml_context* ctx, ggml_tensor* v, double offset, const Curve& curve) {
    ggml_tensor* d = ggml_relu(ctx, affine(ctx, v, -1, -offset - curve.width()));
    if (curve.toe_shape() == ToeShape::log) return ggml_sub(ctx, d, rolled(ctx, d, curve.toe()));
    return ggml_scale(ctx, ggml_sqr(ctx, d), static_cast<float>(-0.5 / curve.toe()));
}

// Candidate ids of indices: the indices themselves while the candidates are the whole vocabulary.
ggml_tensor* ids(ggml_context* ctx, const llama_sampler_data& data, ggml_tensor* index) {
    return data.candidates == nullptr ? index : entry(ctx, data.candidates, index);
}

// The first index of the largest entry, [1]; argmax itself may answer with any of several equals.
ggml_tensor* first_of_largest(ggml_context* ctx, ggml_tensor* x) {
    ggml_tensor* below = ggml_sub(ctx, x, largest(ctx, x));  // 0 or negative
    ggml_tensor* best = affine(ctx, ggml_step(ctx, ggml_neg(ctx, below)), -1, 1);
    const auto count = static_cast<float>(ggml_nelements(x));  // exact below 2^24
    ggml_tensor* earliness = affine(ctx, ggml_arange(ctx, 0, count, 1), -1, count);
    return ggml_argmax(ctx, ggml_mul(ctx, best, earliness));
}

// One candidate left, or for the drawing role the token. A row that has none, or a NaN, gives NaN or LLAMA_TOKEN_NULL: its
// softmax is NaN everywhere.
void build_greedy(ggml_context* ctx, llama_sampler_data& data, ggml_tensor* x, Role role) {
    ggml_tensor* best = first_of_largest(ctx, x);
    ggml_tensor* probability = entry(ctx, ggml_soft_max(ctx, x), best);
    if (role == Role::draw) {
        data.sampled = token_or_null(ctx, ids(ctx, data, best), is_positive(ctx, probability));
        data.logits = data.probs = data.candidates = nullptr;
        return;
    }
    data.candidates = ids(ctx, data, best);
    data.logits = ggml_add(ctx, entry(ctx, x, best), ggml_sub(ctx, probability, probability));
}

bool rolloff_fits(double b) { return std::isinf(b) || (b >= smallest_rolloff && b <= largest_rolloff); }

}  // namespace

GraphCurve::GraphCurve(const SamplerParams& params, Role role)
    : temperature_(params.temperature),
      greedy_(params.temperature < greedy_temperature),
      truncated_(!params.hlg && (params.top_p < 1 || params.top_k > 0 || params.min_p > 0)),
      role_(role) {
    if (params.hlg) curve_ = Curve(*params.hlg);
}

bool GraphCurve::expressible() const {
    if (greedy_) return true;
    if (role_ == Role::draw || truncated_ || temperature_ > hottest) return false;
    return curve_.identity() ||
           (curve_.pivot() != Pivot::median && rolloff_fits(curve_.shoulder()) && rolloff_fits(curve_.toe()));
}

void GraphCurve::build(ggml_context* ctx, llama_sampler_data& data) const {
    ggml_tensor* x = ggml_reshape_1d(ctx, data.logits, ggml_nelements(data.logits));
    if (greedy_) return build_greedy(ctx, data, x, role_);
    data.logits = ggml_scale(ctx, curve_.identity() ? x : curved(ctx, x), static_cast<float>(1 / temperature_));
}

ggml_tensor* GraphCurve::curved(ggml_context* ctx, ggml_tensor* x) const {
    constexpr auto depth = static_cast<float>(mask_depth);
    ggml_tensor* below = ggml_sub(ctx, x, largest(ctx, x));
    ggml_tensor* v = clamped_copy(ctx, below, -depth, 0);
    ggml_tensor* change = ggml_scale(ctx, ggml_sub(ctx, below, v), enlarge);
    double highest = 0;  // the largest v, as far as it is known here
    if (curve_.pivot() == Pivot::entropy) {
        v = ggml_sub(ctx, v, ggml_sum_rows(ctx, ggml_mul(ctx, ggml_soft_max(ctx, v), v)));
        highest = mask_depth;
    }
    const double offset = curve_.offset();
    if (!std::isinf(curve_.shoulder()) && highest + offset > curve_.width())
        change = ggml_add(ctx, change, shoulder(ctx, v, offset, curve_));
    if (!std::isinf(curve_.toe())) change = ggml_add(ctx, change, toe(ctx, v, offset, curve_));
    return ggml_add(ctx, change, x);
}

ggml_tensor* is_positive(ggml_context* ctx, ggml_tensor* value) { return ggml_step(ctx, value); }

ggml_tensor* token_or_null(ggml_context* ctx, ggml_tensor* token, ggml_tensor* valid) {
    // (token + 1) * valid + null, because no operation chooses. LLAMA_TOKEN_NULL is -1; ids are below 2^24, which float32 holds.
    ggml_tensor* one_more = affine(ctx, ggml_cast(ctx, token, GGML_TYPE_F32), 1, 1);
    valid = ggml_reshape_1d(ctx, valid, 1);
    return ggml_cast(ctx, affine(ctx, ggml_mul(ctx, ggml_reshape_1d(ctx, one_more, 1), valid), 1, LLAMA_TOKEN_NULL),
                     GGML_TYPE_I32);
}

ggml_tensor* entry(ggml_context* ctx, ggml_tensor* vector, ggml_tensor* index) {
    ggml_tensor* rows = ggml_reshape_2d(ctx, vector, 1, ggml_nelements(vector));
    return ggml_reshape_1d(ctx, ggml_get_rows(ctx, rows, ggml_reshape_1d(ctx, index, 1)), 1);
}

}  // namespace hlg::llama
