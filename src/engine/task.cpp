// SPDX-License-Identifier: MIT
#include "engine/task.hpp"

namespace hlg::engine {

void Task::fail(Error error) { end({choice_, ErrorEvent{std::move(error)}}); }

void Task::end(Event last) {
    if (done_) return;
    done_ = true;
    push(std::move(last));
    if (--stream_->open == 0) stream_->events.close();
}

Usage Task::prompt_usage() const {
    Usage usage;
    usage.prompt_tokens = prompt_tokens_;
    usage.reused_tokens = reused_;
    usage.queued_seconds = seconds(created_, started_);
    usage.prompt_seconds = seconds(started_, Clock::now());
    return usage;
}

}  // namespace hlg::engine
