// SPDX-License-Identifier: MIT
//
// A client without a socket: opens exchanges, and plays the events that a test made by hand, or the engine's.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "api/json_reader.hpp"
#include "api/service.hpp"
#include "engine/chat_templates.hpp"
#include "engine/demo_engine.hpp"

namespace hlg::api::test {

/** One for all tests of a program; its chats can call tools. */
inline engine::Engine& shared_engine() {
    static const std::unique_ptr<engine::Engine> engine =
        engine::demo_engine({.context = {.lanes = 4}, .chat_template = engine::test::hermes});
    return *engine;
}

inline const Service& shared_service() {
    static const Service service(shared_engine(), {.names = {"storyteller", "org/teller"}});
    return service;
}

inline HttpRequest post(const std::string& path, const std::string& body) { return {"POST", path, {}, body}; }

/** The exchange that a request opens; null, and a failure, if it is answered at once. */
inline std::unique_ptr<Exchange> open(const std::string& path, const std::string& body) {
    auto answer = shared_service().open(post(path, body));
    if (auto* reply = std::get_if<Reply>(&answer)) {
        ADD_FAILURE() << reply->body;
        return nullptr;
    }
    return std::move(std::get<std::unique_ptr<Exchange>>(answer));
}

/** The answer of a request that is answered at once. */
inline Reply reply_of(const HttpRequest& request) {
    auto answer = shared_service().open(request);
    if (auto* reply = std::get_if<Reply>(&answer)) return *reply;
    ADD_FAILURE() << "not answered at once";
    return {};
}

inline std::string header(const Reply& reply, const std::string& name) {
    for (const Header& one : reply.headers)
        if (one.name == name) return one.value;
    return {};
}

/** Text with every id and time in it made the same. */
inline std::string normal(std::string text) {
    const auto blank = [&text](const std::string& before, const std::string& end, const std::string& by) {
        for (std::size_t at = 0; (at = text.find(before, at)) != std::string::npos;) {
            at += before.size();
            text.replace(at, text.find_first_of(end, at) - at, by);
        }
    };
    for (const char* prefix : {"\"chatcmpl-", "\"cmpl-", "\"msg_", "\"resp_", "\"rs_", "\"fc_"}) blank(prefix, "\"", "ID");
    for (const char* time : {"\"created\":", "\"created_at\":", "\"completed_at\":1"}) blank(time, ",}", "0");
    return text;
}

/** A stream's data, frame by frame, but for its last frame [DONE], which must be there. */
inline std::vector<Json> chunks(const std::string& frames) {
    std::vector<Json> all;
    std::size_t start = 0;
    bool done = false;
    for (std::size_t end = 0; (end = frames.find("\n\n", start)) != std::string::npos; start = end + 2) {
        const std::string data = frames.substr(start, end - start);
        EXPECT_EQ(data.substr(0, 6), "data: ");
        EXPECT_FALSE(done);
        done = data == "data: [DONE]";
        if (!done) all.push_back(Json::parse(data.substr(6)));
    }
    EXPECT_TRUE(done);
    EXPECT_EQ(start, frames.size());
    return all;
}

/** Lets the engine answer all requests of an exchange, one after another; gives back the stream's bytes. */
inline std::string run(Exchange& exchange, engine::Engine& engine = shared_engine()) {
    std::string frames;
    std::vector<engine::Ticket> tickets;
    for (engine::Request& request : exchange.requests()) tickets.push_back(engine.submit(std::move(request)));
    for (std::size_t i = 0; i < tickets.size(); ++i) {
        while (auto event = tickets[i].next()) {
            exchange.take(i, std::move(*event));
            frames += exchange.frames();
        }
        exchange.end(i);
    }
    EXPECT_TRUE(exchange.done());
    return frames + exchange.frames();
}

/** The whole answer that the engine gives to a request that does not stream. */
inline Json answer(const std::string& path, const std::string& body, int status = 200) {
    const auto exchange = open(path, body);
    if (!exchange) return {};
    run(*exchange);
    const Reply reply = exchange->reply();
    EXPECT_EQ(reply.status, status) << reply.body;
    return Json::parse(reply.body);
}

/** The frames of the engine's answer to one that does. */
inline std::vector<Json> stream(const std::string& path, const std::string& body) {
    const auto exchange = open(path, body);
    if (!exchange) return {};
    EXPECT_TRUE(exchange->streams());
    return chunks(run(*exchange));
}

}  // namespace hlg::api::test
