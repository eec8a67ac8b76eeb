// SPDX-License-Identifier: MIT
#include <cmath>

#include "api/client.hpp"

namespace hlg::api {
namespace {

constexpr const char* path = "/v1/hlg/match";

std::string refused(const std::string& body) {
    const Reply reply = test::reply_of(test::post(path, body));
    EXPECT_EQ(reply.status, 400);
    return Json::parse(reply.body)["error"]["message"];
}

TEST(Match, Asks) {
    const auto requests = test::open(path, R"({"prompt": "a", "text": [5, 6], "reference": {"temperature": 2},
        "settings": {"hlg": {"preset": "bold"}}})")
                              ->requests();
    const auto& request = std::get<engine::MatchRequest>(requests[0]);
    EXPECT_EQ(std::get<std::string>(request.prompt), "a");
    EXPECT_EQ(std::get<std::vector<engine::Token>>(request.text).size(), 2U);
    EXPECT_EQ(request.reference.temperature, 2.0);
    EXPECT_EQ(request.settings.hlg.preset, "bold");
}

TEST(Match, Refuses) {
    EXPECT_EQ(refused("{}"), "prompt is required");
    EXPECT_EQ(refused(R"({"prompt": "a"})"), "text is required");
    EXPECT_EQ(refused(R"({"prompt": "a", "text": 5})"), "text must be a string or an array of token ids, got 5");
    EXPECT_EQ(refused(R"({"prompt": "a", "text": "b"})"), "reference is required");
    EXPECT_EQ(refused(R"({"prompt": "a", "text": "b", "reference": {}})"), "settings is required");
    EXPECT_EQ(refused(R"({"prompt": "a", "text": "b", "reference": {}, "settings": {"hlg": {"toe": 0}}})"),
              "settings.hlg.toe must be > 0 or off, got 0");
}

TEST(Match, Tells) {
    const auto exchange = test::open(path, R"({"prompt": "a", "text": "b", "reference": {"top_a": 0.5},
                          "settings": {"typical_p": 0.5, "hlg": true, "grammar": "root ::= \"a\""}})");
    engine::MatchedEvent event;
    event.temperature = 0.75;
    event.entropy = 2.25;
    event.reference_entropy = 2;
    event.positions = 3;
    event.settings.params.hlg = CurveParams{};
    event.usage = {.prompt_tokens = 4};
    exchange->take(0, {0, event});
    EXPECT_TRUE(exchange->begun());
    exchange->end(0);
    const Reply reply = exchange->reply();
    EXPECT_EQ(test::header(reply, "x-hlg-ignored"), "reference.top_a, settings.typical_p, settings.grammar");
    const Json json = Json::parse(reply.body);
    EXPECT_EQ(json["object"], "hlg.match");
    EXPECT_EQ(json["temperature"], 0.75);
    EXPECT_EQ(json["entropy"].dump(), R"({"reference":2.0,"settings":2.25})");
    EXPECT_EQ(json["residual"], 0.25);
    EXPECT_EQ(json["positions"], 3);
    EXPECT_EQ(json["usage"]["prompt_tokens"], 4);
    EXPECT_EQ(json["hlg"]["enabled"], true);
}

TEST(Match, WhatTheSearchLeavesIsNoResidual) {
    for (const auto& [difference, told] : {std::pair(9e-7, 0.0), std::pair(-9e-7, 0.0), std::pair(0x1p-19, 0x1p-19)}) {
        const auto exchange = test::open(path, R"({"prompt": "a", "text": "b", "reference": {}, "settings": {}})");
        engine::MatchedEvent event;
        event.entropy = 2 + difference;
        event.reference_entropy = 2;
        exchange->take(0, {0, event});
        exchange->end(0);
        EXPECT_EQ(Json::parse(exchange->reply().body)["residual"], told);
    }
}

TEST(Match, WithTheEngine) {
    const Json json = test::answer(path, R"({"prompt": "Once upon a time", "text": " there was a king who had three sons.",
        "reference": {"temperature": 1}, "settings": {"hlg": {"preset": "balanced"}}})");
    EXPECT_GT(json["positions"], 5);
    EXPECT_EQ(json["residual"], 0);
    EXPECT_GT(json["temperature"], 0.5);
    EXPECT_LT(json["temperature"], 2.0);
    EXPECT_EQ(test::answer(path, R"({"prompt": "a", "text": "", "reference": {}, "settings": {}})", 400)["error"]["message"],
              "text must have 1 to 1024 tokens, got 0");
}

}  // namespace
}  // namespace hlg::api
