// SPDX-License-Identifier: MIT
//
// hlg_llama_sample: what llama_sampler_sample does, with errors that come back.
#include <algorithm>
#include <cmath>
#include <span>

#include "plugin.hpp"

namespace hlg::llama {
namespace {

// Samplers of ours in a chain, or the sampler itself.
struct Ours {
    Plugin* plugin = nullptr;  ///< the first one
    Status failed = Status::ok;
    bool token_only_in_graph = false;

    explicit Ours(llama_sampler* chain) {
        if (llama_sampler_chain_get(chain, -1) == nullptr)
            look(chain);
        else
            for (int i = 0; i < llama_sampler_chain_n(chain); ++i) look(llama_sampler_chain_get(chain, i));
    }

private:
    void look(const llama_sampler* sampler) {
        if (const Placement* placement = token_only_of(sampler)) token_only_in_graph = *placement == Placement::graph;
        Plugin* found = plugin_of(sampler);
        if (found == nullptr) return;
        if (plugin == nullptr) plugin = found;
        if (failed == Status::ok) failed = found->status;
    }
};

// The candidates of an output: those that the graph left, else the model's. False if they hold nothing to draw from.
bool read_row(llama_context* context, std::int32_t index, std::vector<llama_token_data>& row) {
    row.clear();
    if (const float* shaped = llama_get_sampled_logits_ith(context, index)) {
        const std::span logits(shaped, llama_get_sampled_logits_count_ith(context, index));
        const llama_token* ids = llama_get_sampled_candidates_ith(context, index);
        for (std::size_t i = 0; i < logits.size(); ++i) row.push_back({ids[i], logits[i], 0});
        // Nobody has looked at these yet.
        return std::none_of(logits.begin(), logits.end(), [](float x) { return std::isnan(x); }) &&
               std::any_of(logits.begin(), logits.end(), [](float x) { return x > -INFINITY; });
    }
    const float* raw = llama_get_logits_ith(context, index);
    if (raw == nullptr) return false;
    const auto vocab = static_cast<std::size_t>(llama_vocab_n_tokens(llama_model_get_vocab(llama_get_model(context))));
    const std::span logits(raw, vocab);
    for (const float logit : logits) row.push_back({static_cast<llama_token>(row.size()), logit, 0});
    return true;
}

Draw sample_on_cpu(llama_sampler* chain, llama_context* context, std::int32_t index, std::vector<llama_token_data>& row) {
    if (!read_row(context, index, row)) return {.status = row.empty() ? Status::argument : Status::no_token};
    llama_token_data_array array{.data = row.data(), .size = row.size(), .selected = -1, .sorted = false};
    llama_sampler_apply(chain, &array);
    if (array.selected >= 0) return {.status = Status::ok, .token = array.data[array.selected].id};
    const Status failed = Ours(chain).failed;
    return {.status = failed == Status::ok ? Status::no_token : failed};
}

Draw sample(llama_sampler* chain, llama_context* context, std::int32_t index) {
    const Ours ours(chain);
    Draw draw{.status = Status::no_token};
    if (const llama_token token = llama_get_sampled_token_ith(context, index); token != LLAMA_TOKEN_NULL) {
        const float* probabilities = llama_get_sampled_probs_ith(context, index);
        if (probabilities == nullptr || !std::isnan(*probabilities)) draw = {.status = Status::ok, .token = token};
    } else if (!ours.token_only_in_graph) {
        std::vector<llama_token_data> row;
        draw = sample_on_cpu(chain, context, index, ours.plugin != nullptr ? ours.plugin->row : row);
    }
    if (draw.status == Status::ok) llama_sampler_accept(chain, draw.token);
    return draw;
}

}  // namespace
}  // namespace hlg::llama

hlg::Draw hlg_llama_sample(llama_sampler* chain, llama_context* context, std::int32_t index) noexcept {
    if (chain == nullptr || context == nullptr) return {.status = hlg::Status::argument};
    try {
        return hlg::llama::sample(chain, context, index);
    } catch (...) {  // the candidates' array
        return {.status = hlg::Status::memory};
    }
}
