// SPDX-License-Identifier: MIT
#include "engine/batch_context.hpp"

#include <algorithm>
#include <string_view>
#include <thread>

#include <llama.h>

#include "engine/backend.hpp"

namespace hlg::engine {
namespace {

// Below this, a token is a fraction of a millisecond of work. Two threads then mostly spin at the barriers between operations,
// and when a core is taken away for a moment both stand still: 16 tokens/s instead of 1,800 on a busy virtual machine. Flash
// attention, whose fixed cost a head suits large models, takes 2 to 3 times as long as plain attention here.
constexpr std::size_t small_model = 50'000'000;  // parameters

// Rows of logits that scoring may ask of one decode, whatever the lanes; at a 262k vocabulary a row is a MiB.
constexpr std::size_t least_outputs = 16;

/** Two hyperthreads of a core share its vector units. */
int default_threads(const Model& model) {
    if (model.parameters() < small_model) return 1;
    const int logical = static_cast<int>(std::thread::hardware_concurrency());
    const int cores = logical > 4 ? logical / 2 : logical;
    return std::clamp(cores, 1, 16);
}

bool aborted(void* flag) { return static_cast<const std::atomic<bool>*>(flag)->load(std::memory_order_relaxed); }

/** The type that ggml calls so. */
std::optional<ggml_type> cache_type(std::string_view name) {
    if (std::find(cache_types.begin(), cache_types.end(), name) == cache_types.end()) return std::nullopt;
    for (int type = 0; type < GGML_TYPE_COUNT; ++type)
        if (const char* its = ggml_type_name(static_cast<ggml_type>(type)); its != nullptr && name == its)
            return static_cast<ggml_type>(type);
    return std::nullopt;
}

Result<ggml_type> read_cache_type(const char* field, const std::string& name) {
    if (const std::optional<ggml_type> type = cache_type(name)) return *type;
    std::string known;
    for (const std::string_view type : cache_types) known += (known.empty() ? "" : ", ") + std::string(type);
    return Error{ErrorCode::bad_settings, std::string("[") + field + "] must be one of " + known + ", got " + name};
}

// A small model's heads are short, and ggml's product of two f16 rows of 32 has a fixed cost that is most of its time: with keys
// in f32 the demo model generates 2 to 2.5 times as fast. Flash attention is the other way round, and GPUs know no such cost.
const char* usual_key_type(const Model& model, bool flash) {
    return model.parameters() < small_model && !flash && gpu_devices().empty() ? "f32" : "f16";
}

// llama.cpp can't transpose a quantized V, which attention without flash wants.
Failure set_cache_types(const Model& model, const ContextOptions& options, llama_context_params& params) {
    const std::string v_name = options.cache_type_v.value_or("f16");
    const Result<ggml_type> v = read_cache_type("cache_type_v", v_name);
    if (!v) return v.error();
    const bool needed = ggml_is_quantized(*v);
    if (needed && options.flash_attention == false)
        return Error{ErrorCode::bad_settings, "[flash_attn] must not be off with a V cache of " + v_name};
    const bool flash = options.flash_attention.value_or(needed || model.parameters() >= small_model);
    const Result<ggml_type> k = read_cache_type("cache_type_k", options.cache_type_k.value_or(usual_key_type(model, flash)));
    if (!k) return k.error();
    params.type_k = *k;
    params.type_v = *v;
    params.flash_attn_type = !flash                    ? LLAMA_FLASH_ATTN_TYPE_DISABLED
                             : options.flash_attention ? LLAMA_FLASH_ATTN_TYPE_ENABLED
                                                       : LLAMA_FLASH_ATTN_TYPE_AUTO;
    return std::nullopt;
}

using Adapter = std::unique_ptr<llama_adapter_lora, decltype(&llama_adapter_lora_free)>;

Result<Adapter> load_adapter(const Model& model, const LoraAdapter& wanted) {
    if (Failure failure = check_gguf(wanted.path)) return Error{failure->code, "[lora] can't be applied: " + failure->message};
    take_backend_error();
    Adapter adapter(llama_adapter_lora_init(model.handle(), wanted.path.c_str()), llama_adapter_lora_free);
    if (!adapter) return Error{ErrorCode::bad_settings, "[lora] can't be applied: " + wanted.path + ": " + take_backend_error()};
    // Such an adapter acts from certain tokens on; applied to all of a text, it is another one.
    if (llama_adapter_get_alora_n_invocation_tokens(adapter.get()) > 0)
        return Error{ErrorCode::bad_settings, "[lora] can't be applied: " + wanted.path + ": an activated LoRA"};
    return adapter;
}

llama_context_params context_params(const ContextLimits& limits) {
    llama_context_params params = llama_context_default_params();
    params.n_ctx = static_cast<std::uint32_t>(limits.context * limits.lanes);
    // One step is a token of each lane and a chunk of prompts.
    params.n_batch = static_cast<std::uint32_t>(limits.chunk + limits.lanes);
    params.n_ubatch = params.n_batch;
    params.n_seq_max = static_cast<std::uint32_t>(limits.lanes);
    // Else llama.cpp keeps logits for a whole batch: 513 MiB at a 262k vocabulary.
    params.n_outputs_max = static_cast<std::uint32_t>(limits.outputs);
    params.n_threads = limits.threads;
    params.n_threads_batch = limits.threads;
    params.swa_full = true;
    params.kv_unified = false;
    return params;
}

}  // namespace

void BatchContext::Deleter::operator()(llama_context* context) const noexcept { llama_free(context); }

void BatchContext::Deleter::operator()(llama_adapter_lora* adapter) const noexcept { llama_adapter_lora_free(adapter); }

std::size_t effective_context(const Model& model, std::size_t requested) {
    if (requested > 0) return requested;
    const std::size_t trained = model.trained_context();
    return trained == 0 ? default_context : std::min(trained, default_context);
}

Result<BatchContext> BatchContext::open(const Model& model, const ContextOptions& options, const std::atomic<bool>& abort) {
    BatchContext made;
    ContextLimits& limits = made.limits_;
    limits.lanes = std::clamp<std::size_t>(options.lanes, 1, max_lanes);
    limits.context = effective_context(model, options.context);
    limits.chunk = std::max<std::size_t>(options.chunk, 1);
    limits.outputs = std::max(limits.lanes, least_outputs);
    limits.threads = options.threads > 0 ? options.threads : default_threads(model);
    made.vocabulary_ = model.vocabulary_size();
    llama_context_params params = context_params(limits);
    if (Failure failure = set_cache_types(model, options, params)) return *failure;
    params.abort_callback = aborted;
    params.abort_callback_data = const_cast<std::atomic<bool>*>(&abort);  // only read
    take_backend_error();
    made.context_.reset(llama_init_from_model(model.handle(), params));
    if (!made.context_) {
        return Error{ErrorCode::no_context, "can't make a context of " + std::to_string(limits.lanes) + " x " +
                                                std::to_string(limits.context) + " tokens: " + take_backend_error()};
    }
    if (Failure failure = made.apply(model, options.lora)) return *failure;
    return made;
}

Failure BatchContext::apply(const Model& model, const std::vector<LoraAdapter>& adapters) {
    std::vector<llama_adapter_lora*> handles;
    std::vector<float> scales;
    for (const LoraAdapter& wanted : adapters) {
        Result<Adapter> adapter = load_adapter(model, wanted);
        if (!adapter) return adapter.error();
        handles.push_back(adapter->get());
        scales.push_back(wanted.scale);
        adapters_.emplace_back(adapter->release());
    }
    if (handles.empty() || llama_set_adapters_lora(context_.get(), handles.data(), handles.size(), scales.data()) == 0)
        return std::nullopt;
    return Error{ErrorCode::no_context, "[lora] can't be applied: " + take_backend_error()};
}

std::int32_t BatchContext::add(Token token, std::size_t position, std::size_t sequence, bool output) {
    tokens_.push_back(token);
    positions_.push_back(static_cast<std::int32_t>(position));
    sequences_.push_back(static_cast<std::int32_t>(sequence));
    output_flags_.push_back(output ? 1 : 0);
    outputs_ += output ? 1 : 0;
    return static_cast<std::int32_t>(tokens_.size() - 1);
}

Failure BatchContext::decode() {
    constexpr std::int32_t decode_aborted = 2;  // llama_decode's answer when the abort callback said so
    sequence_counts_.assign(tokens_.size(), 1);
    sequence_pointers_.resize(tokens_.size());
    for (std::size_t i = 0; i < tokens_.size(); ++i) sequence_pointers_[i] = &sequences_[i];
    llama_batch batch{};
    batch.n_tokens = static_cast<std::int32_t>(tokens_.size());
    batch.token = tokens_.data();
    batch.pos = positions_.data();
    batch.n_seq_id = sequence_counts_.data();
    batch.seq_id = sequence_pointers_.data();
    batch.logits = output_flags_.data();
    take_backend_error();  // whatever was logged before is not this call's reason
    const std::int32_t status = llama_decode(context_.get(), batch);
    tokens_.clear();
    positions_.clear();
    sequences_.clear();
    output_flags_.clear();
    outputs_ = 0;
    if (status == 0) return std::nullopt;
    if (status == decode_aborted) return Error{ErrorCode::interrupted, "stopped"};
    return Error{ErrorCode::decode_failed,
                 "llama.cpp failed to decode (" + std::to_string(status) + "): " + take_backend_error()};
}

std::span<const float> BatchContext::logits(std::int32_t row) const {
    const float* found = llama_get_logits_ith(context_.get(), row);
    return found == nullptr ? std::span<const float>{} : std::span(found, vocabulary_);
}

bool BatchContext::forget(std::size_t sequence, std::size_t from) {
    llama_memory_t memory = llama_get_memory(context_.get());
    const auto id = static_cast<llama_seq_id>(sequence);
    // A recurrent state has no parts that could be taken out.
    if (llama_memory_seq_rm(memory, id, static_cast<llama_pos>(from), -1)) return true;
    llama_memory_seq_rm(memory, id, -1, -1);
    return from == 0;
}

bool BatchContext::copy(std::size_t from, std::size_t to, std::size_t count) {
    llama_memory_t memory = llama_get_memory(context_.get());
    llama_memory_seq_rm(memory, static_cast<llama_seq_id>(to), -1, -1);
    // Between streams a copy is all or nothing.
    llama_memory_seq_cp(memory, static_cast<llama_seq_id>(from), static_cast<llama_seq_id>(to), -1, -1);
    return forget(to, count);
}

}  // namespace hlg::engine
