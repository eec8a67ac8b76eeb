// SPDX-License-Identifier: MIT
//
// A llama.cpp context and the batch that is being put together for it: the only file pair that decodes. Sequences are numbered
// from 0; each has a KV stream of its own, so what one holds can't change another's logits.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/context_options.hpp"
#include "engine/model.hpp"
#include "engine/result.hpp"

struct llama_adapter_lora;
struct llama_context;

namespace hlg::engine {

class BatchContext {
public:
    /** The model must outlive it, and so must `abort`: true there ends a decode under way. Errors: bad_settings, no_context. */
    static Result<BatchContext> open(const Model& model, const ContextOptions& options, const std::atomic<bool>& abort);

    /** Adds a token to the batch. With `output`, its logits can be read after decode(), at the row that is returned. */
    std::int32_t add(Token token, std::size_t position, std::size_t sequence, bool output);

    [[nodiscard]] std::size_t size() const noexcept { return tokens_.size(); }
    [[nodiscard]] std::size_t outputs() const noexcept { return outputs_; }

    /** Runs the batch and empties it. ErrorCode::interrupted when aborted. After an error it is open which tokens were taken in.
     */
    [[nodiscard]] Failure decode();

    /** The logits of a row of the last decode, [vocab]; valid until the next. */
    [[nodiscard]] std::span<const float> logits(std::int32_t row) const;

    /** Forgets a sequence's tokens from this position on. False if the model can't: then all of them are gone. */
    bool forget(std::size_t sequence, std::size_t from);

    /** Makes `to` a copy of the first `count` tokens of `from`. False if the model can't: then `to` is empty. */
    bool copy(std::size_t from, std::size_t to, std::size_t count);

    [[nodiscard]] const ContextLimits& limits() const noexcept { return limits_; }

private:
    struct Deleter {
        void operator()(llama_context* context) const noexcept;
        void operator()(llama_adapter_lora* adapter) const noexcept;
    };
    BatchContext() = default;
    [[nodiscard]] Failure apply(const Model& model, const std::vector<LoraAdapter>& adapters);

    std::vector<std::unique_ptr<llama_adapter_lora, Deleter>> adapters_;
    std::unique_ptr<llama_context, Deleter> context_;  // behind what it uses, so that it goes first
    ContextLimits limits_;
    std::size_t vocabulary_ = 0;
    std::size_t outputs_ = 0;
    std::vector<Token> tokens_;
    std::vector<std::int32_t> positions_;
    std::vector<std::int32_t> sequence_counts_;
    std::vector<std::int32_t> sequences_;
    std::vector<std::int32_t*> sequence_pointers_;
    std::vector<std::int8_t> output_flags_;
};

}  // namespace hlg::engine
