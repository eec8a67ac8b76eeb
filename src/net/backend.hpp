// SPDX-License-Identifier: MIT
//
// What the server needs of those below it, and no more: requests opened, and the engine's events of what they ask.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>

#include "api/exchange.hpp"
#include "engine/engine.hpp"

namespace hlg::net {

/** The reader's end of what the engine was asked. Destroying it cancels what has not ended. */
class Events {
public:
    Events() = default;
    virtual ~Events() = default;
    Events(const Events&) = delete;
    Events& operator=(const Events&) = delete;

    /** The next event that is there already; `ended` tells whether none is because none will come. */
    virtual std::optional<engine::Event> next(bool& ended) = 0;

    /** Called, by any thread, whenever there may be something to read. */
    virtual void on_event(std::function<void()> call) = 0;
};

using Opened = std::variant<api::Reply, std::unique_ptr<api::Exchange>>;

class Backend {
public:
    Backend() = default;
    virtual ~Backend() = default;
    Backend(const Backend&) = delete;
    Backend& operator=(const Backend&) = delete;

    /** What there is to answer, or to do. May take its time; called by several threads. */
    virtual Opened open(const api::HttpRequest& request) = 0;

    /** Never blocks. */
    virtual std::unique_ptr<Events> submit(engine::Request request) = 0;

    [[nodiscard]] virtual engine::EngineStatistics statistics() const = 0;

    /** The model's id. */
    [[nodiscard]] virtual std::string model_id() const = 0;
};

}  // namespace hlg::net
