// SPDX-License-Identifier: MIT
//
// Reading requests strictly. A Node is a value in a request together with its path, so that what is wrong with it can be said
// where it is found: every reader throws a Problem that names the path first and gives the range. Null counts as absent, integral
// floats are integers, numeric strings are not.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "api/problem.hpp"

namespace hlg::api {

/** Keeps the order of members: it matters in schemas, and makes replies readable. */
using Json = nlohmann::ordered_json;

/** The body of a request: an object. Bounded in depth and in members, so that nothing behind it has to be. Throws. */
[[nodiscard]] Json parse_body(const std::string& body);

/** The beginning of a text that came from outside, for a message: whole characters, 64 bytes at most, and then "...". */
[[nodiscard]] std::string shown(std::string_view text);

class Node {
public:
    /** A whole body; its members' paths are their names. The JSON must outlive all nodes of it. */
    explicit Node(const Json& body) : json_(&body) {}
    Node(const Json& json, std::string path) : json_(&json), path_(std::move(path)) {}

    [[nodiscard]] const Json& json() const noexcept { return *json_; }
    [[nodiscard]] const std::string& path() const noexcept { return path_; }

    [[nodiscard]] bool absent() const noexcept;
    [[nodiscard]] bool is_string() const noexcept;
    [[nodiscard]] bool is_array() const noexcept;
    [[nodiscard]] bool is_object() const noexcept;
    [[nodiscard]] bool is_integer() const noexcept;

    /** A member of an object; absent where there is none. The path has the beginning of a name that is long. */
    [[nodiscard]] Node at(std::string_view name) const;

    /** The elements of an array; none if absent. */
    [[nodiscard]] std::vector<Node> items() const;

    /** The members of an object that are not null, with their names; none if absent. */
    [[nodiscard]] std::vector<std::pair<std::string, Node>> members() const;

    // Nothing if absent.
    [[nodiscard]] std::optional<bool> boolean() const;
    [[nodiscard]] std::optional<double> number() const;
    [[nodiscard]] std::optional<double> number(double low, double high) const;
    [[nodiscard]] std::optional<std::string> text() const;

    /** `range` says it in words where the bounds alone do not. */
    [[nodiscard]] std::optional<std::int64_t> integer(std::int64_t low, std::int64_t high, std::string_view range = {}) const;

    /** One of these words. */
    [[nodiscard]] std::optional<std::string> word(std::initializer_list<std::string_view> words) const;

    /** Absent or an object, an array. */
    const Node& object() const;
    const Node& array() const;

    /** Throws "PATH WHAT, got VALUE". */
    [[noreturn]] void refuse(std::string_view what) const;

    /** Throws "PATH is required". */
    [[noreturn]] void miss() const;

private:
    const Json* json_;
    std::string path_;
};

}  // namespace hlg::api
