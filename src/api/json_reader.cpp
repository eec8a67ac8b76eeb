// SPDX-License-Identifier: MIT
#include "api/json_reader.hpp"

#include <cmath>
#include <limits>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "engine/json_limits.hpp"
#include "engine/utf8.hpp"

namespace hlg::api {
namespace {

// An object that keeps its members' order looks through all of them to find one: building it takes the square of their number,
// in comparisons. This bounds their sum, at some tenths of a second; one object may have 11,000 members.
constexpr std::size_t most_comparisons = std::size_t{1} << 26U;

constexpr std::size_t shown_bytes = 64;  // of a value in a message

/** Watches a parser. */
class MemberLimit {
public:
    bool operator()(int /*depth*/, Json::parse_event_t event, const Json& /*parsed*/) {
        if (event == Json::parse_event_t::object_start) members_.push_back(0);
        if (event == Json::parse_event_t::object_end) members_.pop_back();
        if (event != Json::parse_event_t::key) return true;
        comparisons_ += members_.back()++;
        if (comparisons_ > most_comparisons) throw Problem{.message = "the body has objects with too many members"};
        return true;
    }

private:
    std::vector<std::size_t> members_;
    std::size_t comparisons_ = 0;
};

/** What a library says is wrong, without its own name. */
std::string plain(std::string_view what) {
    const std::size_t label = what.find("] ");
    return engine::one_line(label == std::string_view::npos ? what : what.substr(label + 2));
}

std::string_view kind_of(const Json& json) {
    if (json.is_object()) return "an object";
    if (json.is_array()) return "an array";
    return json.is_null() ? "null" : "a plain value";
}

/** A value as messages show it. */
std::string shown_value(const Json& json) {
    if (json.is_structured()) return std::string(kind_of(json));
    return json.is_string() ? Json(shown(json.get_ref<const std::string&>())).dump() : json.dump();
}

const Json& nothing() {
    static const Json null;
    return null;
}

/** The integer that a number is; nothing for fractions and for what 64 bits do not hold. */
std::optional<std::int64_t> integer_of(const Json& json) {
    constexpr double limit = 9223372036854775808.0;  // 2^63
    if (json.is_number_unsigned()) {
        const auto value = json.get<std::uint64_t>();
        if (value > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) return std::nullopt;
        return static_cast<std::int64_t>(value);
    }
    if (json.is_number_integer()) return json.get<std::int64_t>();
    if (!json.is_number_float()) return std::nullopt;
    const auto value = json.get<double>();
    // -2^63 itself is what the parser makes of the first integers below it.
    if (value != std::trunc(value) || value <= -limit || value >= limit) return std::nullopt;
    return static_cast<std::int64_t>(value);
}

}  // namespace

std::string shown(std::string_view text) {
    if (text.size() <= shown_bytes) return std::string(text);
    const std::string_view start = text.substr(0, shown_bytes);
    return std::string(start.substr(0, engine::first_invalid_utf8(start).value_or(shown_bytes))) + "...";
}

Json parse_body(const std::string& body) {
    if (const auto failure = engine::check_json(body, "the body", std::numeric_limits<std::size_t>::max()))
        throw Problem{.message = failure->message};
    Json json;
    try {
        MemberLimit limit;
        json = Json::parse(body,
                           [&limit](int depth, Json::parse_event_t event, Json& parsed) { return limit(depth, event, parsed); });
    } catch (const nlohmann::json::exception& error) {
        throw Problem{.message = "the body is not JSON: " + plain(error.what())};
    }
    if (!json.is_object()) throw Problem{.message = fmt::format("the body must be a JSON object, got {}", kind_of(json))};
    return json;
}

bool Node::absent() const noexcept { return json_->is_null(); }
bool Node::is_string() const noexcept { return json_->is_string(); }
bool Node::is_array() const noexcept { return json_->is_array(); }
bool Node::is_object() const noexcept { return json_->is_object(); }
bool Node::is_integer() const noexcept { return integer_of(*json_).has_value(); }

Node Node::at(std::string_view name) const {
    std::string path = path_.empty() ? shown(name) : fmt::format("{}.{}", path_, shown(name));
    if (!json_->is_object()) return {nothing(), std::move(path)};
    const auto found = json_->find(name);
    return {found == json_->end() ? nothing() : *found, std::move(path)};
}

std::vector<Node> Node::items() const {
    std::vector<Node> nodes;
    if (array().absent()) return nodes;
    nodes.reserve(json_->size());
    for (const Json& item : *json_) nodes.emplace_back(item, fmt::format("{}[{}]", path_, nodes.size()));
    return nodes;
}

std::vector<std::pair<std::string, Node>> Node::members() const {
    std::vector<std::pair<std::string, Node>> nodes;
    if (object().absent()) return nodes;
    for (const auto& [name, value] : json_->items())
        if (!value.is_null()) nodes.emplace_back(name, at(name));
    return nodes;
}

std::optional<bool> Node::boolean() const {
    if (absent()) return std::nullopt;
    if (!json_->is_boolean()) refuse("must be true or false");
    return json_->get<bool>();
}

std::optional<double> Node::number() const {
    if (absent()) return std::nullopt;
    if (!json_->is_number()) refuse("must be a number");
    return json_->get<double>();
}

std::optional<double> Node::number(double low, double high) const {
    if (absent()) return std::nullopt;
    const double value = json_->is_number() ? json_->get<double>() : std::numeric_limits<double>::quiet_NaN();
    if (!(value >= low && value <= high)) refuse(fmt::format("must be a number from {} to {}", low, high));
    return value;
}

std::optional<std::string> Node::text() const {
    if (absent()) return std::nullopt;
    if (!json_->is_string()) refuse("must be a string");
    return json_->get<std::string>();
}

std::optional<std::int64_t> Node::integer(std::int64_t low, std::int64_t high, std::string_view range) const {
    if (absent()) return std::nullopt;
    const std::optional<std::int64_t> value = integer_of(*json_);
    if (!value || *value < low || *value > high)
        refuse("must be an integer" + (range.empty() ? fmt::format(" from {} to {}", low, high) : fmt::format(", {}", range)));
    return value;
}

std::optional<std::string> Node::word(std::initializer_list<std::string_view> words) const {
    if (absent()) return std::nullopt;
    std::string known;
    for (const std::string_view one : words) {
        if (json_->is_string() && json_->get_ref<const std::string&>() == one) return std::string(one);
        known += fmt::format("{}{}", known.empty() ? "" : ", ", one);
    }
    refuse(fmt::format("must be {}{}", words.size() > 1 ? "one of " : "", known));
}

const Node& Node::object() const {
    if (!absent() && !is_object()) refuse("must be an object");
    return *this;
}

const Node& Node::array() const {
    if (!absent() && !is_array()) refuse("must be an array");
    return *this;
}

void Node::refuse(std::string_view what) const { throw bad_field(path_, fmt::format("{}, got {}", what, shown_value(*json_))); }

void Node::miss() const { throw bad_field(path_, "is required"); }

}  // namespace hlg::api
