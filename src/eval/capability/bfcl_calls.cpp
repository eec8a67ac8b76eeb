// SPDX-License-Identifier: MIT
#include "eval/capability/bfcl_calls.hpp"

#include <algorithm>
#include <map>
#include <optional>

#include "eval/capability/unicode.hpp"

namespace hlg::eval::capability {
namespace {

using nlohmann::json;

std::string type_of(const json& schema) {
    const auto found = schema.find("type");
    return found != schema.end() && found->is_string() ? found->get<std::string>() : "any";
}

/** A schema in JSON Schema's own words. */
json standard_schema(const json& schema) {
    static const std::map<std::string, std::string> types{{"dict", "object"}, {"float", "number"},  {"double", "number"},
                                                          {"tuple", "array"}, {"list", "array"},    {"bool", "boolean"},
                                                          {"int", "integer"}, {"String", "string"}, {"any", ""}};
    if (!schema.is_object()) return schema;
    json made = schema;
    made.erase("optional");  // no word of JSON Schema; what may be left out is what "required" does not name
    if (const auto known = types.find(type_of(schema)); known != types.end()) {
        made.erase("type");
        if (!known->second.empty()) made["type"] = known->second;
    }
    if (made.contains("items")) made["items"] = standard_schema(made["items"]);
    if (made.contains("properties"))
        for (json& property : made["properties"]) property = standard_schema(property);
    return made;
}

std::string plain(const std::string& text) {
    std::string made = lower_case(text);
    std::erase_if(made, [](char byte) { return std::string_view(" ,./-_*^").find(byte) != std::string_view::npos; });
    std::replace(made.begin(), made.end(), '\'', '"');
    return made;
}

bool empty_text(const json& value) { return value.is_string() && value.get_ref<const std::string&>().empty(); }

bool left_out_allowed(const json& options) { return std::any_of(options.begin(), options.end(), empty_text); }

bool matches_any(const json& value, const json& options);

/** An object whose members each have options of their own. */
bool object_matches(const json& value, const json& option) {
    for (const auto& [key, member] : value.items()) {
        const auto allowed = option.find(key);
        if (allowed == option.end() || !(member == *allowed || (allowed->is_array() && matches_any(member, *allowed))))
            return false;
    }
    for (const auto& [key, allowed] : option.items())
        if (!value.contains(key) && !(allowed.is_array() && left_out_allowed(allowed))) return false;
    return true;
}

bool matches(const json& value, const json& option) {
    if (value.is_string() && option.is_string()) return plain(value.get<std::string>()) == plain(option.get<std::string>());
    if (value.is_object() && option.is_object()) return object_matches(value, option);
    if (value.is_array() && option.is_array())
        return std::equal(value.begin(), value.end(), option.begin(), option.end(),
                          [](const json& one, const json& other) { return matches(one, other); });
    return value == option;  // numbers by value: 5 is 5.0; true is no number
}

bool matches_any(const json& value, const json& options) {
    return std::any_of(options.begin(), options.end(), [&](const json& option) { return matches(value, option); });
}

/** Whether the value is of the type that the function's description asks for. */
bool has_type(const json& value, const json& schema) {
    const std::string type = type_of(schema);
    if (type == "integer" || type == "int") return value.is_number_integer();
    if (type == "float" || type == "double" || type == "number") return value.is_number();
    if (type == "boolean" || type == "bool") return value.is_boolean();
    if (type == "string" || type == "String") return value.is_string();
    if (type == "dict" || type == "object") return value.is_object();
    if (type != "array" && type != "tuple" && type != "list") return true;
    const auto items = schema.find("items");
    return value.is_array() && (items == schema.end() || !items->is_object() ||
                                std::all_of(value.begin(), value.end(), [&](const json& one) { return has_type(one, *items); }));
}

/** Some answers of the data are of another type than the description's: those are right too. */
bool type_allowed(const json& value, const json& schema, const json& options) {
    return has_type(value, schema) || std::any_of(options.begin(), options.end(), [&](const json& one) {
               return !empty_text(one) && one.type_name() == std::string_view(value.type_name()) && !has_type(one, schema);
           });
}

const json* described(const json& functions, const std::string& name) {
    for (const json& function : functions)
        if (callable_name(function.value("name", "")) == name) return &function;
    return nullptr;
}

bool arguments_match(const json& arguments, const json& parameters, const json& expected) {
    const json properties = parameters.value("properties", json::object());
    for (const json& required : parameters.value("required", json::array()))
        if (required.is_string() && !arguments.contains(required.get<std::string>())) return false;
    for (const auto& [key, value] : arguments.items()) {
        const auto schema = properties.find(key);
        const auto options = expected.find(key);
        if (schema == properties.end() || options == expected.end()) return false;
        if (!type_allowed(value, *schema, *options) || !matches_any(value, *options)) return false;
    }
    for (const auto& [key, options] : expected.items())
        if (!arguments.contains(key) && !left_out_allowed(options)) return false;
    return true;
}

/** Whether the call is this one of those expected: {FUNCTION: {PARAMETER: [values]}}. */
bool call_matches(const Call& call, const json& functions, const json& expected) {
    const std::string name = callable_name(expected.begin().key());
    const json* function = described(functions, name);
    if (callable_name(call.function) != name || function == nullptr) return false;
    const json arguments = json::parse(call.arguments.empty() ? "{}" : call.arguments, nullptr, false);
    return arguments.is_object() &&
           arguments_match(arguments, function->value("parameters", json::object()), expected.begin().value());
}

/** A one-to-one assignment, found by augmenting paths: which call answers which expectation is for us to find, not for the model
   to guess. */
class Assignment {
public:
    explicit Assignment(std::vector<std::vector<bool>> fits) : fits_(std::move(fits)), taken_by_(fits_.size()) {}

    bool complete() {
        for (std::size_t i = 0; i < fits_.size(); ++i) {
            std::vector<bool> seen(fits_.size());
            if (!place(i, seen)) return false;
        }
        return true;
    }

private:
    bool place(std::size_t call, std::vector<bool>& seen) {
        for (std::size_t i = 0; i < fits_.size(); ++i) {
            if (!fits_[call][i] || seen[i]) continue;
            seen[i] = true;
            if (taken_by_[i] && !place(*taken_by_[i], seen)) continue;
            taken_by_[i] = call;
            return true;
        }
        return false;
    }

    std::vector<std::vector<bool>> fits_;  ///< [call][expected]
    std::vector<std::optional<std::size_t>> taken_by_;
};

}  // namespace

std::string callable_name(std::string name) {
    std::replace(name.begin(), name.end(), '.', '_');
    return name;
}

std::string tools_of(const json& functions) {
    json tools = json::array();
    for (const json& function : functions) {
        json described{{"name", callable_name(function.value("name", ""))},
                       {"description", function.value("description", "")},
                       {"parameters", standard_schema(function.value("parameters", json::object()))}};
        tools.push_back({{"type", "function"}, {"function", std::move(described)}});
    }
    return tools.dump();
}

bool calls_match(const std::vector<Call>& calls, const json& functions, const json& expected) {
    if (calls.size() != expected.size()) return false;
    std::vector<std::vector<bool>> fits;
    for (const Call& call : calls) {
        fits.emplace_back();
        for (const json& one : expected) fits.back().push_back(call_matches(call, functions, one));
    }
    return Assignment(std::move(fits)).complete();
}

}  // namespace hlg::eval::capability
