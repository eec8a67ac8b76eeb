// SPDX-License-Identifier: MIT
//
// The scheduler by hand, step by step, where the engine gives no handle: decodes that fail, and decodes that are aborted.
#include "engine/scheduler.hpp"

#include <gtest/gtest.h>

#include "engine/demo_engine.hpp"

namespace hlg::engine {
namespace {

/** Takes the first row of logits it gets, and ends. */
class OneRow final : public Task {
public:
    using Task::Task;
    void take(std::size_t /*position*/, std::span<const float> logits) override { end({choice(), CountedEvent{logits.size()}}); }
    void cancel() override { fail({ErrorCode::interrupted, "cancelled"}); }
};

class SchedulerTest : public testing::Test {
protected:
    void SetUp() override {
        Result<BatchContext> opened =
            BatchContext::open(demo_model(), {.lanes = 2, .context = 128, .threads = 1, .chunk = 16}, abort_);
        ASSERT_TRUE(opened) << opened.error().message;
        context_.emplace(std::move(*opened));
        scheduler_.emplace(*context_, false);
    }

    std::shared_ptr<Stream> add(std::vector<Token> tokens) {
        auto stream = std::make_shared<Stream>(8);
        scheduler_->add(std::make_unique<OneRow>(stream, 0, std::move(tokens)));
        return stream;
    }

    /** The one event of a stream that has ended; its error, if it is one. */
    static std::optional<Error> outcome(Stream& stream) {
        bool closed = false;
        const std::optional<Event> event = stream.events.next_for(std::chrono::milliseconds(0), &closed);
        if (!event) return Error{ErrorCode::bad_request, "it has not ended"};
        const auto* failed = std::get_if<ErrorEvent>(&event->what);
        return failed != nullptr ? std::optional(failed->error) : std::nullopt;
    }

    std::atomic<bool> abort_ = false;
    std::optional<BatchContext> context_;
    std::optional<Scheduler> scheduler_;
    std::vector<Token> good_ = demo_model().tokenize("Once upon a time");
};

TEST_F(SchedulerTest, ADecodeThatFailsEndsThoseInItAndTheNextGoesOn) {
    const auto bad = add({1, 1 << 30});  // no such token: llama.cpp refuses the batch
    const auto beside = add(good_);
    const auto waiting = add(good_);
    EXPECT_TRUE(scheduler_->step());
    for (const auto& stream : {bad, beside}) {
        const std::optional<Error> error = outcome(*stream);
        ASSERT_TRUE(error);
        EXPECT_EQ(error->code, ErrorCode::decode_failed);
    }
    EXPECT_EQ(scheduler_->running(), 0U);
    EXPECT_TRUE(scheduler_->step());
    EXPECT_EQ(outcome(*waiting), std::nullopt);
    EXPECT_EQ(scheduler_->tally().reused_tokens, 0U) << "nobody knows what the failed lanes hold";
}

TEST_F(SchedulerTest, ADecodeThatIsAbortedIsDoneAgain) {
    const auto stream = add(good_);
    abort_ = true;
    EXPECT_TRUE(scheduler_->step());
    EXPECT_EQ(scheduler_->running(), 1U);
    EXPECT_EQ(scheduler_->tally().prompt_tokens, 0U);
    abort_ = false;
    EXPECT_TRUE(scheduler_->step());
    EXPECT_EQ(outcome(*stream), std::nullopt);
    EXPECT_EQ(scheduler_->tally().prompt_tokens, good_.size());
}

TEST_F(SchedulerTest, NothingToDoIsNoStep) {
    EXPECT_FALSE(scheduler_->step());
    const auto stream = add(good_);
    stream->cancelled = true;
    EXPECT_FALSE(scheduler_->step());
    const std::optional<Error> error = outcome(*stream);
    ASSERT_TRUE(error);
    EXPECT_EQ(error->code, ErrorCode::interrupted);
}

TEST_F(SchedulerTest, APromptTakesChunksAndNoMore) {
    std::vector<Token> prompt(50, good_.back());
    const auto stream = add(prompt);
    for (int i = 0; i < 4; ++i) EXPECT_TRUE(scheduler_->step());
    EXPECT_EQ(scheduler_->tally().decodes, 4U);  // 16 + 16 + 16 + 2
    EXPECT_EQ(outcome(*stream), std::nullopt);
    EXPECT_FALSE(scheduler_->step());
}

}  // namespace
}  // namespace hlg::engine
