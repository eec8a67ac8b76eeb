// SPDX-License-Identifier: MIT
#include <algorithm>

#include "engine/thread_team.hpp"

namespace hlg::engine {

struct ThreadTeam::State {
    int threads;
};

ThreadTeam::ThreadTeam(std::size_t threads, std::size_t /*parts*/)
    : state_(std::make_unique<State>(State{static_cast<int>(std::max<std::size_t>(threads, 1))})) {}

ThreadTeam::~ThreadTeam() = default;

void ThreadTeam::each(std::size_t count, const std::function<void(std::size_t)>& work) {
#pragma omp parallel for schedule(dynamic, 1) num_threads(state_->threads)
    for (std::size_t part = 0; part < count; ++part) work(part);
}

}  // namespace hlg::engine
