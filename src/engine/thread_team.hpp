// SPDX-License-Identifier: MIT
//
// A few threads that share one piece of work with the thread that has it, between two decodes. Apart from WorkerPool: what a
// step waits for must not queue behind somebody's long prompt.
//
// Two ways, chosen when this is built. Where llama.cpp computes with OpenMP, its threads go on spinning after a decode and hold
// the cores, so that others would wait for them: there the same OpenMP team does the work (thread_team_openmp.cpp). Elsewhere
// the team has threads of its own (thread_team.cpp).
#pragma once

#include <cstddef>
#include <functional>
#include <memory>

namespace hlg::engine {

class ThreadTeam {
public:
    /**
     * `threads`, the caller's included, as many as the decodes' have: OpenMP would end those that are too many for one piece of
     * work and start them again for the next. Pieces of work have at most `parts`, so that more threads of its own it need not
     * have.
     */
    ThreadTeam(std::size_t threads, std::size_t parts);
    ~ThreadTeam();
    ThreadTeam(const ThreadTeam&) = delete;
    ThreadTeam& operator=(const ThreadTeam&) = delete;

    /**
     * Calls work(0) to work(count - 1), each once, on any of the threads, and returns when all have returned. One call at a
     * time. The work must not throw.
     */
    void each(std::size_t count, const std::function<void(std::size_t)>& work);

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace hlg::engine
