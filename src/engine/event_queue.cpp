// SPDX-License-Identifier: MIT
#include "engine/event_queue.hpp"

namespace hlg::engine {

std::string_view to_string(Finish finish) noexcept {
    switch (finish) {
        case Finish::stop: return "stop";
        case Finish::length: return "length";
        case Finish::context: return "context";
        case Finish::tool_calls: return "tool_calls";
        case Finish::cancelled: return "cancelled";
    }
    return "unknown";
}

void EventQueue::on_event(std::function<void()> call) {
    const std::lock_guard lock(mutex_);
    on_event_ = std::move(call);
}

bool EventQueue::has_room() const {
    const std::lock_guard lock(mutex_);
    return events_.size() < capacity_;
}

void EventQueue::push(Event event) {
    std::function<void()> tell;
    {
        const std::lock_guard lock(mutex_);
        events_.push_back(std::move(event));
        tell = on_event_;
    }
    changed_.notify_one();
    if (tell) tell();
}

void EventQueue::close() {
    std::function<void()> tell;
    {
        const std::lock_guard lock(mutex_);
        closed_ = true;
        tell = on_event_;
    }
    changed_.notify_all();
    if (tell) tell();
}

std::optional<Event> EventQueue::take(std::unique_lock<std::mutex>& lock) {
    if (events_.empty()) return std::nullopt;
    const bool was_full = events_.size() >= capacity_;
    Event event = std::move(events_.front());
    events_.pop_front();
    const bool freed = was_full && events_.size() < capacity_;
    lock.unlock();
    if (freed && on_room_) on_room_();
    return event;
}

std::optional<Event> EventQueue::next() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return closed_ || !events_.empty(); });
    return take(lock);
}

std::optional<Event> EventQueue::next_for(std::chrono::milliseconds time, bool* closed) {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, time, [this] { return closed_ || !events_.empty(); });
    if (closed != nullptr) *closed = closed_ && events_.empty();
    return take(lock);
}

}  // namespace hlg::engine
