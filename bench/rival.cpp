#include "bench/rival.hpp"

namespace hlg::bench {

Rival::Rival(Chain chain) {
    llama_sampler_chain_params params = llama_sampler_chain_default_params();
    params.no_perf = true;  // its clock is not the sampler's work
    chain_.reset(llama_sampler_chain_init(params));
    const auto add = [&](llama_sampler* sampler) { llama_sampler_chain_add(chain_.get(), sampler); };
    if (chain == Chain::usual) {
        add(llama_sampler_init_top_k(40));
        add(llama_sampler_init_top_p(0.95F, 1));
        add(llama_sampler_init_min_p(0.05F, 1));
    }
    add(llama_sampler_init_temp(chain == Chain::usual ? 0.8F : 1.0F));
    add(llama_sampler_init_dist(42));
}

void Rival::Free::operator()(llama_sampler* chain) const { llama_sampler_free(chain); }

std::int32_t Rival::draw(std::span<const float> logits) {
    candidates_.resize(logits.size());
    for (std::size_t i = 0; i < logits.size(); ++i) candidates_[i] = {static_cast<llama_token>(i), logits[i], 0.0F};
    llama_token_data_array array{candidates_.data(), candidates_.size(), -1, false};
    llama_sampler_apply(chain_.get(), &array);
    const llama_token token = array.data[array.selected].id;
    llama_sampler_accept(chain_.get(), token);
    return token;
}

}  // namespace hlg::bench
