// What is sampled from: next-token logits of real language models where the machine has them, and synthetic ones everywhere.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace hlg::bench {

/** One decoding step's logits. */
struct Context {
    std::string name;   ///< "gemma-4-12b-00", "flat-262144"
    std::string group;  ///< the model, or the synthetic shape
    bool real = false;
    std::size_t vocab = 0;
    std::vector<float> storage;  ///< with room for logits to begin at a cache line
    std::size_t first = 0;

    /** [vocab], from a cache line on: where an array happens to lie must not decide a comparison. */
    [[nodiscard]] std::span<const float> logits() const { return {storage.data() + first, vocab}; }
};

/** The vocabulary sizes of the synthetic contexts: Llama 2's, Qwen 2.5's, Gemma's. */
inline constexpr std::size_t kVocabs[] = {32000, 151936, 262144};

/**
 * Synthetic shapes, the same on every machine (see bench/README.md for the recipe):
 *   confident  normal noise of 2 nats under one token that holds 0.99
 *   open       normal noise of 2 nats that holds 0.01 under 1,000 tokens that fall off as a power of their rank
 *   flat       normal noise of 1 nat: nothing but tail, the worst that a sampler which skips the tail can meet
 */
std::vector<Context> synthetic_contexts();

/** The logits that the folder's index.json lists. Throws std::runtime_error that names the file that is wrong. */
std::vector<Context> real_contexts(const std::filesystem::path& folder);

/** Every real context of one model, to be read in rotation: what the caches and the branch predictor hold is then another's. */
struct Rotated {
    std::string model;
    std::vector<const Context*> contexts;
    [[nodiscard]] std::string name() const { return "all-of-" + model; }
};

/** One for each model among the contexts, which must outlive them. */
std::vector<Rotated> rotations(const std::vector<Context>& contexts);

}  // namespace hlg::bench
