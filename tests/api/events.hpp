// SPDX-License-Identifier: MIT
//
// Streams whose frames have names, as tests read them; and engine events made by hand.
#pragma once

#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "api/client.hpp"

namespace hlg::api::test {

/** A stream's data, frame by frame. Each frame's name must be the type in its data. */
inline std::vector<Json> named_events(const std::string& frames) {
    std::vector<Json> all;
    std::size_t start = 0;
    for (std::size_t end = 0; (end = frames.find("\n\n", start)) != std::string::npos; start = end + 2) {
        const std::string frame = frames.substr(start, end - start);
        const std::size_t line = frame.find('\n');
        EXPECT_EQ(frame.substr(line + 1, 6), "data: ") << frame;
        all.push_back(Json::parse(frame.substr(line + 7)));
        EXPECT_EQ(frame.substr(0, line), "event: " + all.back()["type"].get<std::string>());
    }
    EXPECT_EQ(start, frames.size());
    return all;
}

inline std::vector<std::string> types_of(const std::vector<Json>& events) {
    std::vector<std::string> types;
    for (const Json& event : events) types.push_back(event["type"]);
    return types;
}

/** The engine's answer to a request that streams. */
inline std::vector<Json> stream_events(const std::string& path, const std::string& body) {
    const auto exchange = open(path, body);
    if (!exchange) return {};
    EXPECT_TRUE(exchange->streams());
    return named_events(run(*exchange));
}

/** The frames of a stream that a test's own events make. */
inline std::string played(Exchange& exchange, std::vector<engine::Event> events) {
    for (engine::Event& event : events) exchange.take(0, std::move(event));
    exchange.end(0);
    EXPECT_TRUE(exchange.done());
    return exchange.frames();
}

inline engine::Event accepted_event(std::size_t prompt_tokens = 10) {
    engine::AcceptedEvent event{.prompt_tokens = prompt_tokens};
    event.settings.params.seed = 7;
    return {0, event};
}

inline engine::Event finished_event(engine::Finish reason = engine::Finish::stop, std::optional<std::string> stop = {}) {
    return {0, engine::FinishedEvent{.reason = reason,
                                     .stop = std::move(stop),
                                     .seed = 7,
                                     .usage = {.prompt_tokens = 10, .reused_tokens = 4, .generated_tokens = 5}}};
}

inline engine::Event chat_event(std::vector<engine::ChatDelta> deltas, std::vector<engine::GeneratedToken> tokens = {}) {
    return {0, engine::ChatEvent{std::move(deltas), std::move(tokens)}};
}

inline engine::ChatDelta said(const std::string& text) { return {.text = text}; }

inline engine::ChatDelta thought(const std::string& text) { return {.kind = engine::ChatDelta::Kind::reasoning, .text = text}; }

inline engine::ChatDelta called(std::size_t index, const std::string& arguments, const std::string& id = "",
                                const std::string& name = "") {
    return {.kind = engine::ChatDelta::Kind::tool_call, .text = arguments, .index = index, .id = id, .name = name};
}

}  // namespace hlg::api::test
