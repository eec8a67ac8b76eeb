// SPDX-License-Identifier: MIT
#include "eval/parallel.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace hlg::eval {
namespace {

/** The items that are left, and what went wrong with one. */
class Queue {
public:
    Queue(std::size_t n, const std::function<void(std::size_t)>& work) : n_(n), work_(work) {}

    void run() {
        for (std::size_t i = next_++; i < n_ && !ended_; i = next_++) {
            try {
                work_(i);
            } catch (...) {
                const std::lock_guard lock(mutex_);
                if (!error_) error_ = std::current_exception();
                ended_ = true;
            }
            ++done_;
            changed_.notify_one();
        }
    }

    void stop() { ended_ = true; }
    [[nodiscard]] double share() const { return static_cast<double>(done_) / static_cast<double>(n_); }
    [[nodiscard]] bool over() const { return ended_ || done_ >= n_; }
    [[nodiscard]] std::exception_ptr error() const { return error_; }

    void wait() {
        std::unique_lock lock(mutex_);
        changed_.wait_for(lock, std::chrono::milliseconds(100));
    }

private:
    std::size_t n_;
    const std::function<void(std::size_t)>& work_;
    std::atomic<std::size_t> next_ = 0;
    std::atomic<std::size_t> done_ = 0;
    std::atomic<bool> ended_ = false;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::exception_ptr error_;
};

}  // namespace

void parallel_for(std::size_t n, const std::function<void(std::size_t)>& work, const Progress& progress) {
    Queue queue(n, work);
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < std::min<std::size_t>(n, std::max(1U, std::thread::hardware_concurrency())); ++i)
        threads.emplace_back([&queue] { queue.run(); });
    bool stopped = false;
    while (!queue.over()) {
        if (progress && !progress(queue.share())) {
            stopped = true;
            queue.stop();
        }
        if (!queue.over()) queue.wait();
    }
    for (std::thread& thread : threads) thread.join();
    if (queue.error()) std::rethrow_exception(queue.error());
    if (stopped) throw Stopped();
}

}  // namespace hlg::eval
