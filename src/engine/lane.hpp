// SPDX-License-Identifier: MIT
//
// A lane: one sequence of tokens in one llama.cpp context, with its KV cache. One thread uses a lane at a time.
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <span>

#include "engine/model.hpp"
#include "engine/result.hpp"

struct llama_context;

namespace hlg::engine {

struct LaneOptions {
    std::size_t context = 0;                    ///< tokens; 0 = what the model was trained for, at most default_context
    int threads = 0;                            ///< 0 = as many as pays on this machine
    const std::atomic<bool>* cancel = nullptr;  ///< becomes true when work should stop; must outlive the lane
};

/** A KV cache for a model's full 128k context takes gigabytes; nobody asked for them by default. */
inline constexpr std::size_t default_context = 4096;

class Lane {
public:
    /** The model must outlive the lane. */
    static Result<Lane> open(const Model& model, const LaneOptions& options);

    /** Runs the tokens through the model, behind those it has seen. Needs room for them. */
    [[nodiscard]] Failure feed(std::span<const Token> tokens);

    /** The model's scores for the token after the last one fed, [vocab]; valid until the next feed. */
    [[nodiscard]] std::span<const float> logits() const;

    [[nodiscard]] std::size_t context() const noexcept { return context_size_; }
    [[nodiscard]] std::size_t used() const noexcept { return used_; }
    [[nodiscard]] int threads() const noexcept { return threads_; }

private:
    struct Deleter {
        void operator()(llama_context* context) const noexcept;
    };
    Lane() = default;

    std::unique_ptr<llama_context, Deleter> context_;
    std::size_t context_size_ = 0;
    std::size_t used_ = 0;
    std::size_t vocabulary_ = 0;
    int threads_ = 0;
    const std::atomic<bool>* cancel_ = nullptr;
};

/** The context that LaneOptions::context stands for with this model, tokens. */
std::size_t effective_context(const Model& model, std::size_t requested);

}  // namespace hlg::engine
