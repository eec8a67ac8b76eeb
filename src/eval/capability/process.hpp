// SPDX-License-Identifier: MIT
//
// A child process with limits, whose output is read until it ends or its time is over.
#pragma once

#include <chrono>
#include <string>
#include <vector>

namespace hlg::eval::capability {

/** A file descriptor that closes itself, and that no program started later has. */
class Descriptor {
public:
    explicit Descriptor(int number = -1) : number_(number) {}
    ~Descriptor();
    Descriptor(Descriptor&& other) noexcept : number_(other.number_) { other.number_ = -1; }
    Descriptor& operator=(Descriptor&& other) noexcept;
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;

    [[nodiscard]] int number() const noexcept { return number_; }

private:
    int number_;
};

/** A file in memory with these bytes, read from its beginning. Throws std::runtime_error. */
Descriptor memory_file(const std::string& bytes);

struct ProcessLimits {
    std::size_t seconds = 10;  ///< of CPU; the time that passes is bounded by `deadline`
    std::size_t bytes = 0;     ///< of address space
    std::chrono::seconds deadline{10};
};

struct ProcessEnd {
    int status = 0;  ///< as waitpid tells it
    bool late = false;
    std::string output = {};  ///< the last bytes of stdout
    std::string errors = {};  ///< the last bytes of stderr
};

/** Runs a program given by its path. `files` become its descriptors 3, 4, ...; stdin is empty. Killed at the deadline. Throws
    std::runtime_error if it can't be started. */
ProcessEnd run_process(const std::vector<std::string>& words, const std::vector<Descriptor>& files, const ProcessLimits& limits);

}  // namespace hlg::eval::capability
