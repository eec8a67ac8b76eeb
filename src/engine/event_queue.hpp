// SPDX-License-Identifier: MIT
//
// A request's events on their way from the engine's thread to whoever reads them. Bounded: a lane whose reader is slow waits, so
// a slow reader costs memory for a few events and no other lane any time.
#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>

#include "engine/event.hpp"

namespace hlg::engine {

class EventQueue {
public:
    /** `capacity` events are held before has_room() says no; one that is pushed all the same is kept, for an end must arrive. */
    explicit EventQueue(std::size_t capacity) : capacity_(capacity) {}

    /** Called, by the reader's thread, when a full queue has room again. Set it before the queue is shared. */
    void on_room(std::function<void()> call) { on_room_ = std::move(call); }

    /** Called, by the pushing thread, after every push and close; for readers that wait elsewhere. */
    void on_event(std::function<void()> call);

    [[nodiscard]] bool has_room() const;
    void push(Event event);

    /** No more events will come. */
    void close();

    /** The next event, waiting for it; nothing once the queue is closed and empty. */
    std::optional<Event> next();

    /** The same, but nothing after this time as well; `closed` tells which. */
    std::optional<Event> next_for(std::chrono::milliseconds time, bool* closed = nullptr);

private:
    std::optional<Event> take(std::unique_lock<std::mutex>& lock);

    mutable std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<Event> events_;
    std::size_t capacity_;
    bool closed_ = false;
    std::function<void()> on_room_;
    std::function<void()> on_event_;
};

}  // namespace hlg::engine
