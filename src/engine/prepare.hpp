// SPDX-License-Identifier: MIT
//
// From a request to tasks: what a worker does before the engine's thread sees anything.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "engine/request.hpp"
#include "engine/result.hpp"
#include "engine/task.hpp"

namespace hlg::engine {

/** What a request is prepared against. */
struct PrepareContext {
    const Model& model;
    std::size_t context;                         ///< tokens a lane holds
    std::span<const SamplingSettings> settings;  ///< tiers below the request's, lowest first
    const Result<ChatTemplate>& chat_template;
    std::function<const GrammarVocabulary&()> vocabulary;  ///< made when the first grammar asks for it
};

/** The tasks of a request, one a choice, on this stream; none for a count, whose answer is in the stream already. */
Result<std::vector<std::unique_ptr<Task>>> prepare(Request request, const PrepareContext& context,
                                                   const std::shared_ptr<Stream>& stream);

}  // namespace hlg::engine
