// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>

namespace hlg::engine {

/** For whoever reads several tickets: rung by the engine's thread (Ticket::on_event), whichever request has news. */
class Bell {
public:
    void ring() {
        {
            const std::lock_guard lock(mutex_);
            rung_ = true;
        }
        changed_.notify_one();
    }

    /** Returns at the next ring, or after a while, for there are other things to look at. */
    void wait() {
        constexpr std::chrono::milliseconds patience(50);
        std::unique_lock lock(mutex_);
        changed_.wait_for(lock, patience, [this] { return rung_; });
        rung_ = false;
    }

private:
    std::mutex mutex_;
    std::condition_variable changed_;
    bool rung_ = false;
};

}  // namespace hlg::engine
