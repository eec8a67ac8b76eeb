// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>

#include "eval/progress.hpp"

namespace hlg::eval {

/** Calls work(i) for every i below n, on all cores, in any order. `progress` hears of it on the caller's thread several times a
    second; false there ends it with Stopped. The first exception of `work` is thrown again here. */
void parallel_for(std::size_t n, const std::function<void(std::size_t)>& work, const Progress& progress = {});

}  // namespace hlg::eval
