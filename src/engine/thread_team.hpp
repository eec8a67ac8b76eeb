// SPDX-License-Identifier: MIT
//
// A few threads that share one piece of work with the thread that has it, between two decodes. Apart from WorkerPool: what a
// step waits for must not queue behind somebody's long prompt.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <thread>
#include <vector>

namespace hlg::engine {

class ThreadTeam {
public:
    /** `helpers` threads beside the caller's; they sleep between pieces of work. */
    explicit ThreadTeam(std::size_t helpers);
    ~ThreadTeam();
    ThreadTeam(const ThreadTeam&) = delete;
    ThreadTeam& operator=(const ThreadTeam&) = delete;

    /**
     * Calls work(0) to work(count - 1), each once, on any of the threads, and returns when all have returned; it never waits for
     * a helper that has not woken up yet. One call at a time. The work must not throw.
     */
    void each(std::size_t count, const std::function<void(std::size_t)>& work);

private:
    static constexpr std::uint32_t stop = std::numeric_limits<std::uint32_t>::max();

    void help();
    void take_parts();
    std::optional<std::uint32_t> claim();

    const std::function<void(std::size_t)>* work_ = nullptr;  ///< read only by who has claimed a part: that keeps it alive
    std::atomic<std::uint32_t> unclaimed_ = 0;                ///< parts left; or stop
    std::atomic<std::uint32_t> unfinished_ = 0;               ///< parts
    std::vector<std::thread> threads_;
};

}  // namespace hlg::engine
