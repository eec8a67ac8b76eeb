// SPDX-License-Identifier: MIT
#include "engine/thread_team.hpp"

#include <atomic>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace hlg::engine {
namespace {

TEST(ThreadTeam, DoesEachPartOnce) {
    for (const std::size_t threads : {1U, 2U, 4U, 9U}) {
        ThreadTeam team(threads, 64);
        // Not atomic: each part has a place of its own, and a round's end must make all of them visible.
        std::vector<int> done(64);
        for (std::size_t round = 0; round < 2000; ++round) {
            const std::size_t count = round % (done.size() + 1);
            team.each(count, [&](std::size_t part) { ++done[part]; });
            for (std::size_t part = 0; part < done.size(); ++part)
                ASSERT_EQ(std::exchange(done[part], 0), part < count ? 1 : 0) << threads << " threads, round " << round;
        }
    }
}

TEST(ThreadTeam, HelpersWorkAtTheSameTime) {
    ThreadTeam team(2, 2);
    std::atomic<int> there = 0;
    std::vector<std::thread::id> who(2);
    // Each part ends only when the other has begun: one thread alone would never end.
    team.each(2, [&](std::size_t part) {
        who[part] = std::this_thread::get_id();
        for (++there; there != 2;) std::this_thread::yield();
    });
    EXPECT_NE(who[0], who[1]);
}

TEST(ThreadTeam, EndsWhileItsHelpersSleepOrHaveNeverWorked) {
    for (int i = 0; i < 200; ++i) {
        ThreadTeam team(4, 4);
        if (i % 2 == 0) team.each(1, [](std::size_t) {});
    }
}

}  // namespace
}  // namespace hlg::engine
