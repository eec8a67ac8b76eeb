// How functions are told, and which calls are right. Functions are made up.
#include "eval/capability/bfcl_calls.hpp"

#include <gtest/gtest.h>

namespace hlg::eval::capability {
namespace {

using nlohmann::json;

const json functions = json::parse(R"([
    {"name": "mill.grind", "description": "Grinds.", "parameters": {"type": "dict", "required": ["grain", "kilos"], "properties": {
        "grain": {"type": "string", "description": "What"},
        "kilos": {"type": "integer"},
        "speed": {"type": "float"},
        "sieves": {"type": "array", "items": {"type": "integer"}},
        "fine": {"type": "boolean", "optional": true},
        "buyer": {"type": "dict", "properties": {"name": {"type": "string"}, "town": {"type": "string"}}},
        "size": {"type": "tuple", "items": {"type": "float"}},
        "note": {"type": "any"}}}},
    {"name": "stop", "description": "Stops.", "parameters": {"type": "dict", "properties": {}, "required": []}}])");

bool grinds(const std::string& arguments, const json& more = json::object()) {
    json expected{{"grain", {"Rye, whole", "rye"}}, {"kilos", {5}}};
    expected.update(more);
    return calls_match({{"mill_grind", arguments}}, functions, {{{"mill.grind", expected}}});
}

TEST(BfclTools, InJsonSchemasWords) {
    const json tools = json::parse(tools_of(functions));
    ASSERT_EQ(tools.size(), 2U);
    EXPECT_EQ(tools[0]["type"], "function");
    EXPECT_EQ(tools[0]["function"]["name"], "mill_grind");
    const json& parameters = tools[0]["function"]["parameters"];
    EXPECT_EQ(parameters["type"], "object");
    EXPECT_EQ(parameters["required"], (json{"grain", "kilos"}));
    const json& properties = parameters["properties"];
    EXPECT_EQ(properties["speed"]["type"], "number");
    EXPECT_EQ(properties["fine"], (json{{"type", "boolean"}}));
    EXPECT_EQ(properties["buyer"]["type"], "object");
    EXPECT_EQ(properties["size"], (json{{"type", "array"}, {"items", {{"type", "number"}}}}));
    EXPECT_EQ(properties["note"], json::object());
    EXPECT_EQ(properties["grain"]["description"], "What");
}

TEST(BfclCalls, Strings) {
    EXPECT_TRUE(grinds(R"({"grain": "rye", "kilos": 5})"));
    EXPECT_TRUE(grinds(R"({"grain": "RYE whole", "kilos": 5})"));
    EXPECT_FALSE(grinds(R"({"grain": "wheat", "kilos": 5})"));
    EXPECT_FALSE(grinds(R"({"grain": 5, "kilos": 5})"));
}

TEST(BfclCalls, Numbers) {
    EXPECT_FALSE(grinds(R"({"grain": "rye", "kilos": 5.0})"));  // the function has an integer
    EXPECT_FALSE(grinds(R"({"grain": "rye", "kilos": "5"})"));
    EXPECT_FALSE(grinds(R"({"grain": "rye", "kilos": 6})"));
    const json speed{{"speed", {2.0, ""}}};
    EXPECT_TRUE(grinds(R"({"grain": "rye", "kilos": 5, "speed": 2})", speed));
    EXPECT_TRUE(grinds(R"({"grain": "rye", "kilos": 5})", speed));
    EXPECT_FALSE(grinds(R"({"grain": "rye", "kilos": 5, "speed": 2.5})", speed));
}

TEST(BfclCalls, WhatMayBeLeftOutOrAdded) {
    EXPECT_FALSE(grinds(R"({"grain": "rye"})"));
    EXPECT_FALSE(grinds(R"({"grain": "rye", "kilos": 5, "fine": true})"));  // nobody asked for it
    EXPECT_FALSE(grinds(R"({"grain": "rye", "kilos": 5, "colour": "red"})"));
    EXPECT_TRUE(grinds(R"({"grain": "rye", "kilos": 5, "fine": true})", {{"fine", {true}}}));
    EXPECT_FALSE(grinds(R"({"grain": "rye", "kilos": 5})", {{"fine", {true}}}));
    // A parameter that the function requires must be there, whatever the truth has.
    EXPECT_FALSE(grinds(R"({"grain": "rye"})", {{"kilos", {"", 5}}}));
    EXPECT_TRUE(grinds(R"({"grain": "rye", "kilos": 5, "speed": null})", {{"speed", {"", nullptr}}}));
}

TEST(BfclCalls, ArraysAndObjects) {
    const json sieves{{"sieves", json::array({json{1, 2}})}};
    EXPECT_TRUE(grinds(R"({"grain": "rye", "kilos": 5, "sieves": [1, 2]})", sieves));
    EXPECT_FALSE(grinds(R"({"grain": "rye", "kilos": 5, "sieves": [2, 1]})", sieves));
    EXPECT_FALSE(grinds(R"({"grain": "rye", "kilos": 5, "sieves": [1.0, 2.0]})", sieves));
    const json buyer{{"buyer", json::array({{{"name", {"Fox", "Mr Fox"}}, {"town", {"", "Elm"}}}})}};
    EXPECT_TRUE(grinds(R"({"grain": "rye", "kilos": 5, "buyer": {"name": "fox"}})", buyer));
    EXPECT_TRUE(grinds(R"({"grain": "rye", "kilos": 5, "buyer": {"name": "Mr. Fox", "town": "Elm"}})", buyer));
    EXPECT_FALSE(grinds(R"({"grain": "rye", "kilos": 5, "buyer": {"town": "Elm"}})", buyer));
    EXPECT_FALSE(grinds(R"({"grain": "rye", "kilos": 5, "buyer": {"name": "Fox", "age": 3}})", buyer));
}

TEST(BfclCalls, FunctionsAndBrokenCalls) {
    const json stop = json::parse(R"([{"stop": {}}])");
    EXPECT_TRUE(calls_match({{"stop", "{}"}}, functions, stop));
    EXPECT_TRUE(calls_match({{"stop", ""}}, functions, stop));
    EXPECT_FALSE(calls_match({{"halt", "{}"}}, functions, stop));
    EXPECT_FALSE(calls_match({{"stop", "{"}}, functions, stop));
    EXPECT_FALSE(calls_match({{"stop", "[]"}}, functions, stop));
    EXPECT_FALSE(calls_match({}, functions, stop));
    EXPECT_TRUE(calls_match({}, functions, json::array()));
    EXPECT_FALSE(calls_match({{"stop", "{}"}}, functions, json::array()));
}

TEST(BfclCalls, SeveralInAnyOrder) {
    // The first call fits both expectations, the second only the first of them: whoever pairs them greedily fails.
    const json expected = json::parse(
        R"([{"mill.grind": {"grain": ["rye", "oats"], "kilos": [1, 2]}}, {"mill.grind": {"grain": ["rye"], "kilos": [1]}}])");
    const Call both{"mill_grind", R"({"grain": "rye", "kilos": 1})"};
    const Call first{"mill.grind", R"({"grain": "oats", "kilos": 2})"};
    EXPECT_TRUE(calls_match({both, first}, functions, expected));
    EXPECT_TRUE(calls_match({first, both}, functions, expected));
    EXPECT_FALSE(calls_match({first, first}, functions, expected));
    EXPECT_FALSE(calls_match({both}, functions, expected));
    EXPECT_FALSE(calls_match({both, first, first}, functions, expected));
}

}  // namespace
}  // namespace hlg::eval::capability
