// SPDX-License-Identifier: MIT
//
// A schema in the words that llama-common's converter knows.
#pragma once

#include <string>

namespace hlg::engine {

/**
 * The same schema, JSON that has passed check_schema, as the converter understands it:
 * - patterns are translated (json_pattern.hpp), and those that are beyond a grammar are gone;
 * - "items": false beside prefixItems is gone: the converter's arrays end behind the prefix anyway;
 * - a $ref to the whole schema, "#", leads to a definition that holds it: the converter knows "#/..." alone.
 */
[[nodiscard]] std::string converter_schema(const std::string& schema);

}  // namespace hlg::engine
