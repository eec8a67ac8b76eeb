#include "bench/lanes_rival.hpp"

#include <chrono>
#include <stdexcept>

namespace hlg::bench {
namespace {

llama_sampler* make_chain(LanesRival::Chain kind, std::uint32_t seed) {
    llama_sampler* chain = llama_sampler_chain_init(llama_sampler_chain_default_params());
    if (kind == LanesRival::Chain::usual) {
        llama_sampler_chain_add(chain, llama_sampler_init_top_k(40));
        llama_sampler_chain_add(chain, llama_sampler_init_top_p(0.95F, 1));
        llama_sampler_chain_add(chain, llama_sampler_init_min_p(0.05F, 1));
    }
    llama_sampler_chain_add(chain, llama_sampler_init_temp(0.8F));
    llama_sampler_chain_add(chain, llama_sampler_init_dist(seed));
    return chain;
}

llama_context_params params_for(std::size_t lanes, std::size_t context, int threads, bool small) {
    llama_context_params params = llama_context_default_params();
    params.n_ctx = static_cast<std::uint32_t>(lanes * context);
    params.n_batch = static_cast<std::uint32_t>(256 + lanes);
    params.n_ubatch = params.n_batch;
    params.n_seq_max = static_cast<std::uint32_t>(lanes);
    params.n_outputs_max = static_cast<std::uint32_t>(lanes);
    params.n_threads = threads;
    params.n_threads_batch = threads;
    params.swa_full = true;
    params.kv_unified = false;
    if (small) {
        params.flash_attn_type = LLAMA_FLASH_ATTN_TYPE_DISABLED;
        params.type_k = GGML_TYPE_F32;
    }
    return params;
}

}  // namespace

LanesRival::LanesRival(llama_model* model, std::size_t lanes, std::size_t context, int threads, Chain chain) : lanes_(lanes) {
    const bool small = llama_model_n_params(model) < 50'000'000;  // as the engine does
    context_.reset(llama_init_from_model(model, params_for(lanes, context, threads, small)));
    if (!context_) throw std::runtime_error("llama.cpp can't make a context");
    for (std::size_t i = 0; i < lanes; ++i) chains_.emplace_back(make_chain(chain, static_cast<std::uint32_t>(i)));
}

void LanesRival::prefill(std::size_t lane, const std::vector<std::int32_t>& prompt) {
    llama_batch batch = llama_batch_init(static_cast<std::int32_t>(prompt.size()), 0, 1);
    for (std::size_t i = 0; i < prompt.size(); ++i) {
        batch.token[i] = prompt[i];
        batch.pos[i] = static_cast<llama_pos>(i);
        batch.n_seq_id[i] = 1;
        batch.seq_id[i][0] = static_cast<llama_seq_id>(lane);
        batch.logits[i] = i + 1 == prompt.size() ? 1 : 0;
    }
    batch.n_tokens = static_cast<std::int32_t>(prompt.size());
    const bool ok = llama_decode(context_.get(), batch) == 0;
    llama_batch_free(batch);
    if (!ok) throw std::runtime_error("llama.cpp can't decode");
}

void LanesRival::decode(const std::vector<std::int32_t>& tokens, std::size_t position) {
    llama_batch batch = llama_batch_init(static_cast<std::int32_t>(lanes_), 0, 1);
    for (std::size_t i = 0; i < lanes_; ++i) {
        batch.token[i] = tokens[i];
        batch.pos[i] = static_cast<llama_pos>(position);
        batch.n_seq_id[i] = 1;
        batch.seq_id[i][0] = static_cast<llama_seq_id>(i);
        batch.logits[i] = 1;
    }
    batch.n_tokens = static_cast<std::int32_t>(lanes_);
    const bool ok = llama_decode(context_.get(), batch) == 0;
    llama_batch_free(batch);
    if (!ok) throw std::runtime_error("llama.cpp can't decode");
}

double LanesRival::run(const std::vector<std::int32_t>& prompt, std::size_t tokens) {
    llama_memory_clear(llama_get_memory(context_.get()), false);
    std::vector<std::int32_t> next(lanes_);
    for (std::size_t lane = 0; lane < lanes_; ++lane) {
        llama_sampler_reset(chains_[lane].get());
        prefill(lane, prompt);
        next[lane] = llama_sampler_sample(chains_[lane].get(), context_.get(), -1);
    }
    const auto start = std::chrono::steady_clock::now();
    for (std::size_t i = 1; i < tokens; ++i) {
        decode(next, prompt.size() + i - 1);
        for (std::size_t lane = 0; lane < lanes_; ++lane)
            next[lane] = llama_sampler_sample(chains_[lane].get(), context_.get(), static_cast<std::int32_t>(lane));
    }
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace hlg::bench
