// SPDX-License-Identifier: MIT
//
// Many requests at once: lanes, reuse, fairness, slow readers, cancels.
#include <cmath>
#include <random>
#include <thread>

#include <gtest/gtest.h>

#include "engine/demo_engine.hpp"

namespace hlg::engine {
namespace {

/** Everything a ticket gives, choice by choice. */
std::vector<Completion> drain(Ticket& ticket, std::size_t choices = 1) {
    std::vector<Completion> completions(choices);
    while (std::optional<Event> event = ticket.next()) {
        Completion& completion = completions.at(event->choice);
        if (auto* part = std::get_if<TextEvent>(&event->what)) completion.text += part->text;
        if (auto* last = std::get_if<FinishedEvent>(&event->what)) completion.finished = *last;
        if (auto* failed = std::get_if<ErrorEvent>(&event->what)) ADD_FAILURE() << failed->error.message;
    }
    return completions;
}

std::string long_prompt(std::size_t words) {
    std::string text = "Once upon a time";
    for (std::size_t i = 0; i < words; ++i) text += i % 3 == 0 ? " the king" : i % 3 == 1 ? " saw a" : " fox and";
    return text;
}

TEST(Batching, LanesOfOneBatchKeepTheirOwnSettings) {
    const auto engine = demo_engine({.context = {.lanes = 4}, .reproducible = true});
    const auto exact = demo_engine({.reproducible = true});
    std::vector<GenerateRequest> requests;
    for (std::uint64_t i = 0; i < 8; ++i) {
        GenerateRequest request = story(40, i);
        request.prompt = i % 2 == 0 ? "Once upon a time" : "The old woman said";
        request.sampling.temperature = 0.5 + 0.1 * static_cast<double>(i);
        if (i % 3 == 0) request.sampling.hlg = {.enabled = true, .preset = "bold"};
        if (i % 3 == 1) request.sampling.presence_penalty = 2;
        requests.push_back(request);
    }
    std::vector<Ticket> tickets;
    tickets.reserve(requests.size());
    for (const GenerateRequest& request : requests) tickets.push_back(engine->submit(request));
    for (std::size_t i = 0; i < requests.size(); ++i)
        EXPECT_EQ(drain(tickets[i]).front().text, completion(*exact, requests[i]).text) << i;
}

// The choices of one request join and leave together, so every run decodes the same batches.
TEST(Batching, LanesDrawnByManyThreadsTellTheSame) {
    std::vector<std::string> told[2];
    for (const bool shared : {false, true}) {
        const auto engine = demo_engine({.context = {.lanes = 8}, .draws = {.threads = shared ? 4U : 1U, .from = 0}});
        for (std::uint64_t round = 0; round < 4; ++round) {
            GenerateRequest request = story(40, round);
            request.choices = 8;
            request.ignore_end = true;
            request.log_probabilities = 3;
            request.sampling.hlg = {.enabled = true, .preset = "balanced"};
            request.sampling.presence_penalty = 1;
            Ticket ticket = engine->submit(request);
            for (const Completion& choice : drain(ticket, 8)) told[shared ? 1 : 0].push_back(choice.text);
        }
        const Tally tally = engine->statistics().tally;
        EXPECT_EQ(tally.draws.shoulder + tally.draws.mid + tally.draws.toe, tally.generated_tokens);
    }
    EXPECT_EQ(told[0], told[1]);
    EXPECT_NE(told[0][0], told[0][1]);
}

TEST(Batching, MoreRequestsThanLanesAllFinish) {
    const auto engine = demo_engine({.context = {.lanes = 3}});
    std::vector<Ticket> tickets;
    for (std::uint64_t i = 0; i < 20; ++i) tickets.push_back(engine->submit(story(5 + i, i)));
    for (std::size_t i = 0; i < tickets.size(); ++i) {
        const Completion done = drain(tickets[i]).front();
        EXPECT_EQ(done.finished.usage.generated_tokens, 5 + i);
    }
    const EngineStatistics statistics = engine->statistics();
    EXPECT_EQ(statistics.requests, 20U);
    EXPECT_EQ(statistics.limits.lanes, 3U);
    // Lanes of a batch share decodes: fewer than the tokens.
    EXPECT_LT(statistics.tally.decodes, statistics.tally.generated_tokens);
}

TEST(Batching, ALongPromptDoesNotHoldUpOthersByMoreThanAChunk) {
    const auto engine = demo_engine({.context = {.lanes = 2, .context = 2048, .chunk = 64}});
    Ticket running = engine->submit(story(1000));
    ASSERT_TRUE(started(running));
    const std::size_t before = engine->statistics().tally.decodes;
    Ticket slow = engine->submit(GenerateRequest{.prompt = long_prompt(700), .max_tokens = 1});
    ASSERT_TRUE(slow.next());  // accepted
    std::size_t meanwhile = 0;
    bool ended = false;
    std::optional<Event> first;
    while (!(first = slow.next_for(std::chrono::milliseconds(0), ended)) && !ended) {
        if (running.next()) ++meanwhile;
    }
    const std::size_t decodes = engine->statistics().tally.decodes - before;
    // A step is a chunk of the prompt and a token of the other: so many steps, so many tokens.
    EXPECT_GE(meanwhile + 2, decodes / 2);
    EXPECT_GE(decodes, 1400U / 64U);
}

TEST(Batching, ASharedPrefixIsReused) {
    const auto engine = demo_engine({.context = {.lanes = 2}});
    const std::string prompt = long_prompt(40);
    const Completion first = completion(*engine, {.prompt = prompt, .max_tokens = 5});
    EXPECT_EQ(first.finished.usage.reused_tokens, 0U);
    const Completion second = completion(*engine, {.prompt = prompt + first.text + " and", .max_tokens = 5});
    EXPECT_GE(second.finished.usage.reused_tokens, first.finished.usage.prompt_tokens);
    const Completion other = completion(*engine, {.prompt = "Nothing of that", .max_tokens = 5});
    EXPECT_LE(other.finished.usage.reused_tokens, 1U);  // the begin mark
}

TEST(Batching, ReuseDoesNotChangeGreedyText) {
    const auto engine = demo_engine({.context = {.lanes = 2}});
    const auto fresh = [&](const GenerateRequest& request) { return completion(*demo_engine(), request).text; };
    for (const std::size_t words : {20U, 25U, 23U, 40U, 8U}) {
        GenerateRequest request = story(20);
        request.prompt = long_prompt(words);
        request.sampling.temperature = 0;
        EXPECT_EQ(completion(*engine, request).text, fresh(request)) << words;
    }
}

TEST(Batching, ChoicesShareThePromptAndDiffer) {
    const auto engine = demo_engine({.context = {.lanes = 3}});
    GenerateRequest request = story(20);
    request.prompt = long_prompt(60);
    request.choices = 7;  // more than there are lanes
    Ticket ticket = engine->submit(request);
    const std::vector<Completion> all = drain(ticket, 7);
    std::size_t computed = 0;
    for (std::size_t i = 0; i < all.size(); ++i) {
        EXPECT_EQ(all[i].finished.usage.generated_tokens, 20U);
        computed += all[i].finished.usage.prompt_tokens - all[i].finished.usage.reused_tokens;
        for (std::size_t j = 0; j < i; ++j) EXPECT_NE(all[i].text, all[j].text);
    }
    EXPECT_EQ(computed, all[0].finished.usage.prompt_tokens + 6);  // the others compute its last token
    request.choices = 1;
    EXPECT_EQ(completion(*engine, request).text, all[0].text);
}

TEST(Batching, ASlowReaderHoldsUpItsOwnLaneOnly) {
    const auto engine = demo_engine({.context = {.lanes = 2}, .events = 4});
    Ticket slow = engine->submit(story(200));
    EXPECT_EQ(completion(*engine, story(100, 3)).finished.usage.generated_tokens, 100U);
    EXPECT_LT(engine->statistics().tally.generated_tokens, 120U);  // the slow one stands at its few events
    EXPECT_EQ(drain(slow).front().finished.usage.generated_tokens, 200U);
}

// In whatever order streams are read, and however many nobody reads yet, each can be read to its end.
TEST(Batching, UnreadStreamsGiveWayToThoseThatWait) {
    for (const bool reproducible : {false, true}) {
        const auto engine = demo_engine({.context = {.lanes = 2, .chunk = 16}, .reproducible = reproducible, .events = 4});
        const auto alone = demo_engine({.context = {.chunk = 16}, .reproducible = true});
        std::vector<Ticket> tickets;
        for (std::uint64_t i = 0; i < 6; ++i) tickets.push_back(engine->submit(story(40, i)));
        for (std::size_t i = tickets.size(); i-- > 0;) {
            const Completion whole = drain(tickets[i]).front();
            EXPECT_EQ(whole.finished.usage.generated_tokens, 40U) << i;
            if (reproducible) {
                EXPECT_EQ(whole.text, completion(*alone, story(40, i)).text) << i;
            }
        }
    }
}

TEST(Batching, CancelEndsSoonAndTellsWhatThereIs) {
    const auto engine = demo_engine({.context = {.lanes = 2, .context = 2048}});
    Ticket ticket = engine->submit(story(2000));
    ASSERT_TRUE(started(ticket));
    ticket.cancel();
    const Completion cut = drain(ticket).front();
    EXPECT_EQ(cut.finished.reason, Finish::cancelled);
    EXPECT_LT(cut.finished.usage.generated_tokens, 200U);
}

TEST(Batching, CancelReachesRequestsThatWait) {
    const auto engine = demo_engine({.context = {.context = 2048}});
    Ticket running = engine->submit(story(2000));
    ASSERT_TRUE(started(running));
    Ticket waiting = engine->submit(story(5));
    waiting.cancel();
    const Completion none = drain(waiting).front();
    EXPECT_EQ(none.finished.reason, Finish::cancelled);
    EXPECT_EQ(none.finished.usage.generated_tokens, 0U);
    EXPECT_EQ(none.text, "");
}

TEST(Batching, ADroppedTicketFreesItsLane) {
    const auto engine = demo_engine({.context = {.context = 2048}});
    { Ticket dropped = engine->submit(story(2000)); }
    EXPECT_EQ(completion(*engine, story(5)).finished.usage.generated_tokens, 5U);
}

TEST(Batching, TooManyRequestsAreRefused) {
    const auto engine = demo_engine({.context = {.context = 2048}, .most_requests = 2});
    Ticket first = engine->submit(story(2000));
    Ticket second = engine->submit(story(5));
    EXPECT_EQ(error_of(*engine, story(5)).code, ErrorCode::too_busy);
    first.cancel();
    EXPECT_EQ(drain(second).front().finished.usage.generated_tokens, 5U);
}

TEST(Batching, TheEngineEndsWithRequestsUnderWay) {
    auto engine = demo_engine({.context = {.lanes = 2, .context = 2048}});
    std::vector<Ticket> tickets;
    for (std::uint64_t i = 0; i < 6; ++i) tickets.push_back(engine->submit(story(2000, i)));
    ASSERT_TRUE(started(tickets.front()));
    engine.reset();
    for (Ticket& ticket : tickets) {
        std::optional<Event> last;
        while (std::optional<Event> event = ticket.next()) last = event;
        ASSERT_TRUE(last);
        EXPECT_EQ(std::get<ErrorEvent>(last->what).error.code, ErrorCode::interrupted);
    }
}

TEST(Batching, ReproducibleTextsDoNotDependOnCompanyOrReuse) {
    const auto make = [](std::size_t lanes) {
        return demo_engine({.context = {.lanes = lanes, .chunk = 32}, .reproducible = true});
    };
    GenerateRequest request = story(60, 99);
    request.prompt = long_prompt(30);
    request.sampling.temperature = 1.3;
    const std::string alone = completion(*make(1), request).text;
    const auto engine = make(5);
    for (int round = 0; round < 3; ++round) {
        std::vector<Ticket> company;
        for (std::uint64_t i = 0; i < 6; ++i) {
            GenerateRequest other = story(50, i);  // fewer than the events a stream holds: nobody reads them
            other.prompt = long_prompt(5 + 7 * i);
            company.push_back(engine->submit(other));
        }
        EXPECT_EQ(completion(*engine, request).text, alone) << "round " << round;
    }
    EXPECT_GT(engine->statistics().tally.reused_tokens, 0U);
}

TEST(Batching, ManyThreadsAndRandomCancels) {
    const auto engine = demo_engine({.context = {.lanes = 8, .context = 256}, .events = 8});
    std::atomic<std::size_t> finished = 0;
    std::atomic<std::size_t> cancelled = 0;
    const auto client = [&](unsigned number) {
        std::mt19937 random(number);
        for (int i = 0; i < 3; ++i) {
            GenerateRequest request = story(10 + random() % 30, number);
            request.prompt = long_prompt(random() % 20);
            request.choices = 1 + random() % 3;
            const std::size_t patience = random() % 40;
            std::size_t events = 0;
            std::size_t ends = 0;
            Ticket ticket = engine->submit(request);
            while (std::optional<Event> event = ticket.next()) {
                if (++events == patience) ticket.cancel();
                if (const auto* last = std::get_if<FinishedEvent>(&event->what)) {
                    ++ends;
                    ++(last->reason == Finish::cancelled ? cancelled : finished);
                }
            }
            EXPECT_EQ(ends, request.choices);
        }
    };
    std::vector<std::thread> clients;
    for (unsigned i = 0; i < 64; ++i) clients.emplace_back(client, i);
    for (std::thread& thread : clients) thread.join();
    EXPECT_GT(finished, 0U);
    EXPECT_GT(cancelled, 0U);
    EXPECT_EQ(completion(*engine, story(5)).finished.usage.generated_tokens, 5U);
}

}  // namespace
}  // namespace hlg::engine
