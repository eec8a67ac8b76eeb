// SPDX-License-Identifier: MIT
#include <cmath>

#include "api/client.hpp"

namespace hlg::api {
namespace {

constexpr const char* path = "/v1/hlg/inspect";

std::string refused(const std::string& body) {
    const Reply reply = test::reply_of(test::post(path, body));
    EXPECT_EQ(reply.status, 400);
    return Json::parse(reply.body)["error"]["message"];
}

TEST(Inspect, Asks) {
    const auto requests = test::open(path, R"({"prompt": "a", "top_n": 7, "temperature": 2})")->requests();
    const auto& request = std::get<engine::InspectRequest>(requests[0]);
    EXPECT_EQ(std::get<std::string>(request.prompt), "a");
    EXPECT_EQ(request.tokens, 7U);
    EXPECT_EQ(request.sampling.temperature, 2.0);
    const auto chat = test::open(path, R"({"messages": [{"role": "user", "content": "x"}]})")->requests();
    EXPECT_TRUE(std::holds_alternative<engine::ChatRequest>(std::get<engine::InspectRequest>(chat[0]).prompt));
    EXPECT_EQ(std::get<engine::InspectRequest>(chat[0]).tokens, 50U);
    const auto tokens = test::open(path, R"({"prompt": [5, 6]})")->requests();
    EXPECT_EQ(std::get<std::vector<engine::Token>>(std::get<engine::InspectRequest>(tokens[0]).prompt).size(), 2U);
}

TEST(Inspect, Refuses) {
    EXPECT_EQ(refused("{}"), "prompt or messages is required, and not both");
    EXPECT_EQ(refused(R"({"prompt": "a", "messages": [{"role": "user", "content": "x"}]})"),
              "prompt or messages is required, and not both");
    EXPECT_EQ(refused(R"({"prompt": 5})"), "prompt must be a string or an array of token ids, got 5");
    EXPECT_EQ(refused(R"({"prompt": "a", "top_n": 0})"), "top_n must be an integer from 1 to 1000, got 0");
    EXPECT_EQ(refused(R"({"prompt": "a", "hlg": {"toe": 0}})"), "hlg.toe must be > 0 or off, got 0");
}

TEST(Inspect, Tells) {
    const auto exchange = test::open(path, R"({"prompt": "a", "typical_p": 0.5, "grammar": "root ::= \"a\""})");
    engine::InspectedEvent event;
    event.settings.params.temperature = 0.5;
    event.settings.params.hlg = CurveParams{.width = 2};
    event.settings.ignored = {"top_k"};
    event.statistics = {.entropy = 1, .top1 = 0.5, .collision = 0.25, .mass_below = 0.125, .kl = 0.75, .pivot = 10};
    event.model = {.entropy = 3};
    event.plain = {.entropy = 2};
    event.tokens = {
        {.token = 5, .bytes = "a", .logit = 12.5F, .log_probability = -1.0F, .probability = 0.5, .plain_probability = 0.25},
        {.token = 6, .bytes = "\xff", .logit = 12.0F},
        {.token = 7, .bytes = "c", .logit = 7.5F, .log_probability = -9.0F}};
    event.usage = {.prompt_tokens = 2};
    exchange->take(0, {0, event});
    EXPECT_TRUE(exchange->begun());
    exchange->end(0);
    const Reply reply = exchange->reply();
    EXPECT_EQ(test::header(reply, "x-hlg-ignored"), "top_k, typical_p, grammar");
    Json json = Json::parse(reply.body);
    EXPECT_EQ(json["statistics"].dump(), R"({"model":{"entropy":3.0,"top1":0.0,"collision":0.0,"tail_mass":0.0},)"
                                         R"("temperature":{"entropy":2.0,"top1":0.0,"collision":0.0,"tail_mass":0.0},)"
                                         R"("draw":{"entropy":1.0,"top1":0.5,"collision":0.25,"tail_mass":0.125}})");
    EXPECT_EQ(json["pivot"], 10.0);
    EXPECT_EQ(json["kl"], 0.75);
    EXPECT_EQ(json["temperature"], 0.5);
    EXPECT_EQ(json["hlg"]["ignored"], Json::parse(R"(["top_k", "typical_p", "grammar"])"));
    Json& first = json["tokens"][0];
    EXPECT_NEAR(first["probability"]["model"].get<double>(), std::exp(-1.0), 1e-12);
    first["probability"].erase("model");
    EXPECT_EQ(first.dump(), R"({"id":5,"text":"a","bytes":[97],"logit":12.5,"logprob":-1.0,"z":2.5,"region":"shoulder",)"
                            R"("probability":{"temperature":0.25,"draw":0.5}})");
    EXPECT_EQ(json["tokens"][1]["region"], "mid");
    EXPECT_EQ(json["tokens"][1]["text"], "\xef\xbf\xbd");
    EXPECT_EQ(json["tokens"][1]["bytes"], Json::parse("[255]"));
    EXPECT_EQ(json["tokens"][2]["region"], "toe");
}

TEST(Inspect, WithTheEngine) {
    const Json off = test::answer(path, R"({"prompt": "Once upon a time there", "top_n": 3})");
    ASSERT_EQ(off["tokens"].size(), 3U);
    EXPECT_TRUE(off["pivot"].is_null());
    EXPECT_TRUE(off["tokens"][0]["region"].is_null());
    EXPECT_EQ(off["tokens"][0]["text"], " was");
    EXPECT_EQ(off["hlg"]["enabled"], false);
    const Json on =
        test::answer(path, R"({"prompt": "Once upon a time there", "temperature": 1.5, "hlg": {"preset": "balanced"}})");
    EXPECT_EQ(on["tokens"].size(), 50U);
    for (const Json& token : on["tokens"])
        EXPECT_NEAR(token["z"].get<double>(), token["logit"].get<double>() - on["pivot"].get<double>(), 1e-9);
    EXPECT_GT(on["kl"], 0.0);
    EXPECT_EQ(on["hlg"]["preset"], "balanced");
    const Json chat = test::answer(path, R"({"messages": [{"role": "user", "content": "x"}], "top_n": 2})");
    EXPECT_EQ(chat["tokens"].size(), 2U);
    EXPECT_EQ(test::answer(path, R"({"prompt": ")" + std::string(2000, 'x') + "\"}", 400)["error"]["code"],
              "context_length_exceeded");
}

}  // namespace
}  // namespace hlg::api
