// SPDX-License-Identifier: MIT
#include "api/schema_keywords.hpp"

#include "api/reading.hpp"
#include "engine/grammar.hpp"

namespace hlg::api {
namespace {

using Words = std::vector<std::string>;

Words read(const Node& body) { return unenforced_keywords(body.at("s")); }

Words unenforced(const std::string& schema) { return test::accepted(R"({"s": )" + schema + "}", read); }

std::string refused(const std::string& schema) { return test::refusal(R"({"s": )" + schema + "}", read); }

TEST(SchemaKeywords, Enforced) {
    for (const char* schema :
         {"{}", R"({"type": "object", "properties": {"a": {"type": "string", "minLength": 1, "maxLength": 3}}, "required": ["a"],
            "additionalProperties": false, "title": "T", "description": "d", "$schema": "x", "default": {}})",
          R"({"type": ["string", "null"]})", R"({"type": "integer", "minimum": 1, "exclusiveMaximum": 5})",
          R"({"type": "array", "items": {"type": "boolean"}, "minItems": 1, "maxItems": 2})", R"({"enum": [1, "a", null]})",
          R"({"const": {"not": 1}})", R"({"type": "string", "pattern": "^a+$"})",
          R"({"type": "string", "pattern": "^\\d+[^\\s\"]$"})", R"({"type": "string", "format": "date-time"})",
          R"({"$ref": "#/$defs/A", "description": "d", "$defs": {"A": {"type": "string"}}})",
          R"({"anyOf": [{"type": "string"}, {"type": "null"}], "default": null})",
          R"({"allOf": [{"$ref": "#/$defs/A"}, {"properties": {"b": {"type": "null"}}}], "$defs": {"A": {"properties": {}}}})",
          R"({"prefixItems": [{"type": "string"}]})", R"({"type": "array", "prefixItems": [{"type": "null"}], "items": false})",
          R"({"type": "object", "properties": {"next": {"anyOf": [{"$ref": "#"}, {"type": "null"}]}}, "required": ["next"]})",
          R"({"additionalProperties": {"type": "string"}})",
          R"({"properties": {"not": {"type": "string"}, "if": {"type": "null"}, "uniqueItems": {"type": "null"}}})"}) {
        EXPECT_EQ(unenforced(schema), Words()) << schema;
        const auto gbnf = engine::schema_to_gbnf(schema);
        EXPECT_TRUE(gbnf) << schema << gbnf.error().message;
    }
}

TEST(SchemaKeywords, Told) {
    const std::pair<const char*, Words> cases[] = {
        {R"({"type": "array", "items": {"type": "null"}, "uniqueItems": true})", {"uniqueItems"}},
        {R"({"type": "number", "multipleOf": 2, "minimum": 0, "exclusiveMaximum": 1})",
         {"exclusiveMaximum", "minimum", "multipleOf"}},
        {R"({"type": "integer", "minimum": 0, "exclusiveMinimum": 1})", {"exclusiveMinimum"}},
        {R"({"type": "object", "minProperties": 1, "maxProperties": 2, "propertyNames": {"pattern": "a"}})",
         {"maxProperties", "minProperties", "propertyNames"}},
        {R"({"type": "string", "format": "email"})", {"format"}},
        {R"({"type": "string", "format": "uuid", "minLength": 2})", {"minLength"}},
        {R"({"type": "string", "pattern": "^a*$", "maxLength": 2, "format": "date"})", {"format", "maxLength"}},
        {R"({"type": "string", "pattern": "a"})", {"pattern"}},
        {R"({"type": "string", "pattern": "^(?=a)b$"})", {"pattern"}},
        {R"({"type": "string", "pattern": "^\\p{L}$", "minLength": 1, "format": "date-time"})", {"minLength", "pattern"}},
        {R"({"type": "string", "pattern": "a", "minLength": 1})", {"pattern"}},
        {R"({"maxLength": 2})", {"maxLength"}},
        {R"({"type": "string", "enum": ["a", "bc"], "pattern": "^a$", "maxLength": 1})", {"maxLength", "pattern"}},
        {R"({"const": 5, "type": "integer", "maximum": 4})", {"maximum"}},
        {R"({"type": "array", "minItems": 2})", {"minItems"}},
        {R"({"type": "object", "properties": {}, "required": ["a"]})", {"required"}},
        {R"({"properties": {"a": {"items": {"anyOf": [{"type": "string", "format": "email"}]}}}})", {"format"}},
        {R"({"$ref": "#/$defs/A", "$defs": {"A": {"type": "number", "minimum": 0}}})", {"minimum"}},
        {R"({"$ref": "#/x/A", "x": {"A": {"items": {"$ref": "#/x/B"}}, "B": {"type": "number", "minimum": 0}}})", {"minimum"}},
        {R"({"$ref": "#/x", "x": {"$ref": "#/y"}, "y": {"$ref": "#/x"}, "z": {"uniqueItems": true}})", {}},
        {R"({"additionalProperties": {"type": "number", "maximum": 0}})", {"maximum"}},
        {R"({"prefixItems": [{"type": "number", "maximum": 0}]})", {"maximum"}},
    };
    for (const auto& [schema, words] : cases) EXPECT_EQ(unenforced(schema), words) << schema;
}

TEST(SchemaKeywords, Refused) {
    const std::pair<const char*, const char*> cases[] = {
        {R"({"not": {}})", "s.not can't be enforced by a grammar"},
        {R"({"if": {}})", "s.if can't be enforced by a grammar"},
        {R"({"then": {}})", "s.then can't be enforced by a grammar"},
        {R"({"else": {}})", "s.else can't be enforced by a grammar"},
        {R"({"type": "array", "contains": {}})", "s.contains can't be enforced by a grammar"},
        {R"({"patternProperties": {"a": {}}})", "s.patternProperties can't be enforced by a grammar"},
        {R"({"dependentSchemas": {}})", "s.dependentSchemas can't be enforced by a grammar"},
        {R"({"unevaluatedProperties": false})", "s.unevaluatedProperties can't be enforced by a grammar"},
        {R"({"properties": {"a": false}})", "s.properties.a must not be false: nothing fits that"},
        {R"({"anyOf": [{"type": "null"}, false]})", "s.anyOf[1] must not be false: nothing fits that"},
        {R"({"type": "array", "items": false})", "s.items must not be false: nothing fits that"},
        {R"({"$ref": "#/components/A", "components": {"A": {"contains": {}}}})",
         "s.components.A.contains can't be enforced by a grammar"},
        {R"({"enum": []})", "s.enum must have at least one value"},
        {R"({"enum": 5})", "s.enum must be an array"},
        {R"({"type": "text"})", "s.type must be string, number, integer, boolean, null, array or object"},
        {R"({"type": 5})", "s.type must be string, number, integer, boolean, null, array or object"},
        {R"({"type": ["string", "x"]})", "s.type must be string, number, integer, boolean, null, array or object"},
        {R"({"type": []})", "s.type must have at least one type"},
        {R"({"properties": {"a": {"items": {"not": {}}}}})", "s.properties.a.items.not can't be enforced by a grammar"},
        {R"({"anyOf": [{}, {"not": {}}]})", "s.anyOf[1].not can't be enforced by a grammar"},
        {R"({"anyOf": [{}], "properties": {}})", "s.properties can't be enforced by a grammar beside anyOf"},
        {R"({"$ref": "#/$defs/A", "items": {}})", "s.items can't be enforced by a grammar beside $ref"},
        {R"({"properties": {}, "allOf": [{}]})", "s.allOf can't be enforced by a grammar beside properties"},
        {R"({"allOf": [{"items": {}}]})", "s.allOf[0].items can't be enforced by a grammar inside allOf"},
        {R"({"items": {}, "prefixItems": [{}]})", "s.prefixItems can't be enforced by a grammar beside items"},
    };
    for (const auto& [schema, message] : cases) EXPECT_EQ(refused(schema), message) << schema;
}

TEST(SchemaKeywords, AdviceIsNeverRefused) {
    const auto lost = [](const Node& body) { return lost_keywords(body.at("s")); };
    EXPECT_EQ(test::accepted(R"({"s": {"not": {}, "properties": {"a": {"patternProperties": {}, "format": "email"}}}})", lost),
              (Words{"format", "not", "patternProperties"}));
}

// What the engine's own checks refuse: the server's answer is theirs.
TEST(SchemaKeywords, RefusedByTheEngine) {
    for (const char* schema : {R"({"$ref": "https://example.org/schema"})", R"({"$ref": "#/$defs/none"})",
                               R"({"type": "string", "pattern": "^(a$"})", R"({"type": "string", "pattern": "^[a$"})",
                               R"({"type": "string", "pattern": "(a"})", R"({"items": {"type": "string", "pattern": "^*$"}})"})
        EXPECT_FALSE(engine::schema_to_gbnf(schema)) << schema;
}

}  // namespace
}  // namespace hlg::api
