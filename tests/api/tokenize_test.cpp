// SPDX-License-Identifier: MIT
#include "api/client.hpp"

namespace hlg::api {
namespace {

Json ask(const std::string& path, const std::string& body, int status = 200) {
    if (path == "/tokenize" && status == 200) return test::answer(path, body);
    const Reply reply = test::reply_of(test::post(path, body));
    EXPECT_EQ(reply.status, status) << reply.body;
    return Json::parse(reply.body);
}

TEST(Tokenize, ThereAndBack) {
    const engine::Model& model = test::shared_engine().model();
    for (const std::string text : {"Once upon a time", "Grüße 😀", " a\n", ""}) {
        const Json tokens = ask("/tokenize", Json{{"content", text}}.dump());
        EXPECT_EQ(tokens["tokens"], Json(model.tokenize(text, {.begin = false})));
        EXPECT_EQ(ask("/detokenize", tokens.dump())["content"], text);
    }
    EXPECT_EQ(ask("/tokenize", R"({"content": "Once", "add_special": true})")["tokens"], Json(model.tokenize("Once")));
    EXPECT_EQ(ask("/tokenize", R"({"content": "</s>", "parse_special": false})")["tokens"],
              Json(model.tokenize("</s>", {.begin = false, .marks = false})));
}

TEST(Tokenize, Pieces) {
    const Json tokens = ask("/tokenize", R"({"content": "a 😀", "with_pieces": true})")["tokens"];
    std::string all;
    for (const Json& token : tokens) {
        EXPECT_TRUE(token["id"].is_number_integer());
        if (token["piece"].is_string()) all += token["piece"];
        if (token["piece"].is_array())
            for (const Json& byte : token["piece"]) all += static_cast<char>(byte.get<int>());
    }
    EXPECT_EQ(all, "a 😀");
}

TEST(Tokenize, Refuses) {
    EXPECT_EQ(ask("/tokenize", "{}", 400)["error"]["message"], "content is required");
    EXPECT_EQ(ask("/tokenize", R"({"content": 5})", 400)["error"]["message"], "content must be a string, got 5");
    EXPECT_EQ(ask("/detokenize", "{}", 400)["error"]["message"], "tokens is required");
    EXPECT_EQ(ask("/detokenize", R"({"tokens": [-1]})", 400)["error"]["param"], "tokens[0]");
    EXPECT_EQ(ask("/detokenize", R"({"tokens": []})")["content"], "");
}

}  // namespace
}  // namespace hlg::api
