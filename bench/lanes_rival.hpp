// The fastest loop that can be written on llama.cpp's public interface: N sequences with separate KV streams, one token of each a
// decode, each with a sampler chain of its own. No queue, no text, no stop: what is left is decode and draw.
#pragma once

#include <llama.h>

#include <cstdint>
#include <memory>
#include <vector>

namespace hlg::bench {

class LanesRival {
public:
    enum class Chain { temperature, usual };  ///< as Rival's

    /** A context like the engine's: `context` tokens a lane. */
    LanesRival(llama_model* model, std::size_t lanes, std::size_t context, int threads, Chain chain);

    /** Runs the prompt in every lane, then generates so many tokens in each; the seconds of the generation. */
    double run(const std::vector<std::int32_t>& prompt, std::size_t tokens);

private:
    struct FreeContext {
        void operator()(llama_context* context) const { llama_free(context); }
    };
    struct FreeChain {
        void operator()(llama_sampler* chain) const { llama_sampler_free(chain); }
    };
    void decode(const std::vector<std::int32_t>& tokens, std::size_t position);
    void prefill(std::size_t lane, const std::vector<std::int32_t>& prompt);

    std::size_t lanes_;
    std::unique_ptr<llama_context, FreeContext> context_;
    std::vector<std::unique_ptr<llama_sampler, FreeChain>> chains_;
};

}  // namespace hlg::bench
