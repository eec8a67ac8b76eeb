// SPDX-License-Identifier: MIT
//
// What a JSON text of a request may look like before any library parses it. Parsers, and what walks their trees, recurse: a text
// of a few kilobytes, nested deep enough, ends a process by exhausting its stack.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "engine/result.hpp"

namespace hlg::engine {

/** Arrays and objects inside one another. Real schemas and messages stay below 20. */
inline constexpr std::size_t max_json_depth = 64;

/** A schema, or all tools of a request, bytes. */
inline constexpr std::size_t max_schema_bytes = std::size_t{256} << 10U;

/** All messages of a request, bytes: a million tokens of text, and room for escapes. */
inline constexpr std::size_t max_messages_bytes = std::size_t{16} << 20U;

/** Refuses a text that is too long, nested too deep, or not UTF-8. Whether it is JSON is for the parser to say. `name` is what
    the error calls it. One pass, no recursion, no allocation. */
[[nodiscard]] Failure check_json(std::string_view text, std::string_view name, std::size_t max_bytes = max_schema_bytes);

/** The same for a string in a JSON text that a library may take for JSON itself: what is not JSON may be as deep as it likes. */
[[nodiscard]] Failure check_embedded_json(std::string_view text, std::string_view name);

/** An error of the request: "NAME VERB VALUE, the limit is LIMIT". */
[[nodiscard]] Error over_limit(std::string_view name, std::string_view verb, std::size_t value, std::size_t limit);

/** A library's message as one line of at most 300 bytes: what stands behind its last "Error:", without doubled blanks. */
[[nodiscard]] std::string one_line(std::string_view message);

}  // namespace hlg::engine
