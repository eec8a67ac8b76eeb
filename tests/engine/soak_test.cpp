// SPDX-License-Identifier: MIT
//
// Ten thousand requests leave the process no bigger than the first two thousand made it.
#include <random>

#include <gtest/gtest.h>

#include "engine/demo_engine.hpp"
#include "support/resident_bytes.hpp"

namespace hlg::engine {
namespace {

/** Requests of every sort: lengths, choices, log-probabilities, stops, bad ones, and ones that nobody waits for. */
void some_requests(Engine& engine, std::size_t count, std::mt19937& random) {
    constexpr std::size_t together = 16;
    std::vector<Ticket> tickets;
    for (std::size_t i = 0; i < count; ++i) {
        GenerateRequest request = story(1 + random() % 4, random());
        request.prompt = "The " + std::to_string(random() % 1000) + " kings";
        if (random() % 8 == 0) request.choices = 2;
        if (random() % 4 == 0) request.log_probabilities = 5;
        if (random() % 4 == 0) request.stop = {"a", "the end"};
        if (random() % 16 == 0) request.sampling.temperature = -1;
        if (random() % 4 == 0) request.sampling.hlg = {.enabled = true, .preset = "balanced"};
        tickets.push_back(engine.submit(std::move(request)));
        if (tickets.size() < together) continue;
        for (Ticket& ticket : tickets) {
            if (random() % 16 == 0) continue;
            while (ticket.next()) continue;
        }
        tickets.clear();
    }
}

TEST(Soak, TenThousandRequestsLeaveMemoryFlat) {
    const auto engine = demo_engine({.context = {.lanes = 8, .context = 64}});
    std::mt19937 random(1);
    some_requests(*engine, 2000, random);
    const std::size_t before = test::resident_bytes();
    some_requests(*engine, 10000, random);
    const std::size_t after = test::resident_bytes();
    RecordProperty("grown_bytes", std::to_string(after - std::min(before, after)));
    // A kilobyte lost a request would be ten MiB.
    EXPECT_LT(after, before + (std::size_t{2} << 20U)) << "grown by " << (after - before) / 1024 << " KiB";
    EXPECT_EQ(engine->statistics().requests, 12000U);
}

}  // namespace
}  // namespace hlg::engine
