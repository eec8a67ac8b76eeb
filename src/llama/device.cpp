// SPDX-License-Identifier: MIT
//
// Asks a device, before anything runs, whether it has every operation of a sampler. The graph here is built and thrown away; it
// has no memory for its tensors.
#include <array>
#include <cstdint>
#include <memory>

#include <ggml-backend.h>
#include <ggml.h>

#include "graph.hpp"

namespace hlg::llama {
namespace {

// The vocabulary is not known yet; devices that limit a row's length limit it below this.
constexpr std::int64_t large_vocabulary = 1 << 20;

constexpr std::size_t most_nodes = 256;  // the largest sampler has under 50

using Context = std::unique_ptr<ggml_context, decltype(&ggml_free)>;

bool runs(ggml_backend_dev_t device, const GraphBuilder& build, bool with_candidates, bool drawn) {
    const std::size_t size = most_nodes * ggml_tensor_overhead() + ggml_graph_overhead_custom(most_nodes, false);
    const Context ctx(ggml_init({.mem_size = size, .mem_buffer = nullptr, .no_alloc = true}), &ggml_free);
    if (!ctx) return false;
    const auto vector = [&](ggml_type type) { return ggml_new_tensor_1d(ctx.get(), type, large_vocabulary); };
    llama_sampler_data data{};
    data.logits = vector(GGML_TYPE_F32);
    if (with_candidates) data.candidates = vector(GGML_TYPE_I32);
    if (drawn) {
        data.sampled = ggml_new_tensor_1d(ctx.get(), GGML_TYPE_I32, 1);
        data.probs = vector(GGML_TYPE_F32);
    }
    build(ctx.get(), data);
    ggml_cgraph* graph = ggml_new_graph_custom(ctx.get(), most_nodes, false);
    for (ggml_tensor* result : std::array{data.logits, data.probs, data.sampled, data.candidates})
        if (result != nullptr) ggml_build_forward_expand(graph, result);
    for (int i = 0; i < ggml_graph_n_nodes(graph); ++i)
        if (!ggml_backend_dev_supports_op(device, ggml_graph_node(graph, i))) return false;
    return true;
}

}  // namespace

bool device_runs(ggml_backend_buffer_type_t buffers, const GraphBuilder& build, bool drawn) {
    ggml_backend_dev_t device = ggml_backend_buft_get_device(buffers);
    if (device == nullptr) device = ggml_backend_dev_by_type(GGML_BACKEND_DEVICE_TYPE_CPU);  // host memory names none
    return device != nullptr && runs(device, build, false, drawn) && runs(device, build, true, drawn);
}

}  // namespace hlg::llama
