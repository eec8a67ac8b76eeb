// SPDX-License-Identifier: MIT
//
// Programs that a model wrote, run where they can do no harm: bubblewrap gives them namespaces of their own with nothing in them
// but /usr, read-only, and a small /tmp; no network, no home, no other process; limits bound time and memory, and a filter of
// system calls keeps them to one process. Where all that can't be had, nothing is run.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>

namespace hlg::eval::capability {

/** Why nothing can be run here. */
class SandboxError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

struct SandboxLimits {
    std::size_t seconds = 10;                      ///< of CPU, and of time
    std::size_t bytes = std::size_t{1024} << 20U;  ///< of address space
};

/** What became of a program. */
struct ProgramOutcome {
    bool passed = false;    ///< it ran to its end
    std::string said = {};  ///< why not, one line: the last of its stderr, or that it took too long
};

class Sandbox {
public:
    /** Looks for bubblewrap and Python, and has a program see for itself what it could reach. Throws SandboxError: what is
        missing, or what is not shut. */
    explicit Sandbox(const SandboxLimits& limits);

    /** Runs a Python program; its output is lost. Threads may call it at once. Throws std::runtime_error where this process can't
        start another one. */
    [[nodiscard]] ProgramOutcome run(const std::string& program) const;

private:
    SandboxLimits limits_;
    std::string bwrap_;
};

}  // namespace hlg::eval::capability
