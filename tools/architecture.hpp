// SPDX-License-Identifier: MIT
//
// What a model is made of: its sizes, the metadata that llama.cpp asks for, the names, shapes and spread of its tensors.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gguf_file.hpp"

namespace hlg::tools {

enum class Architecture { llama, gemma4 };

struct ModelPlan {
    std::string name;
    Architecture architecture = Architecture::llama;
    std::int64_t layers = 0;
    std::int64_t embedding = 0;  ///< length of a token's vector
    std::int64_t heads = 0;
    std::int64_t kv_heads = 0;
    std::int64_t feed_forward = 0;
    std::int64_t vocabulary = 0;  ///< tokens; 0 = as many as the vocabulary's file has
    std::int64_t context = 0;     ///< tokens it claims to be trained for
};

/** Plans by name: gemma4, minicpm5, llama-88m. */
const std::vector<ModelPlan>& known_plans();

/** Throws MakeError unless such a model can be made and quantised. */
void validate(const ModelPlan& plan);

/** Sets the architecture's metadata; the vocabulary is not among it. */
void describe(gguf_context* metadata, const ModelPlan& plan);

/** The tensors, output norm included: its weights are 1, to be scaled once the logits are known. */
std::vector<TensorPlan> tensors_of(const ModelPlan& plan);

/** The tensor whose scale is the scale of the logits. */
inline constexpr const char* output_norm = "output_norm.weight";

}  // namespace hlg::tools
