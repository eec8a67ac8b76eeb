// SPDX-License-Identifier: MIT
//
// Answers under a grammar or a schema, through the engine.
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "engine/demo_engine.hpp"

namespace hlg::engine {
namespace {

GrammarSpec gbnf(std::string text) {
    GrammarSpec spec;
    spec.gbnf = std::move(text);
    return spec;
}

TEST(Constraint, AGrammarsAnswerIsOneOfIts) {
    const auto engine = demo_engine({.context = {.lanes = 4}});
    for (const char* preset : {"", "balanced"})
        for (std::uint64_t seed = 0; seed < 10; ++seed) {
            GenerateRequest request = story(40, seed);
            request.constraint = gbnf(R"(root ::= " the " ("king" | "queen") (" and the fox")? "!")");
            if (*preset != 0) request.sampling.hlg = {.enabled = true, .preset = preset};
            const Completion answer = completion(*engine, request);
            EXPECT_EQ(answer.finished.reason, Finish::stop);
            EXPECT_TRUE(answer.text == " the king!" || answer.text == " the queen!" || answer.text == " the king and the fox!" ||
                        answer.text == " the queen and the fox!")
                << answer.text;
        }
}

TEST(Constraint, ASchemasAnswerIsItsJson) {
    const auto engine = demo_engine({.context = {.lanes = 4}});
    for (std::uint64_t seed = 0; seed < 8; ++seed) {
        GenerateRequest request = story(200, seed);
        request.constraint = JsonSchema{
            R"({"type": "object", "properties": {"name": {"type": "string", "maxLength": 12}, "age": {"type": "integer", "minimum": 0,
                "maximum": 99}, "kind": {"enum": ["fox", "king"]}}, "required": ["name", "age", "kind"], "additionalProperties": false})"};
        const Completion answer = completion(*engine, request);
        ASSERT_EQ(answer.finished.reason, Finish::stop) << answer.text;
        const auto json = nlohmann::json::parse(answer.text, nullptr, false);
        ASSERT_FALSE(json.is_discarded()) << answer.text;
        EXPECT_EQ(json.size(), 3U);
        EXPECT_TRUE(json["name"].is_string());
        EXPECT_TRUE(json["age"].is_number_integer() && json["age"] >= 0 && json["age"] <= 99) << answer.text;
        EXPECT_TRUE(json["kind"] == "fox" || json["kind"] == "king") << answer.text;
    }
}

TEST(Constraint, ChoicesHaveGrammarsOfTheirOwn) {
    const auto engine = demo_engine({.context = {.lanes = 3}});
    GenerateRequest request = story(40, 3);
    request.sampling.temperature = 3;
    request.choices = 6;
    request.constraint = gbnf(R"(root ::= [a-z] [a-z] [a-z] [a-z])");
    const auto answers = complete(*engine, request);
    ASSERT_TRUE(answers) << answers.error().message;
    for (const Completion& answer : *answers) {
        EXPECT_EQ(answer.text.size(), 4U) << answer.text;
        EXPECT_EQ(answer.finished.reason, Finish::stop);
    }
}

TEST(Constraint, WhatIsNoGrammarIsAnErrorAndTheEngineGoesOn) {
    const auto engine = demo_engine();
    GenerateRequest request = story(5);
    request.constraint = gbnf("root ::= (");
    EXPECT_EQ(error_of(*engine, request).code, ErrorCode::bad_request);
    request.constraint = JsonSchema{"{\"type\": "};
    EXPECT_EQ(error_of(*engine, request).code, ErrorCode::bad_request);
    request.constraint = gbnf("root ::= " + std::string(100000, '('));
    EXPECT_EQ(error_of(*engine, request).code, ErrorCode::bad_request);
    EXPECT_EQ(completion(*engine, story(5)).finished.usage.generated_tokens, 5U);
}

}  // namespace
}  // namespace hlg::engine
