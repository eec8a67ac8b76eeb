// SPDX-License-Identifier: MIT
//
// What a target says when a rule does not hold: libFuzzer keeps the input of a process that aborts.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace hlg::fuzz {

/** Ends the process unless the rule holds; `detail` is what broke it. */
inline void require(bool holds, const char* rule, std::string_view detail = {}) {
    if (holds) return;
    std::fprintf(stderr, "rule broken: %s: %.*s\n", rule, static_cast<int>(detail.size()), detail.data());
    std::abort();
}

}  // namespace hlg::fuzz
