// llama.cpp's own samplers, called as llama.cpp calls them.
#pragma once

#include <llama.h>

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace hlg::bench {

/** A chain of llama.cpp's samplers and the candidate array that llama_sampler_sample keeps beside it. */
class Rival {
public:
    enum class Chain {
        temperature,  ///< temp 1 -> dist: the whole vocabulary, what our draw does
        usual         ///< top_k 40 -> top_p 0.95 -> min_p 0.05 -> temp 0.8 -> dist: the default settings of its programs
    };
    explicit Rival(Chain chain);
    Rival(const Rival&) = delete;
    Rival& operator=(const Rival&) = delete;

    /**
     * One token, exactly as llama_sampler_sample does it: copy the logits into an array of {id, logit, p}, apply the chain,
     * accept. The copy is part of the price; every user of the chain pays it. Nothing here allocates; what llama.cpp does is its
     * own.
     */
    std::int32_t draw(std::span<const float> logits);

private:
    struct Free {
        void operator()(llama_sampler* chain) const;
    };
    std::unique_ptr<llama_sampler, Free> chain_;
    std::vector<llama_token_data> candidates_;
};

}  // namespace hlg::bench
