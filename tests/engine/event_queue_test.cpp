// SPDX-License-Identifier: MIT
#include "engine/event_queue.hpp"

#include <thread>

#include <gtest/gtest.h>

namespace hlg::engine {
namespace {

Event text(std::string what) { return {0, TextEvent{std::move(what), {}}}; }
std::string text_of(const Event& event) { return std::get<TextEvent>(event.what).text; }

TEST(EventQueue, KeepsTheOrderAndEndsOnceItIsClosedAndEmpty) {
    EventQueue queue(8);
    for (const char* word : {"a", "b", "c"}) queue.push(text(word));
    queue.close();
    EXPECT_EQ(text_of(*queue.next()), "a");
    EXPECT_EQ(text_of(*queue.next()), "b");
    EXPECT_EQ(text_of(*queue.next()), "c");
    EXPECT_FALSE(queue.next());
    EXPECT_FALSE(queue.next());
}

TEST(EventQueue, TellsWhenAFullQueueHasRoomAgain) {
    EventQueue queue(2);
    int told = 0;
    queue.on_room([&] { ++told; });
    EXPECT_TRUE(queue.has_room());
    for (const char* word : {"a", "b", "c"}) queue.push(text(word));  // one more than it should
    EXPECT_FALSE(queue.has_room());
    (void)queue.next();
    EXPECT_FALSE(queue.has_room());
    EXPECT_EQ(told, 0);
    (void)queue.next();
    EXPECT_TRUE(queue.has_room());
    EXPECT_EQ(told, 1);
    (void)queue.next();
    EXPECT_EQ(told, 1);
}

TEST(EventQueue, WaitsNoLongerThanAsked) {
    EventQueue queue(2);
    bool ended = true;
    EXPECT_FALSE(queue.next_for(std::chrono::milliseconds(1), &ended));
    EXPECT_FALSE(ended);
    queue.close();
    EXPECT_FALSE(queue.next_for(std::chrono::milliseconds(1), &ended));
    EXPECT_TRUE(ended);
}

TEST(EventQueue, ReadersInAnotherThreadGetEveryEvent) {
    EventQueue queue(4);
    std::atomic<int> signals = 0;
    queue.on_event([&] { ++signals; });
    std::string read;
    std::thread reader([&] {
        while (const std::optional<Event> event = queue.next()) read += text_of(*event);
    });
    std::string written;
    for (int i = 0; i < 1000; ++i) {
        while (!queue.has_room()) std::this_thread::yield();
        queue.push(text(std::to_string(i)));
        written += std::to_string(i);
    }
    queue.close();
    reader.join();
    EXPECT_EQ(read, written);
    EXPECT_EQ(signals, 1001);
}

}  // namespace
}  // namespace hlg::engine
