// SPDX-License-Identifier: MIT
#include "api/completion_prompts.hpp"

#include "api/reading.hpp"
#include "engine/demo_engine.hpp"

namespace hlg::api {
namespace {

using engine::Prompt;
using Prompts = std::vector<Prompt>;
using Tokens = std::vector<engine::Token>;

Prompts read(const Node& body) { return read_prompts(body.at("prompt"), 1000); }

std::size_t count(const std::string& prompt) { return test::accepted(R"({"prompt": )" + prompt + "}", read).size(); }

std::string refused(const std::string& prompt) { return test::refusal(R"({"prompt": )" + prompt + "}", read); }

std::string list_of(std::size_t n, const std::string& item) {
    std::string all = "[" + item;
    for (std::size_t i = 1; i < n; ++i) all += "," + item;
    return all + "]";
}

TEST(CompletionPrompts, Read) {
    const auto of = [](const std::string& prompt) { return test::accepted(R"({"prompt": )" + prompt + "}", read); };
    EXPECT_EQ(std::get<std::string>(of("\"a\"")[0]), "a");
    EXPECT_EQ(std::get<std::string>(of("\"\"")[0]), "");
    EXPECT_EQ(std::get<std::string>(of(R"(["a", "b"])")[1]), "b");
    EXPECT_EQ(std::get<Tokens>(of("[1, 2.0]")[0]), (Tokens{1, 2}));
    EXPECT_EQ(std::get<Tokens>(of("[[1], [999, 0]]")[1]), (Tokens{999, 0}));
    EXPECT_EQ(std::get<Tokens>(of(R"(["a", [3]])")[1]), Tokens{3});
    EXPECT_EQ(count("[1, 2]"), 1U);
    EXPECT_EQ(count("[[1], [2]]"), 2U);
    EXPECT_EQ(count(list_of(128, "\"a\"")), 128U);
}

TEST(CompletionPrompts, Refused) {
    const std::string kinds =
        "prompt must be a string, an array of strings, an array of token ids, or an array of arrays of token ids, got ";
    const std::pair<std::string, std::string> cases[] = {
        {"null", "prompt is required"},
        {"5", kinds + "5"},
        {"{}", kinds + "an object"},
        {"[]", "prompt must not be empty"},
        {"[[]]", "prompt[0] must have at least one token"},
        {"[1000]", "prompt[0] must be an integer, a token id from 0 to 999, got 1000"},
        {"[-1]", "prompt[0] must be an integer, a token id from 0 to 999, got -1"},
        {"[1, \"a\"]", "prompt[1] must be an integer, a token id from 0 to 999, got \"a\""},
        {"[1, null]", "prompt[1] is required"},
        {"[[1], [1.5]]", "prompt[1][0] must be an integer, a token id from 0 to 999, got 1.5"},
        {"[true]", "prompt[0]" + kinds.substr(6) + "true"},
        {list_of(129, "\"a\""), "prompt must be up to 128 prompts, got 129"},
    };
    for (const auto& [prompt, message] : cases) EXPECT_EQ(refused(prompt), message);
}

TEST(CompletionPrompts, Echoed) {
    const engine::Model& model = engine::demo_model();
    for (const std::string text : {"Once upon a time", "Grüße 😀", " two  blanks", "a\nb", ""}) {
        Echo echo = echo_of(text, model);
        EXPECT_EQ(echo.text, text);
        EXPECT_TRUE(echo.tokens.empty());
        const Tokens tokens = model.tokenize(text);
        set_tokens(echo, tokens, model);
        ASSERT_EQ(echo.tokens.size(), tokens.size());
        std::string all;
        for (std::size_t i = 0; i < tokens.size(); ++i) {
            EXPECT_EQ(echo.tokens[i].token, tokens[i]);
            all += echo.tokens[i].bytes;
        }
        EXPECT_EQ(all, text);
    }
    const Echo tokens = echo_of(model.tokenize("Once upon"), model);
    EXPECT_EQ(tokens.text, "Once upon");
    EXPECT_EQ(tokens.tokens.size(), model.tokenize("Once upon").size());
}

}  // namespace
}  // namespace hlg::api
