// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

namespace hlg::engine {

/** Tokens drawn, and where on the curve they lay; those drawn without a curve lie nowhere. */
struct DrawTally {
    double seconds = 0.0;      ///< in the sampler: edits, grammar and draw
    std::size_t shoulder = 0;  ///< drawn tokens
    std::size_t mid = 0;
    std::size_t toe = 0;

    DrawTally& operator+=(const DrawTally& more) noexcept {
        seconds += more.seconds;
        shoulder += more.shoulder;
        mid += more.mid;
        toe += more.toe;
        return *this;
    }
};

/** What an engine has done so far. */
struct Tally {
    std::size_t prompt_tokens = 0;  ///< computed
    std::size_t reused_tokens = 0;  ///< found in a lane instead
    std::size_t generated_tokens = 0;
    std::size_t decodes = 0;
    double decode_seconds = 0.0;  ///< in llama_decode
    double step_seconds = 0.0;    ///< in steps that decoded, that included
    DrawTally draws;
};

}  // namespace hlg::engine
