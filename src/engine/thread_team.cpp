// SPDX-License-Identifier: MIT
#include "engine/thread_team.hpp"

namespace hlg::engine {

ThreadTeam::ThreadTeam(std::size_t helpers) {
    for (std::size_t i = 0; i < helpers; ++i) threads_.emplace_back([this] { help(); });
}

ThreadTeam::~ThreadTeam() {
    unclaimed_ = stop;
    unclaimed_.notify_all();
    for (std::thread& thread : threads_) thread.join();
}

void ThreadTeam::each(std::size_t count, const std::function<void(std::size_t)>& work) {
    const auto parts = static_cast<std::uint32_t>(count);
    work_ = &work;
    unfinished_ = parts;
    unclaimed_ = parts;
    if (parts > 1) unclaimed_.notify_all();
    take_parts();
    for (std::uint32_t left = unfinished_; left != 0; left = unfinished_) unfinished_.wait(left);
}

std::optional<std::uint32_t> ThreadTeam::claim() {
    std::uint32_t left = unclaimed_;
    while (left != 0 && left != stop)
        if (unclaimed_.compare_exchange_weak(left, left - 1)) return left - 1;
    return std::nullopt;
}

void ThreadTeam::take_parts() {
    while (const std::optional<std::uint32_t> part = claim()) {
        (*work_)(*part);
        if (--unfinished_ == 0) unfinished_.notify_one();
    }
}

void ThreadTeam::help() {
    for (;;) {
        unclaimed_.wait(0);
        if (unclaimed_ == stop) return;
        take_parts();
    }
}

}  // namespace hlg::engine
