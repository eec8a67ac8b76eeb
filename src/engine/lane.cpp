// SPDX-License-Identifier: MIT
#include "engine/lane.hpp"

#include <algorithm>
#include <thread>

#include <llama.h>

#include "engine/backend.hpp"

namespace hlg::engine {
namespace {

constexpr std::size_t prefill_chunk = 512;  // tokens a decode call; llama.cpp's own micro-batch

// Below this, a token is a fraction of a millisecond of work. Two threads then mostly spin at the barriers between operations,
// and when a core is taken away for a moment both stand still: 16 tokens/s instead of 1,800 on a busy virtual machine. Flash
// attention, whose fixed cost a head suits large models, takes 2 to 3 times as long as plain attention here.
constexpr std::size_t small_model = 50'000'000;  // parameters

/** Two hyperthreads of a core share its vector units. */
int default_threads(const Model& model) {
    if (model.parameters() < small_model) return 1;
    const int logical = static_cast<int>(std::thread::hardware_concurrency());
    const int cores = logical > 4 ? logical / 2 : logical;
    return std::clamp(cores, 1, 16);
}

bool cancelled(void* flag) { return static_cast<const std::atomic<bool>*>(flag)->load(std::memory_order_relaxed); }

llama_context_params context_params(const Model& model, std::size_t size, int threads) {
    llama_context_params params = llama_context_default_params();
    params.n_ctx = static_cast<std::uint32_t>(size);
    params.n_batch = prefill_chunk;
    params.n_ubatch = prefill_chunk;
    params.n_seq_max = 1;
    params.n_outputs_max = 1;  // else llama.cpp keeps logits for a whole batch: 513 MiB at a 262k vocabulary
    params.n_threads = threads;
    params.n_threads_batch = threads;
    params.swa_full = true;
    if (model.parameters() < small_model) params.flash_attn_type = LLAMA_FLASH_ATTN_TYPE_DISABLED;
    return params;
}

}  // namespace

void Lane::Deleter::operator()(llama_context* context) const noexcept { llama_free(context); }

std::size_t effective_context(const Model& model, std::size_t requested) {
    if (requested > 0) return requested;
    const std::size_t trained = model.trained_context();
    return trained == 0 ? default_context : std::min(trained, default_context);
}

Result<Lane> Lane::open(const Model& model, const LaneOptions& options) {
    Lane lane;
    lane.context_size_ = effective_context(model, options.context);
    lane.threads_ = options.threads > 0 ? options.threads : default_threads(model);
    lane.vocabulary_ = model.vocabulary_size();
    lane.cancel_ = options.cancel;
    llama_context_params params = context_params(model, lane.context_size_, lane.threads_);
    if (options.cancel != nullptr) {
        params.abort_callback = cancelled;
        params.abort_callback_data = const_cast<std::atomic<bool>*>(options.cancel);  // only read
    }
    take_backend_error();
    lane.context_.reset(llama_init_from_model(model.handle(), params));
    if (!lane.context_) {
        return Error{ErrorCode::no_context,
                     "can't make a context of " + std::to_string(lane.context_size_) + " tokens: " + take_backend_error()};
    }
    return lane;
}

Failure Lane::feed(std::span<const Token> tokens) {
    constexpr std::int32_t aborted = 2;  // llama_decode's answer when the abort callback said so
    while (!tokens.empty()) {
        const auto chunk = tokens.first(std::min(tokens.size(), prefill_chunk));
        take_backend_error();  // whatever was logged before is not this call's reason
        const llama_batch batch = llama_batch_get_one(const_cast<Token*>(chunk.data()), static_cast<std::int32_t>(chunk.size()));
        const std::int32_t status = llama_decode(context_.get(), batch);
        if (status == aborted) return Error{ErrorCode::interrupted, "stopped"};
        if (status != 0)
            return Error{ErrorCode::decode_failed,
                         "llama.cpp failed to decode (" + std::to_string(status) + "): " + take_backend_error()};
        used_ += chunk.size();
        tokens = tokens.subspan(chunk.size());
        if (cancel_ != nullptr && cancel_->load(std::memory_order_relaxed) && !tokens.empty())
            return Error{ErrorCode::interrupted, "stopped"};
    }
    return std::nullopt;
}

std::span<const float> Lane::logits() const {
    const float* row = llama_get_logits_ith(context_.get(), -1);
    return row == nullptr ? std::span<const float>{} : std::span(row, vocabulary_);
}

}  // namespace hlg::engine
