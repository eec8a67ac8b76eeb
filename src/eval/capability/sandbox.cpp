// SPDX-License-Identifier: MIT
#include "eval/capability/sandbox.hpp"

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <random>
#include <vector>

#include <fmt/core.h>
#include <sys/wait.h>
#include <unistd.h>

#include "eval/capability/call_filter.hpp"
#include "eval/capability/process.hpp"
#include "eval/capability/unicode.hpp"

namespace hlg::eval::capability {
namespace {

namespace fs = std::filesystem;

// What a program could reach, by its own eyes: another process, a network, the user's files, the system's.
constexpr const char* look_around = R"(
import os
def shut(what, attempt):
    try:
        attempt()
    except OSError:
        return
    raise SystemExit(what + " is not shut")
def write(path):
    with open(path, "w") as file:
        file.write("x")
shut("another process", lambda: os._exit(0) if os.fork() == 0 else None)
shut("the folder of passwords", lambda: os.listdir("/etc"))
for home in ("/home", "/root"):
    shut(home, lambda: os.listdir(home))
for path in ("/x", "/usr/x", "/dev/shm/x"):
    shut(path, lambda: write(path))
write("/tmp/x")
with open("/proc/net/dev") as file:
    devices = [line.split(":")[0].strip() for line in file if ":" in line]
if devices != ["lo"]:
    raise SystemExit("the network is not shut")
if os.environ.get("HOME"):
    raise SystemExit("the environment is not shut")
)";

std::string find_program(const std::string& name) {
    const char* path = std::getenv("PATH");  // NOLINT(concurrency-mt-unsafe): nothing here writes it
    for (const std::string_view folder : split(path == nullptr ? "/usr/bin:/bin" : path, ":")) {
        const fs::path file = fs::path(folder) / name;
        if (access(file.c_str(), X_OK) == 0) return file.string();
    }
    throw SandboxError(fmt::format("{} is not there: install bubblewrap and python3", name));
}

/** Folders of the root that are parts of /usr on some systems and links into it on others. */
void add_root_folders(std::vector<std::string>& words) {
    for (const char* name : {"/bin", "/lib", "/lib64", "/sbin"}) {
        std::error_code error;
        if (fs::is_symlink(name, error)) {
            words.insert(words.end(), {"--symlink", fs::read_symlink(name, error).string(), name});
        } else if (fs::is_directory(name, error)) {
            words.insert(words.end(), {"--ro-bind", name, name});
        }
    }
}

std::vector<std::string> command(const std::string& bwrap) {
    std::vector<std::string> words{bwrap, "--unshare-user", "--unshare-all", "--uid", "65534", "--gid", "65534"};
    words.insert(words.end(),
                 {"--die-with-parent", "--new-session", "--cap-drop", "ALL", "--clearenv", "--setenv", "PATH", "/usr/bin:/bin"});
    words.insert(words.end(), {"--ro-bind", "/usr", "/usr"});
    add_root_folders(words);
    words.insert(words.end(),
                 {"--proc", "/proc", "--dev", "/dev", "--remount-ro", "/dev", "--size", "16777216", "--tmpfs", "/tmp"});
    words.insert(words.end(), {"--perms", "0444", "--ro-bind-data", "3", "/program.py", "--remount-ro", "/", "--chdir", "/tmp"});
    words.insert(words.end(), {"--seccomp", "4", "--", "python3", "-I", "-B", "/program.py"});
    return words;
}

/** A word that no program can know beforehand. */
std::string secret() {
    std::random_device device;
    return fmt::format("{:08x}{:08x}{:08x}", device(), device(), device());
}

std::string last_line(const std::string& text) {
    const std::string_view whole = stripped(text);
    const std::size_t end = whole.rfind('\n');
    return std::string(stripped(end == std::string_view::npos ? whole : whole.substr(end + 1)));
}

std::string why(const ProcessEnd& end, const SandboxLimits& limits) {
    if (end.late) return fmt::format("took longer than {} s", limits.seconds);
    if (std::string line = last_line(end.errors); !line.empty()) return line;
    constexpr int killed = 128;  // what bubblewrap adds to the signal that ended a program
    if (WIFEXITED(end.status) && (WEXITSTATUS(end.status) == killed + SIGXCPU || WEXITSTATUS(end.status) == killed + SIGKILL))
        return fmt::format("took longer than {} s of CPU", limits.seconds);
    return fmt::format("ended early, with status {}", WIFEXITED(end.status) ? WEXITSTATUS(end.status) : end.status);
}

}  // namespace

Sandbox::Sandbox(const SandboxLimits& limits) : limits_(limits), bwrap_(find_program("bwrap")) {
    if (one_process_filter().empty()) throw SandboxError("no filter of system calls is known for this processor");
    find_program("python3");
    const ProgramOutcome outcome = run(look_around);
    if (!outcome.passed) throw SandboxError(outcome.said);
}

ProgramOutcome Sandbox::run(const std::string& program) const {
    const std::string word = secret();
    // Not the exit code: a program that ends itself before its tests are over must not pass.
    const std::string whole = fmt::format("{}\n__import__('os').write(1, b'\\n{}')\n", program, word);
    std::vector<Descriptor> files;
    files.push_back(memory_file(whole));
    files.push_back(memory_file(one_process_filter()));
    const ProcessEnd end =
        run_process(command(bwrap_), files,
                    {.seconds = limits_.seconds, .bytes = limits_.bytes, .deadline = std::chrono::seconds(limits_.seconds)});
    if (!end.late && last_line(end.output) == word) return {.passed = true};
    return {.passed = false, .said = why(end, limits_)};
}

}  // namespace hlg::eval::capability
