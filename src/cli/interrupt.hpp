// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>

namespace hlg::cli {

/** From now on the first Ctrl-C (or SIGTERM) raises the flag that this returns; a second one ends the program as usual. */
const std::atomic<bool>& watch_interrupt();

}  // namespace hlg::cli
