// SPDX-License-Identifier: MIT
#include "engine/converter_schema.hpp"

#include <algorithm>
#include <functional>
#include <initializer_list>
#include <utility>

#include <nlohmann/json.hpp>

#include "engine/json_pattern.hpp"

namespace hlg::engine {
namespace {

using Json = nlohmann::ordered_json;

void translate(Json& schema) {
    auto translated = json_pattern(schema["pattern"].get_ref<const std::string&>());
    if (translated && *translated) {
        schema["pattern"] = std::move(**translated);
        return;
    }
    schema.erase("pattern");
    if (!schema.contains("type")) schema["type"] = "string";  // which a pattern says, to the converter
}

bool among(const std::string& word, std::initializer_list<const char*> words) {
    return std::any_of(words.begin(), words.end(), [&](const char* one) { return word == one; });
}

/** Does something to each object of a schema that may be a schema itself, from the outside inwards. */
// NOLINTNEXTLINE(misc-no-recursion): no deeper than max_json_depth
void each_schema(Json& node, const std::function<void(Json&)>& change) {
    if (node.is_object()) change(node);
    for (const auto& [key, child] : node.items()) {
        if (node.is_object() && among(key, {"const", "enum", "default", "examples"})) continue;  // values, no schemas
        const bool named = node.is_object() && child.is_object() && among(key, {"properties", "$defs", "definitions"});
        if (named) {
            for (auto& each : child) each_schema(each, change);
        } else if (child.is_structured()) {
            each_schema(child, change);
        }
    }
}

/** A schema that holds itself gets a definition of itself, and stays what it is on the outside. */
void define_whole(Json& schema) {
    Json& definitions = schema["$defs"];
    std::string name = "whole";
    while (definitions.contains(name)) name += '_';
    bool found = false;
    each_schema(schema, [&](Json& node) {
        if (node.value("$ref", Json()) != "#") return;
        node["$ref"] = "#/$defs/" + name;
        found = true;
    });
    Json whole = schema;
    whole.erase("$defs");
    if (found) definitions[name] = std::move(whole);
    if (definitions.is_null()) schema.erase("$defs");
}

}  // namespace

std::string converter_schema(const std::string& schema) {
    Json json = Json::parse(schema);
    each_schema(json, [](Json& node) {
        if (node.contains("pattern") && node["pattern"].is_string()) translate(node);
        if (node.contains("prefixItems") && node.value("items", Json()) == false) node.erase("items");
    });
    define_whole(json);
    return json.dump();
}

}  // namespace hlg::engine
