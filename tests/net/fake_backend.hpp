// SPDX-License-Identifier: MIT
//
// A backend whose events come when the test says so.
//
//     POST /stream   a stream of as many requests as the body has bytes; a text is a frame, an end is the last one
//     POST /whole    the same, answered in one piece
//     POST /now      answered at once, with the body
#pragma once

#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "net/backend.hpp"

namespace hlg::net {

/** What the test holds of a request to the engine. */
class FakeRequest {
public:
    void push(engine::Event event);
    void close();

    /** A whole generation's first event, a text, and a last event. */
    void accept() { push({0, engine::AcceptedEvent{.prompt_tokens = 3}}); }
    void say(const std::string& text);
    void finish();
    void fail(engine::ErrorCode code, const std::string& message);

    [[nodiscard]] std::size_t taken() const;

    /** Whether the reader has gone, waiting so long for it. */
    bool gone_within(std::chrono::milliseconds time);

    /** Waits until so many events are taken. */
    bool taken_within(std::size_t events, std::chrono::milliseconds time);

private:
    friend class FakeEvents;
    void tell();

    mutable std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<engine::Event> events_;
    std::function<void()> on_event_;
    std::size_t taken_ = 0;
    bool closed_ = false;
    bool gone_ = false;
};

class FakeBackend : public Backend {
public:
    Opened open(const api::HttpRequest& request) override;
    std::unique_ptr<Events> submit(engine::Request request) override;
    [[nodiscard]] engine::EngineStatistics statistics() const override { return {}; }
    [[nodiscard]] std::string model_id() const override { return "fake"; }

    /** The request with this number, waiting until it is submitted. */
    std::shared_ptr<FakeRequest> request(std::size_t number);

    /** While held, open() does not return. */
    void hold(bool held);

private:
    std::mutex mutex_;
    std::condition_variable changed_;
    std::vector<std::shared_ptr<FakeRequest>> requests_;
    bool held_ = false;
};

}  // namespace hlg::net
