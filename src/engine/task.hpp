// SPDX-License-Identifier: MIT
//
// One sequence of work on one lane: the tokens to be run through the model, and what to do with the logits that come out.
#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <span>
#include <vector>

#include "engine/event_queue.hpp"
#include "engine/log_probabilities.hpp"
#include "engine/tally.hpp"

namespace hlg::engine {

/** What a request's tasks, its reader and the engine share. */
struct Stream {
    explicit Stream(std::size_t capacity) : events(capacity) {}

    EventQueue events;
    std::optional<RenderedChat> chat;  ///< set before the first event: texts are the answers to it
    std::atomic<bool> cancelled = false;
    std::atomic<std::size_t> open = 0;  ///< tasks that have not ended
};

using Clock = std::chrono::steady_clock;

class Task {
public:
    Task(std::shared_ptr<Stream> stream, std::size_t choice, std::vector<Token> tokens)
        : tokens_(std::move(tokens)), prompt_tokens_(tokens_.size()), stream_(std::move(stream)), choice_(choice) {
        ++stream_->open;
    }
    virtual ~Task() = default;
    Task(const Task&) = delete;
    Task& operator=(const Task&) = delete;

    /** All tokens to be run so far, from the first; generation appends to them. Never empty. */
    [[nodiscard]] virtual std::span<const Token> tokens() const { return tokens_; }

    /** How many of them may be taken from a lane instead of being run: at least the last one's logits are wanted. */
    [[nodiscard]] virtual std::size_t most_reusable() const { return tokens_.size() - 1; }

    /** Whether all but the last token were given: the lane has its prompt. */
    [[nodiscard]] bool prompt_held(std::size_t held) const { return held + 1 >= prompt_tokens_; }

    /** Tokens generated so far. */
    [[nodiscard]] std::size_t generated() const noexcept { return tokens_.size() - prompt_tokens_; }
    [[nodiscard]] std::size_t prompt_tokens() const noexcept { return prompt_tokens_; }

    /** Whether the logits after the token at this position are wanted. */
    [[nodiscard]] virtual bool wants(std::size_t position) const { return position + 1 == tokens_.size(); }

    /** The logits after that token, [vocab]; told once for each that is wanted, in order. */
    virtual void take(std::size_t position, std::span<const float> logits) = 0;

    /** Of the draws since it was last asked. */
    virtual DrawTally take_draws() { return {}; }

    /** Ends the task because the caller cancelled. */
    virtual void cancel() = 0;

    /** Ends the task with an error. */
    void fail(Error error);

    /** The task enters a lane, its first one, that holds so many of its tokens already. */
    void start(std::size_t reused) {
        reused_ = reused;
        started_ = Clock::now();
        has_started_ = true;
    }
    [[nodiscard]] bool started() const noexcept { return has_started_; }

    [[nodiscard]] bool done() const noexcept { return done_; }
    [[nodiscard]] bool cancelled() const noexcept { return stream_->cancelled.load(std::memory_order_relaxed); }
    /** Whether its reader can take more. */
    [[nodiscard]] bool has_room() const { return stream_->events.has_room(); }
    [[nodiscard]] std::size_t choice() const noexcept { return choice_; }
    [[nodiscard]] const std::shared_ptr<Stream>& stream() const noexcept { return stream_; }
    [[nodiscard]] std::size_t reused() const noexcept { return reused_; }

protected:
    void push(Event event) { stream_->events.push(std::move(event)); }
    void end(Event last);
    /** What a task's prompt took, if it ended now. */
    [[nodiscard]] Usage prompt_usage() const;
    static double seconds(Clock::time_point from, Clock::time_point to) {
        return std::chrono::duration<double>(to - from).count();
    }

    std::vector<Token> tokens_;
    std::size_t prompt_tokens_;
    std::size_t reused_ = 0;
    Clock::time_point created_ = Clock::now();
    Clock::time_point started_ = created_;

private:
    std::shared_ptr<Stream> stream_;
    std::size_t choice_;
    bool has_started_ = false;
    bool done_ = false;
};

}  // namespace hlg::engine
