// SPDX-License-Identifier: MIT
//
// The patterns of a whole schema, ready for llama-common's converter.
#pragma once

#include <string>

namespace hlg::engine {

/** A schema, JSON that has passed check_schema, with all its patterns translated, and without those that are beyond a grammar. */
[[nodiscard]] std::string with_json_patterns(const std::string& schema);

}  // namespace hlg::engine
