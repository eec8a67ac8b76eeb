// SPDX-License-Identifier: MIT
#include "eval/capability/process.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <stdexcept>

#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace hlg::eval::capability {
namespace {

constexpr std::size_t kept_bytes = 4096;
constexpr int first_free = 64;  // above all descriptors that a child is given

[[noreturn]] void fail(const std::string& what) { throw std::runtime_error(what + ": " + std::strerror(errno)); }

/** The descriptor under a number that no child's own descriptors reach, so that putting those in place overwrites none. */
Descriptor moved_up(int number) {
    const Descriptor low(number);
    const int high = fcntl(number, F_DUPFD_CLOEXEC, first_free);
    if (high < 0) fail("can't duplicate a descriptor");
    return Descriptor(high);
}

struct Pipe {
    Descriptor read;
    Descriptor write;
};

Pipe make_pipe() {
    std::array<int, 2> ends{};
    if (pipe2(ends.data(), O_CLOEXEC) != 0) fail("can't make a pipe");
    Descriptor write = moved_up(ends[1]);
    return {.read = moved_up(ends[0]), .write = std::move(write)};
}

void limit(__rlimit_resource resource, rlim_t most) {
    const rlimit both{.rlim_cur = most, .rlim_max = most};
    if (setrlimit(resource, &both) != 0) _exit(127);
}

/** What the child does; only calls that are safe between fork and exec in a process with threads. */
[[noreturn]] void become(const std::vector<char*>& words, const std::vector<int>& descriptors, const ProcessLimits& limits) {
    for (std::size_t i = 0; i < descriptors.size(); ++i)
        if (dup2(descriptors[i], static_cast<int>(i)) < 0) _exit(127);
    constexpr rlim_t largest_file = rlim_t{16} << 20U;
    constexpr rlim_t most_files = 256;
    limit(RLIMIT_CORE, 0);
    limit(RLIMIT_CPU, limits.seconds);
    limit(RLIMIT_FSIZE, largest_file);
    limit(RLIMIT_NOFILE, most_files);
    if (limits.bytes > 0) limit(RLIMIT_AS, limits.bytes);
    std::signal(SIGPIPE, SIG_DFL);
    execv(words.front(), words.data());
    _exit(127);
}

/** Takes what there is, keeps the end of it; false = nothing comes any more. */
bool take(int descriptor, std::string& kept) {
    std::array<char, 4096> part{};
    const ssize_t got = read(descriptor, part.data(), part.size());
    if (got < 0 && errno == EINTR) return true;
    if (got <= 0) return false;
    kept.append(part.data(), static_cast<std::size_t>(got));
    if (kept.size() > kept_bytes) kept.erase(0, kept.size() - kept_bytes);
    return true;
}

/** Reads both pipes until they end; false = the deadline came first. */
bool read_until(std::chrono::steady_clock::time_point deadline, int output, int errors, ProcessEnd& end) {
    std::array<pollfd, 2> waiting{
        {{.fd = output, .events = POLLIN, .revents = 0}, {.fd = errors, .events = POLLIN, .revents = 0}}};
    while (waiting[0].fd >= 0 || waiting[1].fd >= 0) {
        const auto left =
            std::chrono::duration_cast<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now()).count();
        if (left <= 0) return false;
        if (poll(waiting.data(), waiting.size(), static_cast<int>(left)) < 0 && errno != EINTR) fail("can't wait for a program");
        if (waiting[0].revents != 0 && !take(output, end.output)) waiting[0].fd = -1;
        if (waiting[1].revents != 0 && !take(errors, end.errors)) waiting[1].fd = -1;
    }
    return true;
}

}  // namespace

Descriptor::~Descriptor() {
    if (number_ >= 0) close(number_);
}

Descriptor& Descriptor::operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
}

Descriptor memory_file(const std::string& bytes) {
    const int made = memfd_create("hlg", MFD_CLOEXEC);
    if (made < 0) fail("can't make a file in memory");
    Descriptor file = moved_up(made);
    for (std::size_t at = 0; at < bytes.size();) {
        const ssize_t put = write(file.number(), bytes.data() + at, bytes.size() - at);
        if (put < 0) fail("can't write to memory");
        at += static_cast<std::size_t>(put);
    }
    if (lseek(file.number(), 0, SEEK_SET) != 0) fail("can't go back to a file's beginning");
    return file;
}

ProcessEnd run_process(const std::vector<std::string>& words, const std::vector<Descriptor>& files, const ProcessLimits& limits) {
    Pipe output = make_pipe();
    Pipe errors = make_pipe();
    const Descriptor nothing = memory_file("");
    std::vector<int> descriptors{nothing.number(), output.write.number(), errors.write.number()};
    descriptors.reserve(descriptors.size() + files.size());
    for (const Descriptor& file : files) descriptors.push_back(file.number());
    std::vector<char*> argv;
    argv.reserve(words.size() + 1);
    // execv takes pointers to words that it does not write to.
    for (const std::string& word : words)
        argv.push_back(const_cast<char*>(word.c_str()));  // NOLINT(cppcoreguidelines-pro-type-const-cast)
    argv.push_back(nullptr);
    const auto deadline = std::chrono::steady_clock::now() + limits.deadline;
    const pid_t child = fork();
    if (child < 0) fail("can't start a process");
    if (child == 0) become(argv, descriptors, limits);
    output.write = Descriptor();
    errors.write = Descriptor();
    ProcessEnd end;
    end.late = !read_until(deadline, output.read.number(), errors.read.number(), end);
    // A program that closed its output and lives on is over too.
    if (end.late) kill(child, SIGKILL);
    while (waitpid(child, &end.status, 0) < 0 && errno == EINTR) {
    }
    return end;
}

}  // namespace hlg::eval::capability
