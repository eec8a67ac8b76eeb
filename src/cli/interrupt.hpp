// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>

namespace hlg::cli {

/** From now on the first Ctrl-C (or SIGTERM) raises the flag that this returns; a second one ends the program as usual. */
const std::atomic<bool>& watch_interrupt();

/** A descriptor to poll beside others: it can be read while the flag is up. Made by watch_interrupt(). */
int interrupt_descriptor();

/** Lowers the flag again; the next Ctrl-C raises it once more. For a program that goes on after one; SIGTERM then ends it. */
void rearm_interrupt();

}  // namespace hlg::cli
