// SPDX-License-Identifier: MIT
#include "api/schema_keywords.hpp"

#include <algorithm>
#include <array>
#include <set>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "engine/json_limits.hpp"
#include "engine/json_pattern.hpp"

namespace hlg::api {
namespace {

// Which keywords llama-common's converter reads, and in which order it looks for them: the first of $ref, oneOf and anyOf, const,
// enum, properties, allOf, items that it finds is all that it reads of a node.
constexpr std::array structural = {"not",
                                   "if",
                                   "then",
                                   "else",
                                   "contains",
                                   "patternProperties",
                                   "dependencies",
                                   "dependentSchemas",
                                   "$dynamicRef",
                                   "$recursiveRef",
                                   "unevaluatedItems",
                                   "unevaluatedProperties"};
constexpr std::array assertions = {"uniqueItems",     "multipleOf",        "minProperties",   "maxProperties",
                                   "propertyNames",   "dependentRequired", "minContains",     "maxContains",
                                   "additionalItems", "contentEncoding",   "contentMediaType"};
constexpr std::array bounds = {"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"};
constexpr std::array formats = {"date", "time", "date-time", "uuid", "uuid1", "uuid2", "uuid3", "uuid4", "uuid5"};
constexpr std::array types = {"string", "number", "integer", "boolean", "null", "array", "object"};
constexpr std::array shapes = {"properties", "required", "additionalProperties", "items", "prefixItems", "allOf",
                               "enum",       "const"};

template <std::size_t N>
bool among(const std::array<const char*, N>& words, const Json& word) {
    return std::any_of(words.begin(), words.end(), [&](const char* one) { return word == one; });
}

class Reader {
public:
    explicit Reader(bool refuses) : refuses_(refuses) {}

    void read_all(const Node& root) {
        read(root);
        while (!references_.empty()) {
            const std::string reference = std::move(references_.back());
            references_.pop_back();
            read(target_of(root, reference));
        }
    }

    [[nodiscard]] std::vector<std::string> lost() const { return {lost_.begin(), lost_.end()}; }

private:
    void read(const Node& schema) {
        if (!schema.is_object()) return;  // true, false, and what the converter refuses
        if (!seen_.insert(&schema.json()).second) return;
        check_structure(schema);
        check_alternatives(schema);
        check_strings(schema);
        check_numbers(schema);
        check_items(schema);
        check_required(schema);
        for (const char* name : assertions) {
            if (!schema.at(name).absent()) lost_.insert(name);
        }
        descend(schema);
        note(schema.at("$ref"));
    }

    void read_part(const Node& schema) {
        if (schema.json() == false)
            throw bad_field(schema.path(), "must not be false: nothing fits that");  // nor has the converter
        read(schema);
    }

    /** What a local $ref points at, which may lie where no keyword of schemas leads; absent if there is nothing. */
    static Node target_of(const Node& root, const std::string& reference) {
        Node at = root;
        for (std::size_t start = 2; start <= reference.size() && !at.absent();) {
            const std::size_t end = std::min(reference.find('/', start), reference.size());
            at = at.at(std::string_view(reference).substr(start, end - start));
            start = end + 1;
        }
        return at;
    }

    // The engine refuses a schema that is long enough to have more of them.
    void note(const Node& reference) {
        constexpr std::size_t most = engine::max_schema_bytes / std::string_view(R"("$ref":"#/")").size();
        if (!reference.is_string() || known_.size() > most) return;
        const std::string text = *reference.text();
        if (text.starts_with("#/") && known_.insert(text).second) references_.push_back(text);
    }

    /** Without this the answer would have another structure. */
    void refuse(const Node& node, const std::string& keyword, const std::string& why) {
        if (refuses_) throw bad_field(node.path(), why);
        lost_.insert(keyword);
    }

    void check_structure(const Node& schema) {
        for (const char* name : structural) {
            if (!schema.at(name).absent()) refuse(schema.at(name), name, "can't be enforced by a grammar");
        }
        const Node values = schema.at("enum");
        if (values.is_array() && values.json().empty()) refuse(values, "enum", "must have at least one value");
        if (!values.absent() && !values.is_array()) refuse(values, "enum", "must be an array");
        check_values(schema);
        const Node type = schema.at("type");
        if (type.is_array() && type.json().empty()) refuse(type, "type", "must have at least one type");
        const Json one = Json::array({type.json()});
        for (const Json& name : type.is_array() ? type.json() : one) {
            if (!name.is_null() && !among(types, name))  // nor would the converter have it
                throw bad_field(type.path(), "must be string, number, integer, boolean, null, array or object");
        }
    }

    /** Of a node with enum or const the converter reads nothing else. */
    void check_values(const Node& schema) {
        if (schema.at("enum").absent() && schema.at("const").absent()) return;
        for (const char* name : {"pattern", "format", "minLength", "maxLength", "minimum", "maximum", "exclusiveMinimum",
                                 "exclusiveMaximum", "minItems", "maxItems"}) {
            if (!schema.at(name).absent()) lost_.insert(name);
        }
    }

    /** The converter reads nothing beside a $ref, a oneOf or an anyOf, and no allOf beside properties. */
    void check_alternatives(const Node& schema) {
        for (const char* name : {"$ref", "oneOf", "anyOf"}) {
            if (schema.at(name).absent()) continue;
            for (const char* other : shapes) {
                if (!schema.at(other).absent())
                    refuse(schema.at(other), other, fmt::format("can't be enforced by a grammar beside {}", name));
            }
            return;
        }
        const bool object = !schema.at("properties").absent() || schema.at("additionalProperties").is_object();
        if (object && !schema.at("allOf").absent())
            refuse(schema.at("allOf"), "allOf", "can't be enforced by a grammar beside properties");
        for (const Node& part : parts(schema.at("allOf"))) {
            for (const char* name : {"items", "prefixItems", "oneOf", "allOf", "const"}) {
                if (!part.at(name).absent()) refuse(part.at(name), name, "can't be enforced by a grammar inside allOf");
            }
        }
    }

    /** Whether strings are held to a pattern. What can't be read the engine refuses. */
    bool check_pattern(const Json& pattern) {
        if (!pattern.is_string()) return false;
        const auto translated = engine::json_pattern(pattern.get_ref<const std::string&>());
        if (!translated || *translated) return true;
        lost_.insert("pattern");
        return false;
    }

    void check_strings(const Node& schema) {
        const bool shaped = check_pattern(schema.at("pattern").json());
        const bool formatted = !schema.at("format").absent();
        if (formatted && (shaped || !among(formats, schema.at("format").json()))) lost_.insert("format");
        for (const char* name : {"minLength", "maxLength"}) {
            const bool read =
                !shaped && schema.at("type").json() == "string" && !(formatted && among(formats, schema.at("format").json()));
            if (!schema.at(name).absent() && !read) lost_.insert(name);
        }
    }

    void check_numbers(const Node& schema) {
        for (const char* name : bounds) {
            if (!schema.at(name).absent() && schema.at("type").json() != "integer") lost_.insert(name);
        }
        for (const auto& [inclusive, exclusive] :
             {std::pair("minimum", "exclusiveMinimum"), std::pair("maximum", "exclusiveMaximum")}) {
            if (!schema.at(inclusive).absent() && !schema.at(exclusive).absent()) lost_.insert(exclusive);
        }
    }

    void check_items(const Node& schema) {
        const Node items = schema.at("items");
        const Node prefix = schema.at("prefixItems");
        const bool ends = items.json() == false && prefix.is_array();  // as the converter's do anyway
        if (!items.absent() && !prefix.absent() && !ends)
            refuse(prefix, "prefixItems", "can't be enforced by a grammar beside items");
        for (const char* name : {"minItems", "maxItems"}) {
            if (!schema.at(name).absent() && !items.is_object()) lost_.insert(name);
        }
    }

    /** The converter requires of an object only what its properties describe. */
    void check_required(const Node& schema) {
        if (!schema.at("required").is_array()) return;
        for (const Json& name : schema.at("required").json()) {
            const Json& properties = schema.at("properties").json();
            const bool described =
                name.is_string() && properties.is_object() && properties.contains(name.get_ref<const std::string&>());
            if (!described) lost_.insert("required");
        }
    }

    void descend(const Node& schema) {
        for (const char* name : {"properties", "$defs", "definitions"}) {
            if (!schema.at(name).is_object()) continue;
            for (const auto& [key, value] : schema.at(name).members()) read_part(value);
        }
        for (const char* name : {"anyOf", "oneOf", "allOf", "prefixItems", "items"})
            for (const Node& part : parts(schema.at(name))) read_part(part);
        if (schema.at("prefixItems").absent()) read_part(schema.at("items"));
        read(schema.at("additionalProperties"));
    }

    static std::vector<Node> parts(const Node& list) { return list.is_array() ? list.items() : std::vector<Node>(); }

    bool refuses_;
    std::set<std::string> lost_;
    std::set<const Json*> seen_;
    std::set<std::string> known_;          ///< all references so far
    std::vector<std::string> references_;  ///< that are to be followed: not at once, for a long chain of them
};

std::vector<std::string> read(const Node& schema, bool refuses) {
    Reader reader(refuses);
    reader.read_all(schema);
    return reader.lost();
}

}  // namespace

std::vector<std::string> unenforced_keywords(const Node& schema) { return read(schema, true); }

std::vector<std::string> lost_keywords(const Node& schema) { return read(schema, false); }

}  // namespace hlg::api
