// SPDX-License-Identifier: MIT
//
// A few threads for the work that must not hold up the engine's: tokenising, templates, grammars.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace hlg::engine {

class WorkerPool {
public:
    explicit WorkerPool(std::size_t threads);

    /** Does what was posted first. */
    ~WorkerPool();
    WorkerPool(const WorkerPool&) = delete;
    WorkerPool& operator=(const WorkerPool&) = delete;

    /** Jobs are begun in the order of posting. They must not throw. */
    void post(std::function<void()> job);

private:
    void work();

    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<std::function<void()>> jobs_;
    bool stopping_ = false;
    std::vector<std::thread> threads_;
};

}  // namespace hlg::engine
