// HLG in a program on llama.cpp: continues a prompt.   llama_plugin MODEL.gguf 'Once upon a time' [SEED]
#include <llama.h>
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <hlg/llama.hpp>
#include <string>
#include <thread>
#include <vector>

namespace {

std::vector<llama_token> tokenize(const llama_vocab* vocab, const std::string& text) {
    std::vector<llama_token> tokens(text.size() + 2);
    const int count = llama_tokenize(vocab, text.data(), static_cast<int>(text.size()), tokens.data(),
                                     static_cast<int>(tokens.size()), /*add_special=*/true, /*parse_special=*/false);
    tokens.resize(count > 0 ? static_cast<std::size_t>(count) : 0);
    return tokens;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 3) return std::fprintf(stderr, "usage: llama_plugin MODEL.gguf PROMPT [SEED]\n"), 2;
    llama_log_set([](ggml_log_level, const char*, void*) {}, nullptr);
    ggml_backend_load_all();
    llama_model* model = llama_model_load_from_file(argv[1], llama_model_default_params());
    if (model == nullptr) return std::fprintf(stderr, "cannot load %s\n", argv[1]), 1;
    const llama_vocab* vocab = llama_model_get_vocab(model);

    // The curve shapes, dist draws, and only the token leaves the device.
    llama_sampler* chain = llama_sampler_chain_init(llama_sampler_chain_default_params());
    hlg::llama::Error error;
    const hlg::SamplerParams params{.temperature = 0.8, .hlg = hlg::find_preset("balanced")->params};
    llama_sampler* curve = hlg_llama_init(params, hlg::llama::Role::shape, &error);
    if (curve == nullptr) return std::fprintf(stderr, "%s\n", error.message.c_str()), 2;
    llama_sampler_chain_add(chain, curve);
    llama_sampler_chain_add(chain, llama_sampler_init_dist(argc > 3 ? static_cast<std::uint32_t>(std::atoi(argv[3])) : 1));
    llama_sampler_chain_add(chain, hlg_llama_init_token_only());

    llama_sampler_seq_config attached{.seq_id = 0, .sampler = chain};
    llama_context_params options = llama_context_default_params();
    options.n_ctx = 512;
    options.n_outputs_max = 1;
    options.n_threads = options.n_threads_batch = std::max(1, static_cast<int>(std::thread::hardware_concurrency()) / 2);
    options.samplers = &attached;  // without these two lines, or on a device without the operations, the chain runs on the CPU
    options.n_samplers = 1;
    llama_context* context = llama_init_from_model(model, options);
    if (context == nullptr) return std::fprintf(stderr, "cannot make a context\n"), 1;
    std::fprintf(stderr, "the curve runs %s\n", hlg_llama_in_graph(curve) ? "in the graph" : "on the CPU");
    std::printf("%s", argv[2]);
    std::vector<llama_token> next = tokenize(vocab, argv[2]);
    for (int i = 0; i < 100 && llama_decode(context, llama_batch_get_one(next.data(), static_cast<int>(next.size()))) == 0; ++i) {
        const hlg::Draw draw = hlg_llama_sample(chain, context, -1);
        if (draw.status != hlg::Status::ok) return std::fprintf(stderr, "%s\n", hlg::to_string(draw.status).data()), 1;
        if (llama_vocab_is_eog(vocab, draw.token)) break;
        char piece[256];
        const int length = llama_token_to_piece(vocab, draw.token, piece, sizeof piece, /*lstrip=*/0, /*special=*/false);
        std::printf("%.*s", length > 0 ? length : 0, piece);
        std::fflush(stdout);
        next = {draw.token};
    }
    std::printf("\n");
    llama_free(context);
    llama_sampler_free(chain);
    llama_model_free(model);
}
