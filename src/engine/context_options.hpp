// SPDX-License-Identifier: MIT
//
// How a model is run: the options that are llama.cpp's, with our defaults.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/model.hpp"

namespace hlg::engine {

/** A KV cache for a model's full 128k context takes gigabytes; nobody asked for them by default. */
inline constexpr std::size_t default_context = 4096;

/** A low-rank change to the model's weights. */
struct LoraAdapter {
    std::string path;    ///< GGUF file
    float scale = 1.0F;  ///< times the adapter's own
};

struct ContextOptions {
    std::size_t lanes = 1;                         ///< sequences side by side, at most max_lanes
    std::size_t context = 0;                       ///< tokens a lane; 0 = what the model was trained for, at most default_context
    int threads = 0;                               ///< 0 = as many as pays on this machine
    std::size_t chunk = 256;                       ///< prompt tokens a decode, and llama.cpp's micro-batch
    std::optional<bool> flash_attention = {};      ///< unset = what suits the model
    std::optional<std::string> cache_type_k = {};  ///< of the KV cache, one of cache_types; unset = what suits the model
    std::optional<std::string> cache_type_v = {};  ///< a quantized one needs flash attention
    std::vector<LoraAdapter> lora = {};            ///< they add up
};

/** When the lanes' draws, between two decodes, are shared among several threads. */
struct DrawSharing {
    std::size_t threads = 0;  ///< the engine's own included; 0 = as many as the context's
    /** Logits a step. A draw takes about 100 us a million logits that come fresh from a decode; waking a thread takes tens of it.
     */
    std::size_t from = 1'000'000;
};

/** The types that a KV cache may have, as ggml names them. */
inline constexpr std::array<std::string_view, 9> cache_types{"f32",  "f16",  "bf16",   "q8_0", "q5_1",
                                                             "q5_0", "q4_1", "iq4_nl", "q4_0"};

/** llama.cpp's own limit on sequences. */
inline constexpr std::size_t max_lanes = 256;

/** The options in force. */
struct ContextLimits {
    std::size_t lanes = 0;
    std::size_t context = 0;
    std::size_t chunk = 0;
    std::size_t outputs = 0;  ///< rows of logits a decode can give
    int threads = 0;
};

/** The context that ContextOptions::context stands for with this model, tokens. */
std::size_t effective_context(const Model& model, std::size_t requested);

}  // namespace hlg::engine
