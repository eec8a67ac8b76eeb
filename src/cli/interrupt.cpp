// SPDX-License-Identifier: MIT
#include "cli/interrupt.hpp"

#include <csignal>

namespace hlg::cli {
namespace {

std::atomic<bool> interrupted{false};  // a signal handler reaches nothing but globals
static_assert(std::atomic<bool>::is_always_lock_free, "signal handlers must not lock");

void on_signal(int /*signal*/) { interrupted.store(true, std::memory_order_relaxed); }

}  // namespace

const std::atomic<bool>& watch_interrupt() {
    struct sigaction action {};
    action.sa_handler = on_signal;
    action.sa_flags = SA_RESETHAND;  // no SA_RESTART: a read of the prompt from the keyboard ends, too
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, nullptr);
    sigaction(SIGTERM, &action, nullptr);
    return interrupted;
}

}  // namespace hlg::cli
