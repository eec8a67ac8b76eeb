// SPDX-License-Identifier: MIT
//
// The engine: a model, a llama.cpp context, and the one thread that uses it. Any thread may submit requests and read their
// events; nothing here knows where a request came from.
//
//     auto engine = Engine::start(std::move(*Model::load(path)), {.context = {.lanes = 8}});
//     Ticket ticket = (*engine)->submit(GenerateRequest{.prompt = "Once upon a time"});
//     while (std::optional<Event> event = ticket.next()) ...
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "engine/context_options.hpp"
#include "engine/event.hpp"
#include "engine/model.hpp"
#include "engine/request.hpp"
#include "engine/result.hpp"
#include "engine/tally.hpp"

namespace hlg::engine {

struct EngineOptions {
    ContextOptions context = {};
    std::vector<SamplingSettings> settings = {};  ///< tiers below the request's, lowest first: the model's, the command line's
    std::string chat_template = {};               ///< Jinja, instead of the model's own
    bool reproducible = false;        ///< equal requests get equal answers whatever else runs; slower, see docs/engine.md
    std::size_t most_requests = 512;  ///< submitted and not ended; more are refused with ErrorCode::too_busy
    std::size_t events = 256;         ///< that a stream holds before its choices wait for the reader
    DrawSharing draws = {};
};

/** What the engine does and has done. */
struct EngineStatistics {
    ContextLimits limits;
    std::size_t requests = 0;   ///< ever submitted
    std::size_t preparing = 0;  ///< requests that are being tokenised
    std::size_t waiting = 0;    ///< choices
    std::size_t running = 0;    ///< choices, at most one a lane
    std::size_t held = 0;       ///< tokens in the lanes of what runs; there is room for limits.lanes * limits.context
    Tally tally;
};

/** The reader's end of a request. Destroying it cancels what has not ended. */
class Ticket {
public:
    ~Ticket();
    Ticket(Ticket&&) noexcept;
    Ticket& operator=(Ticket&&) noexcept;

    /** The next event, waiting for it; nothing when all choices have ended. Events of a cancelled request still come. */
    std::optional<Event> next();

    /** The same, but waits no longer than this; `ended` tells whether nothing is because all choices have ended. */
    std::optional<Event> next_for(std::chrono::milliseconds time, bool& ended);

    /** Ends all choices soon: each with Finish::cancelled. Any thread may call it. */
    void cancel();

    /** Called by the engine whenever there may be something to read, for readers that must not wait. It must not block. */
    void on_event(std::function<void()> call);

private:
    friend class Engine;
    struct State;
    explicit Ticket(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
};

class Engine {
public:
    /** Makes the context and starts the threads. Errors: no_context, bad_settings, bad_config. */
    static Result<std::unique_ptr<Engine>> start(Model model, EngineOptions options);

    /** Ends every request with ErrorCode::interrupted. Tickets may outlive the engine. */
    ~Engine();
    Engine(const Engine&) = delete;
    Engine& operator=(const Engine&) = delete;

    /** Never blocks and never fails: what is wrong with the request comes as its ErrorEvent. */
    [[nodiscard]] Ticket submit(Request request);

    [[nodiscard]] EngineStatistics statistics() const;
    [[nodiscard]] const Model& model() const noexcept;
    [[nodiscard]] const ContextLimits& limits() const noexcept;

    /** How chats are rendered; an error where the model's own template can't be parsed. */
    [[nodiscard]] const Result<ChatTemplate>& chat_template() const noexcept;

private:
    struct Impl;
    explicit Engine(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

/** A finished generation, for callers that don't stream. */
struct Completion {
    std::string text = {};
    ChatMessage message = {};  ///< instead of the text, for a chat
    std::vector<GeneratedToken> tokens = {};
    FinishedEvent finished;
};

/** Submits the request and waits: one completion a choice, or the first error. */
Result<std::vector<Completion>> complete(Engine& engine, GenerateRequest request);

}  // namespace hlg::engine
