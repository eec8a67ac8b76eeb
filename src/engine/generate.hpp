// SPDX-License-Identifier: MIT
//
// The generation loop for one lane: prefill, then draw, show, decode, until something ends it.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "engine/lane.hpp"
#include "engine/model.hpp"
#include "engine/result.hpp"
#include "hlg/sampler.hpp"

namespace hlg::engine {

struct GenerationRequest {
    std::vector<Token> prompt;  ///< at least one token, at most the lane's context
    SamplerParams sampling;
    std::int64_t max_tokens = -1;               ///< -1 = no limit but the context
    const std::atomic<bool>* cancel = nullptr;  ///< becomes true when generation should end with what it has
};

/** Why a generation ended. */
enum class Finish {
    stop,         ///< the model drew an end-of-generation token
    length,       ///< max_tokens were generated
    context,      ///< the context is full
    interrupted,  ///< the caller asked, or the sink refused more text
};

/** A finish reason as reports spell it. */
std::string_view to_string(Finish finish) noexcept;

struct GenerationResult {
    Finish finish = Finish::stop;
    std::size_t prompt_tokens = 0;
    std::size_t generated_tokens = 0;  ///< without the end-of-generation token
    double prompt_seconds = 0.0;       ///< prefill
    double generate_seconds = 0.0;     ///< draws and decodes
};

/** Told whole UTF-8 characters as they come; false ends the generation. */
using TextSink = std::function<bool(std::string_view)>;

/** Generates on an empty lane. Characters that are torn at the end are dropped. */
Result<GenerationResult> generate(const Model& model, Lane& lane, const GenerationRequest& request, const TextSink& sink);

}  // namespace hlg::engine
