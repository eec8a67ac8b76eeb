// SPDX-License-Identifier: MIT
#include "api/legacy_scores.hpp"

#include <limits>

#include <nlohmann/json.hpp>

#include "engine/demo_engine.hpp"

namespace hlg::api {
namespace {

TEST(LegacyScores, Tokens) {
    EXPECT_EQ(legacy_token("a\n"), "a\n");
    EXPECT_EQ(legacy_token("\xf0\x9f"), "bytes:\\xf0\\x9f");
    EXPECT_EQ(legacy_token("a\xff"), "bytes:\\x61\\xff");
    EXPECT_EQ(characters(""), 0U);
    EXPECT_EQ(characters("aé😀"), 3U);
    EXPECT_EQ(characters("\x9f\x98\x80"), 0U);  // the rest of a character that has begun
}

TEST(LegacyScores, Arrays) {
    const engine::Model& model = engine::demo_model();
    const std::string rival = model.piece(300);
    const std::vector<engine::GeneratedToken> tokens = {
        {.token = 1, .bytes = "né"},
        {.token = 2, .bytes = " b", .log_probability = -1.0F, .highest = {{300, -0.5F}, {2, -1.0F}}},
        {.token = 3, .bytes = "\xf0\x9f", .log_probability = -3.0F, .highest = {{300, -0.5F}, {300, -0.75F}}},
        {.token = 4, .bytes = "\x98\x80", .log_probability = -std::numeric_limits<float>::infinity()},
    };
    std::size_t offset = 10;
    const Json scores = legacy_scores(tokens, model, offset);
    EXPECT_EQ(scores["tokens"], Json::parse(R"(["né", " b", "bytes:\\xf0\\x9f", "bytes:\\x98\\x80"])"));
    EXPECT_EQ(scores["token_logprobs"], Json::parse("[null, -1.0, -3.0, -9999.0]"));
    EXPECT_EQ(scores["text_offset"], Json::parse("[10, 12, 14, 15]"));
    EXPECT_EQ(offset, 15U);
    EXPECT_TRUE(scores["top_logprobs"][0].is_null());
    EXPECT_EQ(scores["top_logprobs"][1], (Json{{rival, -0.5}, {" b", -1.0}}));
    EXPECT_EQ(scores["top_logprobs"][2], (Json{{rival, -0.5}, {"bytes:\\xf0\\x9f", -3.0}}));
    EXPECT_EQ(scores["top_logprobs"][3], (Json{{"bytes:\\x98\\x80", -9999.0}}));
    EXPECT_EQ(legacy_scores({}, model, offset).dump(), R"({"tokens":[],"token_logprobs":[],"top_logprobs":[],"text_offset":[]})");
}

}  // namespace
}  // namespace hlg::api
