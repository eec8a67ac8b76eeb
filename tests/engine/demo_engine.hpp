// SPDX-License-Identifier: MIT
//
// The demo model for the engine's tests, loaded once a program.
#pragma once

#include <cstdlib>
#include <memory>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "engine/engine.hpp"

namespace hlg::engine {

inline const Model& demo_model() {
    static const Model model = [] {
        Result<Model> loaded = Model::load(std::getenv("HLG_TEST_MODEL"));
        if (!loaded) ADD_FAILURE() << loaded.error().message;
        return *loaded;
    }();
    return model;
}

inline std::unique_ptr<Engine> demo_engine(EngineOptions options = {}) {
    if (options.context.context == 0) options.context.context = 512;
    if (options.context.threads == 0) options.context.threads = 1;
    Result<std::unique_ptr<Engine>> engine = Engine::start(demo_model(), std::move(options));
    if (!engine) ADD_FAILURE() << engine.error().message;
    return std::move(*engine);
}

/** A request for so many tokens of a story. */
inline GenerateRequest story(std::size_t tokens, std::uint64_t seed = 7) {
    GenerateRequest request{.prompt = "Once upon a time", .max_tokens = tokens};
    request.sampling.seed = seed;
    return request;
}

/** The one completion of a request that must succeed. */
inline Completion completion(Engine& engine, GenerateRequest request) {
    Result<std::vector<Completion>> completions = complete(engine, std::move(request));
    if (!completions) {
        ADD_FAILURE() << completions.error().message;
        return {};
    }
    return std::move(completions->front());
}

/** Waits until the request runs: for its first event after the one that says it is accepted. */
inline std::optional<Event> started(Ticket& ticket) {
    std::optional<Event> event = ticket.next();
    if (event && std::holds_alternative<AcceptedEvent>(event->what)) event = ticket.next();
    return event;
}

/** The error of a request that must fail. */
inline Error error_of(Engine& engine, Request request) {
    Ticket ticket = engine.submit(std::move(request));
    while (std::optional<Event> event = ticket.next())
        if (const auto* failed = std::get_if<ErrorEvent>(&event->what)) return failed->error;
    ADD_FAILURE() << "no error";
    return {};
}

}  // namespace hlg::engine
