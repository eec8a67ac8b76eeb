// SPDX-License-Identifier: MIT
//
// HLG as a sampler of llama.cpp, for any program that builds its sampler chains with llama.h:
//
//     llama_sampler* chain = llama_sampler_chain_init(llama_sampler_chain_default_params());
//     llama_sampler_chain_add(chain, hlg_llama_init({.hlg = hlg::find_preset("balanced")->params}, hlg::llama::Role::draw));
//     hlg::Draw draw = hlg_llama_sample(chain, ctx, -1);
//
// The curve reads the candidates as they come to it. Put it first, so that they are the model's own distribution, and put what
// changes scores (penalties, biases) behind it, where the curve does not compress it. docs/llama.md says which part can run in
// the compute graph, and when it falls back to the CPU.
//
// The names declared here are llama.h's own, so this header needs no other and no order of inclusion.
#pragma once

#include <cstdint>
#include <string>

#include "hlg/sampler.hpp"

struct llama_context;
struct llama_sampler;

namespace hlg::llama {

/** What a sampler of ours does to the candidates. */
enum class Role {
    shape,  ///< replaces the logits by the shaped ones, which a later sampler draws from: llama_sampler_init_dist. No randomness
    draw,   ///< draws the token and so ends the chain: libhlg's exact draw, with its seed and its stream of random numbers
};

/** Why no sampler was made. */
struct Error {
    Status status = Status::ok;
    std::string message;  ///< "[hlg.width] must be >= 0 or off, got -1"
};

}  // namespace hlg::llama

/**
 * A new sampler, freed by llama_sampler_free or by the chain that it is added to. Null if a setting is out of its range; `error`
 * then says which. In Role::draw the token depends on the seed, the candidates, the number of tokens accepted since the start or
 * the last reset (which programs that accept the prompt too should call after it), and how often the same token was drawn
 * before, and not on the candidates' order. A clone goes on where its original stands.
 *
 * What goes wrong while sampling cannot be returned by llama_sampler_apply. It leaves no token selected, Role::shape also no
 * candidates, so that llama_sampler_sample stops the program instead of drawing a wrong token; hlg_llama_sample returns it.
 */
[[nodiscard]] llama_sampler* hlg_llama_init(const hlg::SamplerParams& params, hlg::llama::Role role,
                                            hlg::llama::Error* error = nullptr) noexcept;

/**
 * A new sampler to put behind llama_sampler_init_dist (or _greedy) in a chain that runs in the compute graph. It keeps the
 * logits and the probabilities on the device, so that only the token is copied to the host, and turns a token drawn from
 * nothing (every logit -inf, or a NaN) into LLAMA_TOKEN_NULL. On the CPU it does the latter only.
 */
[[nodiscard]] llama_sampler* hlg_llama_init_token_only() noexcept;

/**
 * Draws with the chain from output `index` of the last decode (-1 = the last one), and accepts the token. As
 * llama_sampler_sample, but what goes wrong is a value: the status of the sampler of ours that met it, or no_token when it
 * happened in the compute graph, where the reasons (no candidate left, NaN, +inf) look alike. Allocates at most once a chain.
 */
[[nodiscard]] hlg::Draw hlg_llama_sample(llama_sampler* chain, llama_context* context, std::int32_t index) noexcept;

/** How the last llama_sampler_apply of a sampler made by hlg_llama_init went; argument for any other sampler. */
[[nodiscard]] hlg::Status hlg_llama_status(const llama_sampler* sampler) noexcept;

/** Whether a sampler made by hlg_llama_init or hlg_llama_init_token_only runs in the compute graph of a context. */
[[nodiscard]] bool hlg_llama_in_graph(const llama_sampler* sampler) noexcept;
