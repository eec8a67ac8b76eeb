// SPDX-License-Identifier: MIT
//
// The curve as ggml operations, so that it runs on the device that holds the logits. Everything is float32, and only operations
// that a device may have are used; what float32 cannot do well is left to the CPU.
#pragma once

#include <functional>

#include <llama.h>

#include "hlg/llama.hpp"

namespace hlg::llama {

/** Temperatures below this are greedy, as everywhere in libhlg. */
inline constexpr double greedy_temperature = 1e-5;

/** Logits further below the top than this are masked, nats, as everywhere in libhlg. */
inline constexpr double mask_depth = 1e4;

/** One setting's part of a graph. */
class GraphCurve {
public:
    GraphCurve(const SamplerParams& params, Role role);

    /**
     * Whether the graph would draw what libhlg draws. Not so: a draw other than greedy, top_p, top_k and min_p without the curve,
     * the median pivot, rolloffs outside 1e-3 to 64 nats, temperatures above 90.
     */
    [[nodiscard]] bool expressible() const;

    /** Adds the operations. `data` holds logits [n], candidates [n] or null, and gets the results. */
    void build(ggml_context* ctx, llama_sampler_data& data) const;

private:
    [[nodiscard]] ggml_tensor* curved(ggml_context* ctx, ggml_tensor* x) const;

    double temperature_;
    bool greedy_;
    bool truncated_;
    Role role_;
    Curve curve_;
};

/** Adds a sampler's operations to a graph. */
using GraphBuilder = std::function<void(ggml_context* ctx, llama_sampler_data& data)>;

/**
 * Asks the device of these buffers whether it runs every operation that `build` adds, with a whole vocabulary and with a list of
 * candidates; what a sampler that draws leaves behind is there if `drawn`. False also if there is no memory to ask with.
 */
[[nodiscard]] bool device_runs(ggml_backend_buffer_type_t buffers, const GraphBuilder& build, bool drawn = false);

/** 1 if the value [1] is above 0, else (0, negative or NaN) 0. */
[[nodiscard]] ggml_tensor* is_positive(ggml_context* ctx, ggml_tensor* value);

/** The token [1] of int32 where `valid` [1] of float32 is 1, LLAMA_TOKEN_NULL where it is 0. */
[[nodiscard]] ggml_tensor* token_or_null(ggml_context* ctx, ggml_tensor* token, ggml_tensor* valid);

/** Entry `index` [1] of a vector [n]. */
[[nodiscard]] ggml_tensor* entry(ggml_context* ctx, ggml_tensor* vector, ggml_tensor* index);

}  // namespace hlg::llama
