// SPDX-License-Identifier: MIT
//
// llama-common (chat templates, grammars) is there, and its headers fit its library.
#include <gtest/gtest.h>

#include <json-schema-to-grammar.h>
#include <json.h>

TEST(Common, TurnsASchemaIntoAGrammar) {
    const auto schema =
        common_json::parse(R"({"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]})");
    const std::string grammar = json_schema_to_grammar(schema);
    EXPECT_NE(grammar.find("root ::="), std::string::npos) << grammar;
}
