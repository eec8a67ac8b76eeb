#include "engine/converter_schema.hpp"

#include "engine/grammar_support.hpp"

namespace hlg::engine {
namespace {

TEST(ConverterSchema, Patterns) {
    EXPECT_EQ(converter_schema(R"({"type":"string","pattern":"^\\d$"})"), R"({"type":"string","pattern":"^[0-9]$"})");
    EXPECT_EQ(converter_schema(R"({"pattern":"a"})"), R"({"type":"string"})");
    EXPECT_EQ(
        converter_schema(R"({"properties":{"pattern":{"items":{"anyOf":[{"pattern":"^\\d$"}]}},"const":{"pattern":"^\\d$"}}})"),
        R"({"properties":{"pattern":{"items":{"anyOf":[{"pattern":"^[0-9]$"}]}},"const":{"pattern":"^[0-9]$"}}})");
    EXPECT_EQ(converter_schema(R"({"$defs":{"a":{"pattern":"^\\d$"}},"x":{"y":{"pattern":"^\\d$"}}})"),
              R"({"$defs":{"a":{"pattern":"^[0-9]$"}},"x":{"y":{"pattern":"^[0-9]$"}}})");
    const char* values = R"({"const":{"pattern":"^\\d$"},"enum":[{"pattern":"^\\d$"}],"default":{"pattern":"^\\d$"}})";
    EXPECT_EQ(converter_schema(values), values);
}

TEST(ConverterSchema, WhatEndsAnywayNeedsNoEnd) {
    EXPECT_EQ(converter_schema(R"({"prefixItems":[{"prefixItems":[{}],"items":false}],"items":false})"),
              R"({"prefixItems":[{"prefixItems":[{}]}]})");
    EXPECT_EQ(converter_schema(R"({"items":false})"), R"({"items":false})");
}

TEST(ConverterSchema, ASchemaThatHoldsItself) {
    EXPECT_EQ(converter_schema(R"({"properties":{"next":{"$ref":"#"}},"required":["next"]})"),
              R"({"properties":{"next":{"$ref":"#/$defs/whole"}},"required":["next"],)"
              R"("$defs":{"whole":{"properties":{"next":{"$ref":"#/$defs/whole"}},"required":["next"]}}})");
    EXPECT_EQ(converter_schema(R"({"items":{"$ref":"#"},"$defs":{"whole":{"const":{"$ref":"#"}}}})"),
              R"({"items":{"$ref":"#/$defs/whole_"},"$defs":{"whole":{"const":{"$ref":"#"}},)"
              R"("whole_":{"items":{"$ref":"#/$defs/whole_"}}}})");
}

class ConvertedSchema : public test::WithVocabulary {};

// The converter reads them as they are meant.
TEST_F(ConvertedSchema, BecomesAGrammar) {
    const Grammar list = schema(R"({"type":"object","properties":{"next":{"anyOf":[{"$ref":"#"},{"type":"null"}]}},
        "required":["next"],"additionalProperties":false})");
    EXPECT_TRUE(matches(list, R"({"next":{"next":{"next":null}}})"));
    EXPECT_FALSE(matches(list, R"({"next":{"next":5}})"));
    const Grammar pair = schema(R"({"type":"array","prefixItems":[{"type":"boolean"},{"type":"null"}],"items":false})");
    EXPECT_TRUE(matches(pair, "[true,null]"));
    EXPECT_FALSE(matches(pair, "[true,null,null]"));
    EXPECT_FALSE(matches(pair, "[null,true]"));
}

}  // namespace
}  // namespace hlg::engine
