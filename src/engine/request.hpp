// SPDX-License-Identifier: MIT
//
// What can be asked of the engine.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "engine/chat.hpp"
#include "engine/grammar.hpp"
#include "engine/model.hpp"
#include "engine/settings.hpp"

namespace hlg::engine {

/** Text, tokens that are taken as they are, or a chat. */
using Prompt = std::variant<std::string, std::vector<Token>, ChatRequest>;

/** A JSON schema, as text. */
struct JsonSchema {
    std::string text;
};

/** What the answer must look like: nothing, a grammar, or JSON that a schema describes. */
using Constraint = std::variant<std::monostate, GrammarSpec, JsonSchema>;

/** Continue a prompt. Events: AcceptedEvent; then for each choice TextEvent..., for a chat ChatEvent..., and FinishedEvent. */
struct GenerateRequest {
    Prompt prompt = {};
    SamplingSettings sampling = {};              ///< the highest tier; see resolve()
    std::optional<std::size_t> max_tokens = {};  ///< no limit but the context if unset
    std::vector<std::string> stop = {};          ///< end where one of these comes, without it
    Constraint constraint = {};                  ///< not for a chat, which brings its own
    std::size_t choices = 1;                     ///< independent answers, 1 to max_choices
    std::optional<std::size_t> log_probabilities =
        {};                   ///< set: each token's ln p, and those of so many of the most probable ones
    bool ignore_end = false;  ///< end-of-generation tokens are banned
};

/** ln p of given tokens, each after those before it. Event: ScoredEvent. */
struct ScoreRequest {
    std::vector<Token> tokens = {};        ///< context and scored tokens
    std::size_t first = 1;                 ///< the first one scored, >= 1
    std::size_t highest = 0;               ///< so many of the most probable tokens at each place are told too
    std::optional<std::string> text = {};  ///< instead of tokens; scored from its second token on, and its tokens are told
};

/** The distribution of the token after the prompt. Event: InspectedEvent. */
struct InspectRequest {
    Prompt prompt = {};
    SamplingSettings sampling = {};
    std::size_t tokens = 50;  ///< how many to tell
};

/**
 * The temperature at which other settings leave a text as open as the reference's: equal mean entropy of the draws at its tokens.
 * Event: MatchedEvent.
 */
struct MatchRequest {
    Prompt prompt = {};  ///< what comes before, text or tokens; no entropy of it counts
    Prompt text = {};    ///< text or tokens, 1 to max_matched_tokens of them
    SamplingSettings reference = {};
    SamplingSettings settings = {};  ///< their temperature is what is looked for
};

/** How many tokens a prompt has. Event: CountedEvent. */
struct CountRequest {
    Prompt prompt = {};
    TokenizeOptions options = {};  ///< for a text
    bool list = false;             ///< tell the tokens too
};

using Request = std::variant<GenerateRequest, ScoreRequest, InspectRequest, MatchRequest, CountRequest>;

inline constexpr std::size_t max_matched_tokens = 1024;  ///< 16 KiB each while they are matched
inline constexpr std::size_t max_choices = 128;
inline constexpr std::size_t max_log_probabilities = 100;

}  // namespace hlg::engine
