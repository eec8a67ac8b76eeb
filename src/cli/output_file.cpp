// SPDX-License-Identifier: MIT
#include "cli/output_file.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <stdexcept>

#include <fmt/core.h>

#include "cli/command.hpp"

namespace hlg::cli {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void cannot_write(const std::string& path) {
    throw UsageError(fmt::format("can't write {}: {}", path, std::strerror(errno)));
}

[[noreturn]] void gave_up(const std::string& path) {
    throw std::runtime_error(fmt::format("writing {} failed: {}", path, std::strerror(errno)));
}

/** False with errno set when not every byte went out. */
bool write_all(int descriptor, std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t count = write(descriptor, bytes.data(), bytes.size());
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) return false;
        bytes.remove_prefix(static_cast<std::size_t>(count));
    }
    return true;
}

// Past stdio, which would take a Ctrl-C in the middle of a write for an error.
void write_stdout(std::string_view bytes) {
    if (write_all(STDOUT_FILENO, bytes)) return;
    if (errno == EPIPE) throw ReaderGone();
    gave_up("stdout");
}

/** Pipes, terminals, /dev/null: nothing to rename into. */
void write_device(const std::string& path, std::string_view bytes) {
    std::FILE* file = std::fopen(path.c_str(), "wb");
    if (file == nullptr) cannot_write(path);
    const bool written = write_all(fileno(file), bytes);
    const int why = errno;
    const bool closed = std::fclose(file) == 0;
    if (!written) errno = why;
    if (!written || !closed) gave_up(path);
}

/** A file's usual permissions: mkstemp's are for its owner alone. */
mode_t usual_mode() {
    const mode_t mask = umask(0);
    umask(mask);
    return 0666 & ~mask;
}

/** Ends without a trace of what was begun; errno says why. */
[[noreturn]] void abandon(const std::string& begun, const std::string& path) {
    const int why = errno;
    unlink(begun.c_str());
    errno = why;
    gave_up(path);
}

void write_beside_and_rename(const std::string& path, std::string_view bytes) {
    std::string beside = path + ".XXXXXX";
    const int descriptor = mkstemp(beside.data());
    if (descriptor < 0) cannot_write(path);
    if (!write_all(descriptor, bytes) || fchmod(descriptor, usual_mode()) != 0) {
        const int why = errno;
        close(descriptor);
        errno = why;
        abandon(beside, path);
    }
    if (close(descriptor) != 0 || std::rename(beside.c_str(), path.c_str()) != 0) abandon(beside, path);
}

}  // namespace

void write_file(const std::string& path, std::string_view bytes) {
    if (path == "-") return write_stdout(bytes);
    std::error_code unknown;
    if (fs::is_directory(path, unknown)) throw UsageError(fmt::format("can't write {}: it is a folder", path));
    const bool there = fs::exists(path, unknown);
    if (there && !fs::is_regular_file(path, unknown)) return write_device(path, bytes);
    // A link's target is replaced, not the link.
    const fs::path place = there ? fs::canonical(path, unknown) : fs::path();
    write_beside_and_rename(place.empty() ? path : place.string(), bytes);
}

}  // namespace hlg::cli
