// SPDX-License-Identifier: MIT
//
// The sampler that closes a chain in the compute graph. llama.cpp copies to the host whatever a chain leaves in its results,
// which behind `dist` is the token and two whole vocabularies; and `dist` draws a token from a row of NaN too.
#include <cmath>
#include <memory>

#include <ggml.h>

#include "graph.hpp"
#include "plugin.hpp"

namespace hlg::llama {
namespace {

Placement& state(const llama_sampler* sampler) { return *static_cast<Placement*>(sampler->ctx); }

const char* name(const llama_sampler* sampler) {
    switch (state(sampler)) {
        case Placement::graph: return "+hlg-token-only";
        case Placement::cpu: return "-hlg-token-only";
        case Placement::unasked: break;
    }
    return "hlg-token-only";
}

void apply(llama_sampler* /*sampler*/, llama_token_data_array* array) {
    if (array->selected < 0) return;
    const llama_token_data& chosen = array->data[array->selected];
    if (std::isnan(chosen.p) || std::isnan(chosen.logit) || chosen.logit == -INFINITY) array->selected = -1;
}

llama_sampler* clone(const llama_sampler* /*sampler*/) { return hlg_llama_init_token_only(); }

void copy_state(const llama_sampler* /*from*/, llama_sampler* /*to*/) {}

void free_state(llama_sampler* sampler) { delete &state(sampler); }

void build(ggml_context* ctx, llama_sampler_data& data) {
    if (data.sampled == nullptr) return;
    if (data.probs != nullptr) {
        ggml_tensor* probs = ggml_reshape_1d(ctx, data.probs, ggml_nelements(data.probs));
        // With a list of candidates the token's place in it is not known any more; the sum is NaN as well.
        ggml_tensor* proof = data.candidates == nullptr ? entry(ctx, probs, data.sampled) : ggml_sum(ctx, probs);
        data.sampled = token_or_null(ctx, ggml_reshape_1d(ctx, data.sampled, 1), is_positive(ctx, proof));
    }
    data.logits = data.probs = data.candidates = nullptr;
}

bool backend_init(llama_sampler* sampler, ggml_backend_buffer_type_t buffers, std::uint32_t /*outputs*/) {
    const bool fits = device_runs(buffers, build, /*drawn=*/true);
    state(sampler) = fits ? Placement::graph : Placement::cpu;
    return fits;
}

void backend_apply(llama_sampler* /*sampler*/, ggml_context* ctx, ggml_cgraph* /*graph*/, llama_sampler_data* data) {
    build(ctx, *data);
}

llama_sampler_i callbacks{
    .name = name,
    .accept = nullptr,
    .apply = apply,
    .reset = nullptr,
    .clone = clone,
    .free = free_state,
    .backend_init = backend_init,
    .backend_accept = nullptr,
    .backend_apply = backend_apply,
    .backend_set_input = nullptr,
    .backend_reset = nullptr,
    .copy_state = copy_state,
};

}  // namespace

Placement* token_only_of(const llama_sampler* sampler) noexcept {
    return sampler != nullptr && sampler->iface == &callbacks ? &state(sampler) : nullptr;
}

}  // namespace hlg::llama

llama_sampler* hlg_llama_init_token_only() noexcept {
    using namespace hlg::llama;
    try {
        auto placement = std::make_unique<Placement>(Placement::unasked);
        llama_sampler* sampler = llama_sampler_init(&callbacks, placement.get());
        static_cast<void>(placement.release());  // the sampler's now
        return sampler;
    } catch (...) {
        return nullptr;
    }
}
