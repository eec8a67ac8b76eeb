// SPDX-License-Identifier: MIT
#include "cli/interrupt.hpp"

#include <sys/eventfd.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdint>

namespace hlg::cli {
namespace {

std::atomic<bool> interrupted{false};  // a signal handler reaches nothing but globals
std::atomic<int> descriptor{-1};
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<int>::is_always_lock_free, "signal handlers must not lock");

void on_signal(int /*signal*/) {
    const int kept = errno;
    interrupted.store(true, std::memory_order_relaxed);
    const std::uint64_t one = 1;
    [[maybe_unused]] const ssize_t written = write(descriptor.load(std::memory_order_relaxed), &one, sizeof one);
    errno = kept;
}

void watch(int signal) {
    struct sigaction action {};
    action.sa_handler = on_signal;
    action.sa_flags = SA_RESETHAND;  // no SA_RESTART: a read of the prompt from the keyboard ends, too
    sigemptyset(&action.sa_mask);
    sigaction(signal, &action, nullptr);
}

}  // namespace

const std::atomic<bool>& watch_interrupt() {
    if (descriptor < 0) descriptor = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    watch(SIGINT);
    watch(SIGTERM);
    return interrupted;
}

int interrupt_descriptor() { return descriptor; }

void rearm_interrupt() {
    interrupted = false;
    std::uint64_t ignored = 0;
    [[maybe_unused]] const ssize_t count = read(descriptor, &ignored, sizeof ignored);
    watch(SIGINT);
    std::signal(SIGTERM, SIG_DFL);
}

}  // namespace hlg::cli
