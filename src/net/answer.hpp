// SPDX-License-Identifier: MIT
//
// An exchange under way: what it asks of the engine, and the events of that on their way back. Knows no socket. Events are taken
// only when asked for, so whoever waits for a slow client makes the engine's bounded queue wait, and with it that lane alone.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "api/exchange.hpp"
#include "net/backend.hpp"
#include "net/metrics.hpp"

namespace hlg::net {

using Clock = std::chrono::steady_clock;

class Answer {
public:
    /** Asks the engine. `wake` is called by any thread when there may be something to take; it must not block. */
    Answer(std::unique_ptr<api::Exchange> exchange, Backend& backend, Metrics& metrics, Clock::time_point arrival,
           const std::function<void()>& wake);
    ~Answer();
    Answer(const Answer&) = delete;
    Answer& operator=(const Answer&) = delete;

    /**
     * Takes what events there are into the exchange, until `enough` bytes of a stream came of them. Returns those bytes. More
     * may be there after that.
     */
    std::string take(std::size_t enough);

    /** Ends the exchange with this problem, and what the engine does for it. */
    void fail(const api::Problem& problem);

    /** Whether it is a stream that may begin, so that head() and take() are to be sent; what is not waits for done(). */
    [[nodiscard]] bool streaming() const { return exchange_->streams() && exchange_->begun(); }
    [[nodiscard]] bool done() const { return exchange_->done(); }
    /** Whether the engine told of an error. */
    [[nodiscard]] bool failed() const noexcept { return failed_; }
    [[nodiscard]] api::Reply head() const { return exchange_->head(); }
    [[nodiscard]] api::Reply reply() { return exchange_->reply(); }

    [[nodiscard]] std::size_t tokens() const noexcept { return tokens_; }

private:
    struct Source {
        std::unique_ptr<Events> events;
        std::size_t choices = 0;  ///< that it asks for, if it is a generation
        std::size_t open = 0;     ///< of those, accepted and not ended: whatever becomes of them is counted once
        bool ended = false;
    };

    bool take_one(std::size_t source);
    void measure(Source& source, const engine::Event& event);
    void measure_tokens(std::size_t tokens);
    void finish();

    std::unique_ptr<api::Exchange> exchange_;
    std::vector<Source> sources_;
    Metrics& metrics_;
    Clock::time_point arrival_;
    std::optional<Clock::time_point> last_tokens_;
    std::size_t tokens_ = 0;
    std::size_t turn_ = 0;  ///< the source that is looked at next
    bool finished_ = false;
    bool failed_ = false;
};

}  // namespace hlg::net
