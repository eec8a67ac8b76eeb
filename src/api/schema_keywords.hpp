// SPDX-License-Identifier: MIT
//
// What of a JSON schema a grammar can enforce. Assertions that it can't are told; those without which the answer would have
// another structure are refused.
#pragma once

#include <string>
#include <vector>

#include "api/json_reader.hpp"

namespace hlg::api {

/** Keywords of the schema that are not enforced, each once, in alphabetical order. Throws for what changes structure. */
[[nodiscard]] std::vector<std::string> unenforced_keywords(const Node& schema);

/** The same for a schema that only advises, such as a tool's that is not strict: all are told, and only unknown types are
 * refused. */
[[nodiscard]] std::vector<std::string> lost_keywords(const Node& schema);

}  // namespace hlg::api
