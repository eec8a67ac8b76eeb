// SPDX-License-Identifier: MIT
//
// Grammars and schemas made to end or hold up the process. Each is refused or walked, in less than two seconds; the sizes are
// such that without the limits none of them would return.
#include <chrono>
#include <functional>
#include <thread>

#include "engine/grammar_support.hpp"

namespace hlg::engine {
namespace {

std::string repeat(const std::string& text, std::size_t count) {
    std::string all;
    for (std::size_t i = 0; i < count; ++i) all += text;
    return all;
}

std::string list(std::size_t count, const std::string& separator, const std::function<std::string(std::size_t)>& element) {
    std::string all;
    for (std::size_t i = 0; i < count; ++i) all += (i == 0 ? "" : separator) + element(i);
    return all;
}

std::string number(std::size_t i) { return std::to_string(i); }

/** "r0 ::= r1 r1" and so on, from the first to the last but one of so many rules. */
std::string chain_of(std::size_t count, const std::string& between, bool twice) {
    std::string text = "root ::= r0\n";
    for (std::size_t i = 0; i < count; ++i) {
        const std::string next = std::string("r").append(number(i + 1));
        text.append("r").append(number(i)).append("::=").append(next);
        if (twice) text.append(between).append(next);
        text += '\n';
    }
    return text.append("r").append(number(count)).append(" ::= \"a\"");
}

class Hostile : public test::WithVocabulary {
protected:
    static constexpr double limit = 2.0;  // seconds

    /** Compiles, masks, copies and takes a few tokens; what was refused, or nothing. */
    static std::string attack(const std::function<Result<Grammar>()>& compile) {
        const auto start = std::chrono::steady_clock::now();
        std::string refused;
        if (auto grammar = compile()) {
            use(*grammar);
        } else {
            EXPECT_EQ(grammar.error().code, ErrorCode::bad_request);
            EXPECT_EQ(grammar.error().message.find('\n'), std::string::npos);
            EXPECT_LT(grammar.error().message.size(), 500U);
            refused = grammar.error().message;
        }
        EXPECT_LT(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(), limit);
        return refused;
    }

    static void use(Grammar& grammar) {
        std::vector<std::uint32_t> bits((vocabulary_->size() + 31) / 32);
        for (int step = 0; step < 4; ++step) {
            if (grammar.mask(bits)) return;
            Grammar copy = grammar;
            for (std::size_t i = vocabulary_->size(); i-- > 0;) {
                const auto token = static_cast<Token>(i);
                if (((bits[i / 32] >> (i % 32)) & 1U) == 0 || vocabulary_->is_end(token)) continue;
                if (copy.accept(token)) return;
                break;
            }
            grammar = std::move(copy);
        }
    }

    static std::string gbnf_attack(const std::string& text) {
        return attack([&] { return Grammar::from_gbnf(*vocabulary_, text); });
    }
    static std::string schema_attack(const std::string& text) {
        return attack([&] { return Grammar::from_schema(*vocabulary_, text); });
    }

    static bool says(const std::string& message, const char* what) { return message.find(what) != std::string::npos; }
};

TEST_F(Hostile, DeepGbnf) {
    EXPECT_TRUE(says(gbnf_attack("root ::= " + repeat("(", 100'000) + "\"a\"" + repeat(")", 100'000)), "nesting depth"));
    EXPECT_EQ(gbnf_attack("root ::= " + repeat("(", 64) + "\"a\"" + repeat(")", 64)), "");
    EXPECT_TRUE(says(gbnf_attack("root ::= " + repeat("(", 65) + "\"a\"" + repeat(")", 65)), "the limit is 64"));
}

TEST_F(Hostile, LargeGbnf) {
    EXPECT_TRUE(says(gbnf_attack("root ::= \"" + repeat("a", 300'000) + "\""), "the limit is 262144"));
    EXPECT_TRUE(says(gbnf_attack("root ::= " + repeat("\"a\"{0,9999} ", 20'000)), "the limit is 2000000"));
    EXPECT_EQ(gbnf_attack("root ::= \"" + repeat("a", 130'000) + "\"{9999}"), "");
    EXPECT_EQ(gbnf_attack("root ::= [" + repeat("a-z", 80'000) + "]{0,9999}"), "");
    EXPECT_EQ(gbnf_attack("root ::= " + list(20'000, " | ", [](std::size_t i) { return "\"w" + number(i) + "\""; })), "");
    EXPECT_EQ(gbnf_attack("root ::= " + repeat("a", 16'000) + "\n" + repeat("a", 16'000) + " ::= " + repeat("(\"a\")", 40'000)),
              "");
}

TEST_F(Hostile, ChainsOfRules) {
    EXPECT_EQ(gbnf_attack(chain_of(13'000, "", false)), "");
    EXPECT_EQ(gbnf_attack(chain_of(60, " | ", true)), "");
    EXPECT_TRUE(says(gbnf_attack(chain_of(40, " ", true) + "?"), "too many ways"));
}

// Ways that multiply with every character. llama.cpp follows each of them on its own.
TEST_F(Hostile, AmbiguousGbnf) {
    EXPECT_EQ(gbnf_attack("root ::= x{0,1999} \"b\"\nx ::= \"a\"?"), "");
    EXPECT_EQ(gbnf_attack("root ::= " + repeat("[a-z ]* ", 50) + "\"!\""), "");
    EXPECT_EQ(gbnf_attack("root ::= " + repeat("[a-z ]* ", 5000) + "\"!\""), "");
    EXPECT_EQ(gbnf_attack("root ::= \"z\" root \"b\" | \"z\" root \"c\" | \"z\" root"), "");
    EXPECT_EQ(gbnf_attack("root ::= (\"z\"* \"z\"*)* \"y\" root? \"a\""), "");
    EXPECT_TRUE(says(gbnf_attack("root ::= ((((\"z\"{0,40}){0,40}){0,40}){0,40}){0,40}"), "too many ways"));
}

// Such a grammar keeps every way open; after some tokens it is told that it takes too much work, and no token took long.
TEST_F(Hostile, AmbiguityThatGrowsIsCutOff) {
    Grammar grammar = gbnf("root ::= \"a\" root \"b\" | \"a\" root \"c\" | \"a\" root \"d\" | \"x\"");
    const Token a = first_token("a");
    Failure failure;
    for (int i = 0; i < 100 && !failure; ++i) {
        const auto start = std::chrono::steady_clock::now();
        failure = grammar.accept(a);
        EXPECT_LT(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(), limit);
    }
    ASSERT_TRUE(failure);
    EXPECT_EQ(failure->code, ErrorCode::sampling_failed);
}

TEST_F(Hostile, DeepAndLargeSchemas) {
    EXPECT_TRUE(says(schema_attack(repeat("{\"items\":", 10'000) + "{}" + repeat("}", 10'000)), "nesting depth of 10001"));
    EXPECT_EQ(schema_attack(repeat("{\"items\":", 63) + "{}" + repeat("}", 63)), "");
    const auto constant = [](std::size_t i) { return "{\"const\":" + number(i) + "}"; };
    EXPECT_TRUE(says(schema_attack("{\"anyOf\":[" + list(200'000, ",", constant) + "]}"), "size in bytes"));
    EXPECT_TRUE(says(schema_attack("{\"anyOf\":[" + list(5'000, ",", constant) + "]}"), "the limit is 4096"));
    EXPECT_EQ(schema_attack("{\"anyOf\":[" + list(4'000, ",", constant) + "]}"), "");
    EXPECT_TRUE(says(schema_attack("{\"enum\":[" + list(100'000, ",", number) + "]}"), "size in bytes"));
    EXPECT_EQ(schema_attack("{\"enum\":[" + list(4'000, ",", number) + "]}"), "");
}

TEST_F(Hostile, SchemasThatMultiply) {
    const auto property = [](std::size_t i) { return "\"p" + number(i) + "\":{\"type\":\"integer\"}"; };
    const std::string object = "{\"type\":\"object\",\"properties\":{" + list(256, ",", property) + "}}";
    EXPECT_EQ(schema_attack(object), "");
    EXPECT_TRUE(says(schema_attack("{\"properties\":{" + list(257, ",", property) + "}}"), "the limit is 256"));
    EXPECT_TRUE(says(schema_attack("{\"type\":\"array\",\"items\":[" +
                                   list(30, ",", [&](std::size_t) -> const std::string& { return object; }) + "]}"),
                     "takes work"));
    std::string types = "{}";
    for (int i = 0; i < 30; ++i) types.insert(0, R"({"type":["object","object"],"properties":{"a":)").append("}}");
    EXPECT_TRUE(says(schema_attack(types), "takes work"));
    EXPECT_TRUE(says(schema_attack(R"({"$defs":{"a":{"properties":{)" + list(200, ",", property) + R"(}}},"allOf":[)" +
                                   list(4'000, ",", [](std::size_t) { return R"({"$ref":"#/$defs/a"})"; }) + "]}"),
                     "an allOf"));
    EXPECT_TRUE(says(schema_attack(R"({"type":"array","items":[)" +
                                   list(4'000, ",", [](std::size_t) { return R"({"type":"string","pattern":"^a$"})"; }) + "]}"),
                     "$refs and patterns"));
}

// Converting recurses through $refs; this is the deepest that is let through, on a stack of the usual size.
TEST_F(Hostile, ReferencesThatLeadFar) {
    const auto chain = [](std::size_t count, std::size_t depth) {
        return R"({"$ref":"#/$defs/a0","$defs":{)" +
               list(count, ",",
                    [&](std::size_t i) {
                        return "\"a" + number(i) + "\":" + repeat(R"({"properties":{"x":)", depth) + R"({"$ref":"#/$defs/a)" +
                               number((i + 1) % count) + "\"}" + repeat("}}", depth);
                    }) +
               "}}";
    };
    std::thread([&] {
        EXPECT_EQ(schema_attack(chain(60, 16)), "");
        EXPECT_EQ(schema_attack(chain(500, 1)), "");
        EXPECT_TRUE(says(schema_attack(chain(300, 16)), "depth through its $refs"));
        EXPECT_TRUE(says(schema_attack(chain(2'000, 1)), "the limit is"));
    }).join();
    EXPECT_TRUE(says(schema_attack(R"({"$ref":"#/$defs/a","$defs":{"a":{"$ref":"#/$defs/b"},"b":{"$ref":"#/$defs/a"}}})"),
                     "leads back to itself"));
    EXPECT_TRUE(
        says(schema_attack(R"({"allOf":[{"$ref":"#/$defs/a"}],"$defs":{"a":{"$ref":"#/$defs/a"}}})"), "leads back to itself"));
    EXPECT_TRUE(says(schema_attack(R"({"$ref":"#/$defs/none"})"), "leads nowhere"));
    EXPECT_TRUE(says(schema_attack(R"({"$ref":"https://example.org/schema"})"), "not local"));
}

TEST_F(Hostile, PatternsAndNumbers) {
    EXPECT_EQ(schema_attack(R"({"type":"string","pattern":"^a{0,1000000}$"})"), "");
    EXPECT_TRUE(says(schema_attack(R"({"type":"string","pattern":"(\n{\"forged\": 1}\n"})"), "control character"));
    EXPECT_EQ(schema_attack(R"({"type":"string","pattern":"^a\\n$"})"), "");
    EXPECT_TRUE(says(schema_attack(R"({"type":"string","pattern":"^a{1000000}$"})"), "more than 10000 repetitions"));
    EXPECT_EQ(schema_attack(R"({"type":"string","pattern":"^((a{0,40}){0,40}){0,40}$"})"), "");
    EXPECT_EQ(schema_attack(R"({"type":"string","pattern":"^)" + repeat("(", 100'000) + "a" + repeat(")", 100'000) + "$\"}"), "");
    EXPECT_EQ(schema_attack(R"({"type":"string","pattern":"^)" + repeat("a.", 120'000) + "$\"}"), "");
    EXPECT_TRUE(says(schema_attack(R"({"type":"string","minLength":5,"maxLength":2})"), "minimum is above"));
    EXPECT_TRUE(says(schema_attack(R"({"type":"integer","minimum":200000000000000000})"), "minimum is above"));
    EXPECT_TRUE(says(schema_attack(R"({"properties":{")" + repeat(" ", 200'000) + "\":{}}}"), "a name"));
}

// A message that quotes what came is one line all the same: it goes into logs and headers.
TEST_F(Hostile, NamesOfSeveralLines) {
    EXPECT_TRUE(says(gbnf_attack("root ::= <[a\n\n b]>"), "one: <[a b]>"));
    EXPECT_TRUE(says(gbnf_attack("root ::= <" + repeat("\xC3\xA4\n", 10'000) + ">"), "..."));
    EXPECT_TRUE(says(gbnf_attack("root ::= " + repeat("a", 10'000)), "..."));
    EXPECT_TRUE(says(schema_attack(R"({"$ref":"#/a\nb"})"), "nowhere: #/a b"));
    EXPECT_TRUE(says(schema_attack(R"({"$ref":"a\nb"})"), "not local (#/...): a b"));
    EXPECT_TRUE(
        says(schema_attack(R"({"$ref":"#/$defs/a\nb","$defs":{"a\nb":{"$ref":"#/$defs/a\nb"}}})"), "itself: #/$defs/a b"));
}

TEST_F(Hostile, NotEvenSchemas) {
    for (const char* text :
         {"", "5", "null", "[]", "{\"type\":", "{\"type\":\"foo\"}", "{\"type\":5}", "{\"pattern\":5,\"type\":\"string\"}",
          "{\"minItems\":\"x\",\"items\":{}}", "{\"minLength\":-5,\"type\":\"string\"}", "{\"$ref\":5}", "{\"enum\":5}"})
        EXPECT_NE(schema_attack(text) + text, "") << text;
    for (const char* text : {"", "5", "{\"type\":", "{\"type\":\"foo\"}", "{\"minLength\":-5,\"type\":\"string\"}"})
        EXPECT_NE(schema_attack(text), "") << text;
}

}  // namespace
}  // namespace hlg::engine
