// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

namespace hlg::engine {

/** What an engine has done so far. */
struct Tally {
    std::size_t prompt_tokens = 0;  ///< computed
    std::size_t reused_tokens = 0;  ///< found in a lane instead
    std::size_t generated_tokens = 0;
    std::size_t decodes = 0;
    double decode_seconds = 0.0;  ///< in llama_decode
    double step_seconds = 0.0;    ///< in steps that decoded, that included
};

}  // namespace hlg::engine
