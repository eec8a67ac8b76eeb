// How long a token takes to sample, one thread:   llama_speed MODEL.gguf
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <functional>
#include <memory>

#include <llama.h>

#include "engine/model.hpp"
#include "hlg/llama.hpp"
#include "llama/graph_run.hpp"
#include "support/logits.hpp"

namespace {

using hlg::llama::Role;
using Chain = std::unique_ptr<llama_sampler, decltype(&llama_sampler_free)>;
using Context = std::unique_ptr<llama_context, decltype(&llama_free)>;

const hlg::SamplerParams params{.temperature = 0.8, .hlg = hlg::find_preset("balanced")->params};

Chain chain_of(std::initializer_list<llama_sampler*> samplers) {
    Chain chain(llama_sampler_chain_init(llama_sampler_chain_default_params()), &llama_sampler_free);
    for (llama_sampler* sampler : samplers) llama_sampler_chain_add(chain.get(), sampler);
    return chain;
}

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

double median_of(int times, const std::function<double()>& seconds) {
    std::vector<double> all(static_cast<std::size_t>(times));
    std::generate(all.begin(), all.end(), seconds);
    std::nth_element(all.begin(), all.begin() + times / 2, all.end());
    return all[static_cast<std::size_t>(times / 2)];
}

Context context_for(const hlg::engine::Model& model, llama_sampler* attached) {
    llama_sampler_seq_config config{.seq_id = 0, .sampler = attached};
    llama_context_params options = llama_context_default_params();
    options.n_ctx = 512;
    options.n_outputs_max = 1;
    options.n_threads = options.n_threads_batch = 1;
    options.flash_attn_type = LLAMA_FLASH_ATTN_TYPE_DISABLED;
    if (attached != nullptr) {
        options.samplers = &config;
        options.n_samplers = 1;
    }
    return {llama_init_from_model(model.handle(), options), &llama_free};
}

/** Microseconds a token, decode and sampling, for 200 tokens from a fixed start. */
double decode(const hlg::engine::Model& model, const Chain& chain, bool attach) {
    const Context context = context_for(model, attach ? chain.get() : nullptr);
    std::vector<llama_token> next = model.tokenize("Once upon a time");
    const double start = now();
    for (int i = 0; i < 200; ++i) {
        llama_decode(context.get(), llama_batch_get_one(next.data(), static_cast<std::int32_t>(next.size())));
        const hlg::Draw draw = hlg_llama_sample(chain.get(), context.get(), -1);
        next = {std::max(draw.token, 0)};
    }
    return (now() - start) / 200 * 1e6;
}

void print_decodes(const hlg::engine::Model& model) {
    const auto row = [&](const char* name, bool attach, const std::function<Chain()>& make) {
        std::printf("%-44s %8.0f us a token\n", name, median_of(9, [&] { return decode(model, make(), attach); }));
    };
    const auto shaped = [](bool close) {
        Chain chain = chain_of({hlg_llama_init(params, Role::shape), llama_sampler_init_dist(1)});
        if (close) llama_sampler_chain_add(chain.get(), hlg_llama_init_token_only());
        return chain;
    };
    row("CPU, temp -> dist", false, [] { return chain_of({llama_sampler_init_temp(0.8F), llama_sampler_init_dist(1)}); });
    row("CPU, hlg (draw)", false, [] { return chain_of({hlg_llama_init(params, Role::draw)}); });
    row("CPU, hlg (shape) -> dist", false, [&] { return shaped(false); });
    row("in the graph, temp -> dist", true, [] { return chain_of({llama_sampler_init_temp(0.8F), llama_sampler_init_dist(1)}); });
    row("in the graph, hlg (shape) -> dist", true, [&] { return shaped(false); });
    row("in the graph, hlg (shape) -> dist -> token only", true, [&] { return shaped(true); });
}

void print_row(std::size_t vocab) {
    const std::vector<float> logits = hlg::test::synthetic(hlg::test::Shape::open, vocab, 1);
    const auto apply = [&](const char* name, const Chain& chain) {
        std::vector<llama_token_data> data(vocab);
        const double seconds = median_of(51, [&] {
            for (std::size_t i = 0; i < vocab; ++i) data[i] = {static_cast<llama_token>(i), logits[i], 0};
            llama_token_data_array array{.data = data.data(), .size = vocab, .selected = -1, .sorted = false};
            const double start = now();
            llama_sampler_apply(chain.get(), &array);
            return now() - start;
        });
        std::printf("%-44s %8.0f us a row of %zu\n", name, seconds * 1e6, vocab);
    };
    apply("CPU, temp -> dist", chain_of({llama_sampler_init_temp(0.8F), llama_sampler_init_dist(1)}));
    apply("CPU, hlg (draw)", chain_of({hlg_llama_init(params, Role::draw)}));
    apply("CPU, hlg (shape)", chain_of({hlg_llama_init(params, Role::shape)}));
    const hlg::llama::GraphCurve curve(params, Role::shape);
    const auto build = [&](ggml_context* ctx, llama_sampler_data& data) { curve.build(ctx, data); };
    const double seconds = median_of(51, [&] { return hlg::test::run_graph({.logits = logits}, build).seconds; });
    std::printf("%-44s %8.0f us a row of %zu\n", "CPU backend's graph, hlg (shape)", seconds * 1e6, vocab);
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 2) return 2;
    const auto model = hlg::engine::Model::load(argv[1]);
    if (!model) return 1;
    print_decodes(*model);
    print_row(262144);
}
