// SPDX-License-Identifier: MIT
#include "engine/schema_patterns.hpp"

#include <algorithm>
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

// NOLINTNEXTLINE(misc-no-recursion): no deeper than max_json_depth
void translate_all(Json& node) {
    if (node.is_object() && node.contains("pattern") && node["pattern"].is_string()) translate(node);
    for (const auto& [key, child] : node.items()) {
        if (node.is_object() && among(key, {"const", "enum", "default", "examples"})) continue;  // values, no schemas
        const bool named = node.is_object() && child.is_object() && among(key, {"properties", "$defs", "definitions"});
        if (named) {
            for (auto& each : child) translate_all(each);
        } else if (child.is_structured()) {
            translate_all(child);
        }
    }
}

}  // namespace

std::string with_json_patterns(const std::string& schema) {
    Json json = Json::parse(schema);
    translate_all(json);
    return json.dump();
}

}  // namespace hlg::engine
