// SPDX-License-Identifier: MIT
#include "eval/capability/call_filter.hpp"

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <sys/syscall.h>

namespace hlg::eval::capability {
namespace {

#if defined(__x86_64__)
constexpr std::uint32_t architecture = AUDIT_ARCH_X86_64;
constexpr std::uint32_t calls_end = 0x40000000;  // from here on: x32's, which would evade the numbers below
#elif defined(__aarch64__)
constexpr std::uint32_t architecture = AUDIT_ARCH_AARCH64;
constexpr std::uint32_t calls_end = 0x40000000;
#else
constexpr std::uint32_t architecture = 0;
constexpr std::uint32_t calls_end = 0;
#endif

using Filter = std::vector<sock_filter>;

void load(Filter& filter, std::size_t offset) {
    filter.push_back(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, static_cast<std::uint32_t>(offset)));
}

void answer(Filter& filter, std::uint32_t what) { filter.push_back(BPF_STMT(BPF_RET | BPF_K, what)); }

/** The call fails with that error. */
void refuse(Filter& filter, long call, std::uint32_t error) {
    filter.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<std::uint32_t>(call), 0, 1));
    answer(filter, SECCOMP_RET_ERRNO | error);
}

}  // namespace

std::string one_process_filter() {
    if (architecture == 0) return {};
    Filter filter;
    load(filter, offsetof(seccomp_data, arch));
    filter.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, architecture, 1, 0));
    answer(filter, SECCOMP_RET_KILL_PROCESS);
    load(filter, offsetof(seccomp_data, nr));
    filter.push_back(BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, calls_end, 0, 1));
    answer(filter, SECCOMP_RET_KILL_PROCESS);
#ifdef SYS_fork
    refuse(filter, SYS_fork, EPERM);
    refuse(filter, SYS_vfork, EPERM);
#endif
    // clone3's flags lie behind a pointer; the C library takes clone where it is not there.
    refuse(filter, SYS_clone3, ENOSYS);
    for (const long call : {SYS_unshare, SYS_setns, SYS_ptrace, SYS_mount}) refuse(filter, call, EPERM);
    filter.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<std::uint32_t>(SYS_clone), 0, 3));
    load(filter, offsetof(seccomp_data, args));
    filter.push_back(BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, CLONE_THREAD, 1, 0));
    answer(filter, SECCOMP_RET_ERRNO | EPERM);
    answer(filter, SECCOMP_RET_ALLOW);
    return {reinterpret_cast<const char*>(filter.data()), filter.size() * sizeof(sock_filter)};
}

}  // namespace hlg::eval::capability
