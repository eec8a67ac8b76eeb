// SPDX-License-Identifier: MIT
//
// What a JSON schema may look like before llama-common turns it into a grammar. Its converter trusts the schema: some shapes make
// it run for hours or recurse until the stack ends, in less text than an honest schema has. Each limit below bounds one of them.
#pragma once

#include <cstddef>
#include <string_view>

#include "engine/result.hpp"

namespace hlg::engine {

/** Properties of one object, those that allOf brings included. */
inline constexpr std::size_t max_schema_properties = 256;

/** Values of one enum, alternatives of one anyOf, and any other array. */
inline constexpr std::size_t max_schema_alternatives = 4096;

/** Bytes of a property's name or a $ref: names go through std::regex, which recurses once a character. */
inline constexpr std::size_t max_schema_name = 256;

/** Work of the conversion, subschemas: some 10 us each. A schema with a list of k types is converted k times, and so is
   everything below it; n optional properties of one object take as long as n^3 / 4096 subschemas. */
inline constexpr std::size_t max_schema_work = 60'000;

/** Levels that conversion may descend in all: the schema's own depth and that of everything that a $ref leads to. */
inline constexpr std::size_t max_schema_descent = 2048;

/** Nodes copied: each $ref copies the whole schema once, each pattern all rules so far. */
inline constexpr std::size_t max_schema_copies = 4'000'000;

/** Refuses a schema that is no JSON, or over one of these limits, or has a $ref that leads nowhere, outwards or in a circle of
    nothing but $refs. Calls check_json first. `name` is what errors call it; `work` adds up where several schemas are converted.
 */
[[nodiscard]] Failure check_schema(std::string_view text, std::string_view name, std::size_t& work);
[[nodiscard]] Failure check_schema(std::string_view text, std::string_view name);

}  // namespace hlg::engine
