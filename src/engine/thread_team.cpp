// SPDX-License-Identifier: MIT
#include "engine/thread_team.hpp"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <limits>
#include <optional>
#include <thread>
#include <vector>

namespace hlg::engine {

struct ThreadTeam::State {
    static constexpr std::uint32_t stop = std::numeric_limits<std::uint32_t>::max();

    void help();
    void take_parts();
    std::optional<std::uint32_t> claim();

    const std::function<void(std::size_t)>* work = nullptr;  ///< read only by who has claimed a part: that keeps it alive
    std::atomic<std::uint32_t> unclaimed = 0;                ///< parts left; or stop
    std::atomic<std::uint32_t> unfinished = 0;               ///< parts
    std::vector<std::thread> helpers;                        ///< they sleep between pieces of work
};

ThreadTeam::ThreadTeam(std::size_t threads, std::size_t parts) : state_(std::make_unique<State>()) {
    for (std::size_t i = 1; i < std::min(threads, parts); ++i) state_->helpers.emplace_back([this] { state_->help(); });
}

ThreadTeam::~ThreadTeam() {
    state_->unclaimed = State::stop;
    state_->unclaimed.notify_all();
    for (std::thread& helper : state_->helpers) helper.join();
}

// Never waits for a helper that has not woken up yet.
void ThreadTeam::each(std::size_t count, const std::function<void(std::size_t)>& work) {
    const auto parts = static_cast<std::uint32_t>(count);
    state_->work = &work;
    state_->unfinished = parts;
    state_->unclaimed = parts;
    if (parts > 1) state_->unclaimed.notify_all();
    state_->take_parts();
    for (std::uint32_t left = state_->unfinished; left != 0; left = state_->unfinished) state_->unfinished.wait(left);
}

std::optional<std::uint32_t> ThreadTeam::State::claim() {
    std::uint32_t left = unclaimed;
    while (left != 0 && left != stop)
        if (unclaimed.compare_exchange_weak(left, left - 1)) return left - 1;
    return std::nullopt;
}

void ThreadTeam::State::take_parts() {
    while (const std::optional<std::uint32_t> part = claim()) {
        (*work)(*part);
        if (--unfinished == 0) unfinished.notify_one();
    }
}

void ThreadTeam::State::help() {
    for (;;) {
        unclaimed.wait(0);
        if (unclaimed == stop) return;
        take_parts();
    }
}

}  // namespace hlg::engine
