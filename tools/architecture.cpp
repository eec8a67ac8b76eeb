// SPDX-License-Identifier: MIT
#include "architecture.hpp"

#include <array>
#include <cmath>
#include <string_view>

namespace hlg::tools {
namespace {

constexpr std::int64_t gemma_global_every = 6;  // five layers see a window, the sixth sees everything
constexpr std::int64_t gemma_window = 64;       // tokens; Gemma's own 1,024 would never be left in a test

// Gemma's output and input share one matrix. What the layers add, each so much, must drown a token's own vector, or the model
// repeats its input.
constexpr double gemma_gain = 12.0;

// The share of the residual stream's mean square, behind the last layer, of the vector that all embeddings contain.
constexpr double shared_energy = 0.5;

bool sees_all(const ModelPlan& plan, std::int64_t layer) {
    return (layer + 1) % gemma_global_every == 0 || layer + 1 == plan.layers;
}

/** A layer's attention. */
struct Heads {
    std::int64_t size;  ///< length of a head's vectors
    std::int64_t kv;    ///< heads of keys and values
};

/** Gemma 4's global layers have larger and fewer heads of keys and values than those with a window. */
Heads heads_of(const ModelPlan& plan, std::int64_t layer) {
    const std::int64_t size = plan.embedding / plan.heads;
    if (plan.architecture == Architecture::llama || !sees_all(plan, layer)) return {size, plan.kv_heads};
    return {2 * size, std::max<std::int64_t>(plan.kv_heads / 2, 1)};
}

/** Sets keys under the architecture's own name. */
class Keys {
public:
    Keys(gguf_context* metadata, std::string prefix) : metadata_(metadata), prefix_(std::move(prefix)) {}

    void number(const char* key, std::int64_t value) const {
        gguf_set_val_u32(metadata_, full(key).c_str(), static_cast<std::uint32_t>(value));
    }
    void real(const char* key, float value) const { gguf_set_val_f32(metadata_, full(key).c_str(), value); }

    template <class T>
    void array(const char* key, gguf_type type, const std::vector<T>& values) const {
        gguf_set_arr_data(metadata_, full(key).c_str(), type, values.data(), values.size());
    }

private:
    [[nodiscard]] std::string full(const char* key) const { return prefix_ + "." + key; }

    gguf_context* metadata_;
    std::string prefix_;
};

void describe_gemma(const Keys& keys, const ModelPlan& plan) {
    const std::int64_t size = plan.embedding / plan.heads;
    std::vector<std::int8_t> windows;  // llama.cpp takes GGUF's booleans only as an array
    std::vector<std::int32_t> kv_heads;
    for (std::int64_t layer = 0; layer < plan.layers; ++layer) {
        windows.push_back(sees_all(plan, layer) ? 0 : 1);
        kv_heads.push_back(static_cast<std::int32_t>(heads_of(plan, layer).kv));
    }
    keys.array("attention.sliding_window_pattern", GGUF_TYPE_BOOL, windows);
    keys.array("attention.head_count_kv", GGUF_TYPE_INT32, kv_heads);
    keys.number("attention.sliding_window", gemma_window);
    keys.number("attention.shared_kv_layers", 0);
    keys.number("embedding_length_per_layer_input", 0);
    for (const char* key : {"attention.key_length", "attention.value_length", "rope.dimension_count"}) {
        keys.number(key, 2 * size);
        keys.number((std::string(key) + "_swa").c_str(), size);  // without it making a context aborts the process
    }
    keys.real("rope.freq_base", 1e6F);
    keys.real("rope.freq_base_swa", 1e4F);
    keys.real("final_logit_softcapping", 0.0F);  // without the key llama.cpp takes 30, and scaling is no longer a multiplication
}

/** The inverse square root keeps what a matrix puts out as large as what it takes in. */
TensorPlan matrix(std::string name, std::int64_t columns, std::int64_t rows) {
    return {
        .name = std::move(name), .columns = columns, .rows = rows, .deviation = 1.0 / std::sqrt(static_cast<double>(columns))};
}

TensorPlan constant(std::string name, std::int64_t length, double value) {
    const auto count = static_cast<std::size_t>(length);
    return {.name = std::move(name), .columns = length, .values = std::vector<float>(count, static_cast<float>(value))};
}

/** The norm in front of a layer's matrices hides the quarter that all embeddings share: what every token says alike would drown
    what each says for itself, and the context would hardly matter. The rest is made as large as the whole. */
TensorPlan layer_norm(std::string name, std::int64_t length) {
    TensorPlan norm = constant(std::move(name), length, std::sqrt(1.0 / (0.75 * (1.0 - shared_energy))));
    std::fill_n(norm.values.begin(), length / 4, 0.0F);
    return norm;
}

/** The factors of Gemma 4's proportional RoPE: a quarter of the dimensions turn, the others stand still. */
TensorPlan rope_factors(const ModelPlan& plan) {
    TensorPlan factors = constant("rope_freqs.weight", plan.embedding / plan.heads, 1e30);
    std::fill_n(factors.values.begin(), factors.values.size() / 4, 1.0F);
    return factors;
}

void add_gemma_norms(std::vector<TensorPlan>& tensors, const ModelPlan& plan, const std::string& layer, std::int64_t head) {
    // Keys and queries are normed and not scaled after that; these weights are what 1/sqrt(head) does elsewhere.
    const double fourth_root = std::pow(static_cast<double>(head), -0.25);
    tensors.push_back(constant(layer + "attn_q_norm.weight", head, fourth_root));
    tensors.push_back(constant(layer + "attn_k_norm.weight", head, fourth_root));
    tensors.push_back(constant(layer + "post_attention_norm.weight", plan.embedding, gemma_gain));
    tensors.push_back(constant(layer + "post_ffw_norm.weight", plan.embedding, gemma_gain));
}

void add_layer(std::vector<TensorPlan>& tensors, const ModelPlan& plan, std::int64_t index) {
    const std::string layer = "blk." + std::to_string(index) + ".";
    const Heads heads = heads_of(plan, index);
    tensors.push_back(layer_norm(layer + "attn_norm.weight", plan.embedding));
    tensors.push_back(matrix(layer + "attn_q.weight", plan.embedding, heads.size * plan.heads));
    tensors.push_back(matrix(layer + "attn_k.weight", plan.embedding, heads.size * heads.kv));
    tensors.push_back(matrix(layer + "attn_v.weight", plan.embedding, heads.size * heads.kv));
    tensors.push_back(matrix(layer + "attn_output.weight", heads.size * plan.heads, plan.embedding));
    tensors.push_back(layer_norm(layer + "ffn_norm.weight", plan.embedding));
    tensors.push_back(matrix(layer + "ffn_gate.weight", plan.embedding, plan.feed_forward));
    tensors.push_back(matrix(layer + "ffn_up.weight", plan.embedding, plan.feed_forward));
    tensors.push_back(matrix(layer + "ffn_down.weight", plan.feed_forward, plan.embedding));
    if (plan.architecture == Architecture::gemma4) add_gemma_norms(tensors, plan, layer, heads.size);
}

/** Adds the matrices of input and output. Were all rows alike, the likely tokens would be the few highest of 262,144 independent
    logits, and the entropy a matter of luck: between 0.1 and 6 nats from one text to the next. So that it is not, some tokens are
    likely whatever the text, as in language: their rows lean towards a vector that every token's embedding contains. */
void add_vocabulary(std::vector<TensorPlan>& tensors, const ModelPlan& plan) {
    constexpr double lead = 5.0;  // of the frequent tokens' logits before the others', in standard deviations of a logit
    const bool gemma = plan.architecture == Architecture::gemma4;
    // What a layer adds to the mean square of the residual stream, which a token's own vector begins with 1; Llama's is measured.
    const double layer = gemma ? 2.0 * gemma_gain * gemma_gain : 0.6;
    const double residual = std::sqrt((1.0 + layer * static_cast<double>(plan.layers)) / (1.0 - shared_energy));
    const double common = residual * std::sqrt(4.0 * shared_energy);  // it lies in a quarter of the channels
    const double length = std::sqrt(static_cast<double>(plan.embedding));
    const double frequent = 4.0 * lead * residual / (common * length);
    TensorPlan input = matrix("token_embd.weight", plan.embedding, plan.vocabulary);
    input.common = common;
    if (gemma) {  // one matrix for both
        input.frequent = frequent;
        tensors.push_back(std::move(input));
        return;
    }
    input.deviation = 1.0;  // Gemma multiplies by the square root of the length instead
    tensors.push_back(std::move(input));
    TensorPlan output = matrix("output.weight", plan.embedding, plan.vocabulary);
    output.frequent = frequent;
    tensors.push_back(std::move(output));
}

void require(bool holds, const std::string& what) {
    if (!holds) throw MakeError(what);
}

}  // namespace

const std::vector<ModelPlan>& known_plans() {
    static const std::vector<ModelPlan> plans{
        // name, architecture, layers, embedding, heads, kv_heads, feed_forward, vocabulary, context
        {"gemma4", Architecture::gemma4, 6, 256, 4, 2, 512, 0, 8192},
        {"minicpm5", Architecture::llama, 4, 256, 4, 2, 768, 130'560, 8192},
        {"llama-88m", Architecture::llama, 16, 512, 8, 8, 1536, 32'768, 4096},
    };
    return plans;
}

void validate(const ModelPlan& plan) {
    constexpr std::int64_t block = 32;  // weights that share a scale in Q8_0 and Q4_0
    require(plan.embedding % block == 0 && plan.feed_forward % block == 0,
            "--embd and --ff must be multiples of 32, the block of a quantised matrix");
    require(plan.embedding % plan.heads == 0 && plan.embedding / plan.heads % 8 == 0,
            "--embd must be a multiple of eight times --heads: rotary embeddings turn pairs");
    require(plan.heads % plan.kv_heads == 0, "--heads must be a multiple of --kv-heads");
}

void describe(gguf_context* metadata, const ModelPlan& plan) {
    const std::string architecture = plan.architecture == Architecture::gemma4 ? "gemma4" : "llama";
    gguf_set_val_str(metadata, "general.architecture", architecture.c_str());
    gguf_set_val_str(metadata, "general.type", "model");
    gguf_set_val_str(metadata, "general.name", (plan.name + ", random weights").c_str());
    gguf_set_val_u32(metadata, "general.file_type", 1);  // float16
    const Keys keys(metadata, architecture);
    keys.number("block_count", plan.layers);
    keys.number("context_length", plan.context);
    keys.number("embedding_length", plan.embedding);
    keys.number("feed_forward_length", plan.feed_forward);
    keys.number("attention.head_count", plan.heads);
    keys.real("attention.layer_norm_rms_epsilon", 1e-6F);
    if (plan.architecture == Architecture::gemma4) {
        describe_gemma(keys, plan);
        return;
    }
    keys.number("vocab_size", plan.vocabulary);
    keys.number("attention.head_count_kv", plan.kv_heads);
    keys.number("rope.dimension_count", plan.embedding / plan.heads);
    keys.real("rope.freq_base", 1e4F);
}

std::vector<TensorPlan> tensors_of(const ModelPlan& plan) {
    std::vector<TensorPlan> tensors;
    add_vocabulary(tensors, plan);
    tensors.push_back(constant(output_norm, plan.embedding, 1.0));
    if (plan.architecture == Architecture::gemma4) tensors.push_back(rope_factors(plan));
    for (std::int64_t layer = 0; layer < plan.layers; ++layer) add_layer(tensors, plan, layer);
    return tensors;
}

}  // namespace hlg::tools
