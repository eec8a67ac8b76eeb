// SPDX-License-Identifier: MIT
//
// What a request's stream consists of, in the order of its happening. Choices of one request share a stream, each with events of
// its own; a choice's last event is Finished, unless the request fails as a whole.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "engine/chat_parser.hpp"
#include "engine/model.hpp"
#include "engine/result.hpp"
#include "engine/settings.hpp"
#include "hlg/sampler.hpp"

namespace hlg::engine {

/** Why a generation ended. */
enum class Finish {
    stop,        ///< the model drew an end-of-generation token, or a stop string came
    length,      ///< max_tokens were generated
    context,     ///< the context is full
    tool_calls,  ///< the model calls tools
    cancelled,   ///< the caller asked
};

/** A finish reason as reports spell it. */
std::string_view to_string(Finish finish) noexcept;

/** A token and ln of its probability under the model's own distribution: no temperature, no edit. */
struct TokenLogProbability {
    Token token = -1;
    float log_probability = -std::numeric_limits<float>::infinity();  ///< nats
};

/** A generated token. */
struct GeneratedToken {
    Token token = -1;
    std::string bytes = {};                         ///< possibly a part of a character
    std::optional<float> log_probability = {};      ///< nats; where asked for
    std::vector<TokenLogProbability> highest = {};  ///< the model's most probable tokens, best first; where asked for
};

/**
 * A generation's first event: the request makes sense, its prompt fits, and it waits for a lane. Errors that come later are the
 * computation's, not the request's.
 */
struct AcceptedEvent {
    std::size_t prompt_tokens = 0;
    ResolvedSettings settings = {};  ///< in force, the seed among them
};

/** Text that became certain, and the tokens that are wholly shown now. Either may be empty. */
struct TextEvent {
    std::string text = {};
    std::vector<GeneratedToken> tokens = {};
};

/** For a chat, instead of TextEvent: content, reasoning and tool calls that became certain, and the tokens that are wholly known.
 */
struct ChatEvent {
    std::vector<ChatDelta> deltas;
    std::vector<GeneratedToken> tokens;
};

/** Tokens counted, and the time they took. */
struct Usage {
    std::size_t prompt_tokens = 0;
    std::size_t reused_tokens = 0;     ///< of the prompt, found in a lane instead of computed
    std::size_t generated_tokens = 0;  ///< without the end-of-generation token
    double prompt_seconds = 0.0;       ///< from the first prompt token's decode to the first draw
    double generate_seconds = 0.0;     ///< from there to the end
    double queued_seconds = 0.0;       ///< from submit to a lane
};

struct FinishedEvent {
    Finish reason = Finish::stop;
    std::optional<std::string> stop = {};   ///< the stop string that ended it
    std::uint64_t seed = 0;                 ///< the one in force, given or drawn
    std::vector<std::string> ignored = {};  ///< settings that had no effect: of top_k, top_p, min_p, because HLG is the sampler
    Usage usage = {};
};

/** ln p of the scored tokens, in their order, nats; -inf for a token that the model masks. */
struct ScoredEvent {
    std::vector<float> log_probabilities = {};
    std::vector<Token> tokens = {};                              ///< of a text, the first one included
    std::vector<std::vector<TokenLogProbability>> highest = {};  ///< one list a scored token, best first; where asked for
    Usage usage = {};
};

/** One token of an inspected distribution. */
struct InspectedToken {
    Token token = -1;
    std::string bytes = {};
    float logit = 0.0F;
    float log_probability = 0.0F;    ///< of the model, nats
    double probability = 0.0;        ///< of the draw
    double plain_probability = 0.0;  ///< of plain temperature: the draw's, without curve and truncation
};

/** The next token's distribution under the request's settings. */
struct InspectedEvent {
    std::vector<InspectedToken> tokens = {};  ///< the most probable of the draw, best first
    Statistics statistics = {};               ///< of the draw's distribution; mass_below is for ln p = -9.21, that is p < 1e-4
    Statistics plain = {};                    ///< of plain temperature's
    Statistics model = {};                    ///< of the model's own, without temperature and edits
    ResolvedSettings settings = {};           ///< in force
    Usage usage = {};
};

/** Temperatures compared along a text; entropies are means over its tokens, nats. */
struct MatchedEvent {
    double temperature = 1.0;  ///< of the settings, 0.01 to 100: there their entropy is nearest the reference's
    double entropy = 0.0;      ///< theirs at that temperature
    double reference_entropy = 0.0;
    std::size_t positions = 0;        ///< tokens of the text
    ResolvedSettings reference = {};  ///< in force
    ResolvedSettings settings = {};
    Usage usage = {};
};

struct CountedEvent {
    std::size_t tokens = 0;
    std::vector<Token> list = {};  ///< where asked for
};

/** The request, or the choice, ends here. */
struct ErrorEvent {
    Error error;
};

struct Event {
    std::size_t choice = 0;
    std::variant<AcceptedEvent, TextEvent, ChatEvent, FinishedEvent, ScoredEvent, InspectedEvent, MatchedEvent, CountedEvent,
                 ErrorEvent>
        what;
};

}  // namespace hlg::engine
