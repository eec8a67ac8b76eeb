// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <span>

#include "engine/context_options.hpp"
#include "engine/model.hpp"
#include "engine/result.hpp"

namespace hlg::engine {

/** Told a token's place in the text, from 0, and the logits of the token after it, [vocab], valid during the call. */
using LogitsVisitor = std::function<void(std::size_t place, std::span<const float> logits)>;

/**
 * Teacher forcing: the raw logits after each token of a text, which is read as it stands. A text longer than the context is read
 * in pieces, each but the first with the last quarter of the context before it, whose logits are not told again. Runs in the
 * caller's thread. Errors: those of BatchContext, bad_request for a token that is not in the vocabulary, prompt_empty.
 */
Failure read_text(const Model& model, const ContextOptions& options, std::span<const Token> tokens, const LogitsVisitor& visit,
                  const std::atomic<bool>& abort);

}  // namespace hlg::engine
