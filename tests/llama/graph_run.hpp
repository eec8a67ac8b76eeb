// Runs what a sampler adds to a graph on llama.cpp's CPU backend, the way a context would.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "llama/graph.hpp"

namespace hlg::test {

/** A graph's results; empty where it leaves none. */
struct GraphResult {
    std::vector<float> logits;
    std::vector<std::int32_t> candidates;
    std::optional<std::int32_t> sampled;
    std::vector<float> probabilities;
    double seconds = 0;  ///< of the computation alone
};

/** What the samplers before left, beside the logits. */
struct GraphInput {
    std::span<const float> logits;
    std::span<const std::int32_t> candidates = {};
    std::span<const float> probabilities = {};
    std::optional<std::int32_t> sampled = {};
};

/** Builds the graph, runs it, reads the results. The logits given must be unchanged afterwards, which it expects. */
GraphResult run_graph(const GraphInput& input, const llama::GraphBuilder& build);

/** The shaped logits of one setting. */
std::vector<float> shape_in_graph(const SamplerParams& params, std::span<const float> logits);

}  // namespace hlg::test
