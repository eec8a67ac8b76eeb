// SPDX-License-Identifier: MIT
#include "api/json_reader.hpp"

#include "api/reading.hpp"

namespace hlg::api {
namespace {

using test::accepted;
using test::refusal;

std::string body_refusal(const std::string& body) {
    return test::refusal_of([&] { (void)parse_body(body); });
}

std::string repeat(const std::string& text, std::size_t count) {
    std::string all;
    for (std::size_t i = 0; i < count; ++i) all += text;
    return all;
}

TEST(JsonReader, BodiesThatAreNone) {
    const std::pair<std::string, std::string> cases[] = {
        {"", "the body is not JSON: parse error"},
        {"{", "the body is not JSON: parse error"},
        {R"({"a": 1} x)", "the body is not JSON: parse error"},
        {R"({"a": NaN})", "the body is not JSON: parse error"},
        {R"({"a": Infinity})", "the body is not JSON: parse error"},
        {R"({"a": -Infinity})", "the body is not JSON: parse error"},
        {R"({"a": 1e999})", "the body is not JSON: number overflow"},
        {R"({"a": "\ud800"})", "the body is not JSON: parse error"},
        {R"({"a": "\ud800\u0041"})", "the body is not JSON: parse error"},
        {R"({"a": "\udc00"})", "the body is not JSON: parse error"},
        {"{\"a\": \"\n\"}", "the body is not JSON: parse error"},
        {"{\"a\": \"\xff\"}", "the body is not UTF-8 at byte 7"},
        {"{\"a\": \"\xed\xa0\x80\"}", "the body is not UTF-8 at byte 7"},
        {"[]", "the body must be a JSON object, got an array"},
        {"null", "the body must be a JSON object, got null"},
        {"5", "the body must be a JSON object, got a plain value"},
        {repeat("[", 100'000), "the body has a nesting depth of 100000, the limit is 64"},
        {R"({"a":)" + repeat("[", 64) + repeat("]", 64) + "}", "the body has a nesting depth of 65, the limit is 64"},
    };
    for (const auto& [body, expected] : cases) {
        const std::string message = body_refusal(body);
        EXPECT_EQ(message.substr(0, expected.size()), expected) << message;
        EXPECT_EQ(message.find('\n'), std::string::npos);
        EXPECT_LT(message.size(), 400U);
    }
    EXPECT_EQ(parse_body(R"({"a":)" + repeat("[", 63) + repeat("]", 63) + "}").size(), 1U);
    EXPECT_EQ(parse_body(R"({"a": "\ud83d\ude00"})")["a"], "\xf0\x9f\x98\x80");
}

TEST(JsonReader, MembersAreBounded) {
    const auto object = [](int members) {
        std::string text = "{";
        for (int i = 0; i < members; ++i) text.append("\"").append(std::to_string(i)).append("\":0,");
        return text + "\"last\":0}";
    };
    EXPECT_EQ(parse_body(object(11'000)).size(), 11'001U);
    EXPECT_EQ(body_refusal(object(200'000)), "the body has objects with too many members");
    EXPECT_EQ(body_refusal(R"({"a":[)" + object(9'000) + "," + object(9'000) + "]}"),
              "the body has objects with too many members");
}

TEST(JsonReader, Numbers) {
    const auto number = [](const Node& body) { return body.at("x").number(0, 2.5); };
    EXPECT_EQ(accepted(R"({"x": 2.5})", number), 2.5);
    EXPECT_EQ(accepted(R"({"x": 2})", number), 2.0);
    EXPECT_EQ(accepted(R"({"x": null})", number), std::nullopt);
    EXPECT_EQ(accepted("{}", number), std::nullopt);
    EXPECT_EQ(refusal(R"({"x": 2.6})", number), "x must be a number from 0 to 2.5, got 2.6");
    EXPECT_EQ(refusal(R"({"x": -1})", number), "x must be a number from 0 to 2.5, got -1");
    EXPECT_EQ(refusal(R"({"x": "1"})", number), "x must be a number from 0 to 2.5, got \"1\"");
    EXPECT_EQ(refusal(R"({"x": true})", number), "x must be a number from 0 to 2.5, got true");
    EXPECT_EQ(refusal(R"({"x": []})", number), "x must be a number from 0 to 2.5, got an array");
    const auto any = [](const Node& body) { return body.at("x").number(); };
    EXPECT_EQ(accepted(R"({"x": -1e300})", any), -1e300);
    EXPECT_EQ(refusal(R"({"x": {}})", any), "x must be a number, got an object");
}

TEST(JsonReader, Integers) {
    const auto integer = [](const Node& body) { return body.at("x").integer(-2, 5); };
    EXPECT_EQ(accepted(R"({"x": 5})", integer), 5);
    EXPECT_EQ(accepted(R"({"x": -2})", integer), -2);
    EXPECT_EQ(accepted(R"({"x": 3.0})", integer), 3);
    EXPECT_EQ(accepted(R"({"x": 0.2e1})", integer), 2);
    EXPECT_EQ(accepted(R"({"x": null})", integer), std::nullopt);
    for (const char* bad : {"6", "-3", "1.5", "\"1\"", "true", "1e30", "-1e30", "18446744073709551615", "[]"})
        EXPECT_EQ(refusal(std::string(R"({"x": )") + bad + "}", integer).substr(0, 38), "x must be an integer from -2 to 5, got")
            << bad;
    const auto worded = [](const Node& body) { return body.at("x").integer(0, 5, "0 or more"); };
    EXPECT_EQ(refusal(R"({"x": -1})", worded), "x must be an integer, 0 or more, got -1");
}

TEST(JsonReader, OtherTypes) {
    const auto boolean = [](const Node& body) { return body.at("x").boolean(); };
    EXPECT_EQ(accepted(R"({"x": false})", boolean), false);
    EXPECT_EQ(accepted(R"({"x": null})", boolean), std::nullopt);
    EXPECT_EQ(refusal(R"({"x": 0})", boolean), "x must be true or false, got 0");
    EXPECT_EQ(refusal(R"({"x": "true"})", boolean), "x must be true or false, got \"true\"");
    const auto text = [](const Node& body) { return body.at("x").text(); };
    EXPECT_EQ(accepted(R"({"x": ""})", text), "");
    EXPECT_EQ(refusal(R"({"x": 1})", text), "x must be a string, got 1");
    const auto word = [](const Node& body) { return body.at("x").word({"a", "b"}); };
    EXPECT_EQ(accepted(R"({"x": "b"})", word), "b");
    EXPECT_EQ(refusal(R"({"x": "c"})", word), "x must be one of a, b, got \"c\"");
    EXPECT_EQ(refusal(R"({"x": 1})", word), "x must be one of a, b, got 1");
    const auto items = [](const Node& body) { return body.at("x").items().size(); };
    EXPECT_EQ(accepted(R"({"x": [1, null]})", items), 2U);
    EXPECT_EQ(accepted(R"({"x": null})", items), 0U);
    EXPECT_EQ(refusal(R"({"x": {}})", items), "x must be an array, got an object");
    const auto members = [](const Node& body) { return body.at("x").members().size(); };
    EXPECT_EQ(accepted(R"({"x": {"a": 1, "b": null}})", members), 1U);
    EXPECT_EQ(refusal(R"({"x": []})", members), "x must be an object, got an array");
}

TEST(JsonReader, PathsLeadThere) {
    const auto deep = [](const Node& body) { return body.at("a").items()[1].at("b").at("c").text(); };
    const Problem problem = test::problem_of([&] {
        const Json json = parse_body(R"({"a": [0, {"b": {"c": 5}}]})");
        (void)deep(Node(json));
    });
    EXPECT_EQ(problem.param, "a[1].b.c");
    EXPECT_EQ(problem.message, "a[1].b.c must be a string, got 5");
    EXPECT_EQ(problem.status, 400);
    EXPECT_EQ(refusal("{}",
                      [](const Node& body) {
                          body.at("a").at("b").miss();
                          return 0;
                      }),
              "a.b is required");
}

TEST(JsonReader, LongValuesAreCut) {
    const auto boolean = [](const Node& body) { return body.at("x").boolean(); };
    const std::string cut = refusal("{\"x\": \"" + repeat("\xe2\x82\xac", 10'000) + "\"}", boolean);
    EXPECT_EQ(cut, "x must be true or false, got \"" + repeat("\xe2\x82\xac", 21) + "...\"");
    const std::string name(10'000, 'n');
    EXPECT_EQ(refusal("{\"" + name + "\": 5}", [&](const Node& body) { return body.at(name).text(); }),
              name.substr(0, 64) + "... must be a string, got 5");
}

}  // namespace
}  // namespace hlg::api
