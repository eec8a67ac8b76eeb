#include "llama/graph_run.hpp"

#include <array>
#include <chrono>
#include <cstring>
#include <memory>

#include <ggml-alloc.h>
#include <ggml-backend.h>
#include <ggml.h>

#include <gtest/gtest.h>

#include "engine/backend.hpp"

namespace hlg::test {
namespace {

ggml_backend_t cpu() {
    static const std::unique_ptr<ggml_backend, decltype(&ggml_backend_free)> backend = [] {
        engine::start_backend(false);
        ggml_backend_dev_t device = ggml_backend_dev_by_type(GGML_BACKEND_DEVICE_TYPE_CPU);
        ggml_backend_t started = ggml_backend_dev_init(device, nullptr);
        // More threads would spin at the barriers between operations this small.
        void* address = ggml_backend_reg_get_proc_address(ggml_backend_dev_backend_reg(device), "ggml_backend_set_n_threads");
        reinterpret_cast<ggml_backend_set_n_threads_t>(address)(started, 1);
        return std::unique_ptr<ggml_backend, decltype(&ggml_backend_free)>(started, &ggml_backend_free);
    }();
    return backend.get();
}

template <class T>
void give(ggml_tensor* tensor, std::span<const T> values) {
    if (tensor != nullptr) ggml_backend_tensor_set(tensor, values.data(), 0, values.size_bytes());
}

template <class T>
std::vector<T> take(const ggml_tensor* tensor) {
    if (tensor == nullptr) return {};
    std::vector<T> values(static_cast<std::size_t>(ggml_nelements(tensor)));
    ggml_backend_tensor_get(tensor, values.data(), 0, values.size() * sizeof(T));
    return values;
}

template <class T>
ggml_tensor* input_tensor(ggml_context* ctx, ggml_type type, std::span<const T> values) {
    if (values.empty()) return nullptr;
    ggml_tensor* tensor = ggml_new_tensor_1d(ctx, type, static_cast<std::int64_t>(values.size()));
    ggml_set_input(tensor);
    return tensor;
}

// Keeps the tensors of these results in the graph.
void expand(ggml_cgraph* graph, const llama_sampler_data& data) {
    for (ggml_tensor* tensor : std::array{data.logits, data.probs, data.sampled, data.candidates}) {
        if (tensor == nullptr) continue;
        ggml_set_output(tensor);
        ggml_build_forward_expand(graph, tensor);
    }
}

void expect_unchanged(const ggml_tensor* tensor, std::span<const float> logits) {
    const std::vector<float> now = take<float>(tensor);
    EXPECT_EQ(std::memcmp(now.data(), logits.data(), logits.size_bytes()), 0);
}

}  // namespace

GraphResult run_graph(const GraphInput& input, const llama::GraphBuilder& build) {
    const std::unique_ptr<ggml_context, decltype(&ggml_free)> ctx(
        ggml_init({.mem_size = 512 * ggml_tensor_overhead() + ggml_graph_overhead(), .mem_buffer = nullptr, .no_alloc = true}),
        &ggml_free);
    const std::vector<std::int32_t> token = input.sampled ? std::vector{*input.sampled} : std::vector<std::int32_t>{};
    const llama_sampler_data given{.logits = input_tensor(ctx.get(), GGML_TYPE_F32, input.logits),
                                   .probs = input_tensor(ctx.get(), GGML_TYPE_F32, input.probabilities),
                                   .sampled = input_tensor<std::int32_t>(ctx.get(), GGML_TYPE_I32, token),
                                   .candidates = input_tensor(ctx.get(), GGML_TYPE_I32, input.candidates)};
    llama_sampler_data data = given;
    build(ctx.get(), data);
    ggml_cgraph* graph = ggml_new_graph(ctx.get());
    expand(graph, data);
    expand(graph, given);
    const std::unique_ptr<ggml_gallocr, decltype(&ggml_gallocr_free)> memory(
        ggml_gallocr_new(ggml_backend_get_default_buffer_type(cpu())), &ggml_gallocr_free);
    EXPECT_TRUE(ggml_gallocr_alloc_graph(memory.get(), graph));
    give(given.logits, input.logits);
    give(given.probs, input.probabilities);
    give<std::int32_t>(given.sampled, token);
    give(given.candidates, input.candidates);
    const auto start = std::chrono::steady_clock::now();
    EXPECT_EQ(ggml_backend_graph_compute(cpu(), graph), GGML_STATUS_SUCCESS);
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    expect_unchanged(given.logits, input.logits);
    GraphResult result{take<float>(data.logits), take<std::int32_t>(data.candidates), {}, take<float>(data.probs), seconds};
    if (data.sampled != nullptr) result.sampled = take<std::int32_t>(data.sampled).front();
    return result;
}

std::vector<float> shape_in_graph(const SamplerParams& params, std::span<const float> logits) {
    const llama::GraphCurve curve(params, llama::Role::shape);
    EXPECT_TRUE(curve.expressible());
    return run_graph({.logits = logits}, [&](ggml_context* ctx, llama_sampler_data& data) { curve.build(ctx, data); }).logits;
}

}  // namespace hlg::test
