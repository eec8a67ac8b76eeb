// SPDX-License-Identifier: MIT
#include "cli/text_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <memory>
#include <optional>
#include <string_view>

#include <fmt/core.h>

#include "cli/command.hpp"
#include "engine/utf8.hpp"

namespace hlg::cli {
namespace {

std::string size_of(std::size_t bytes) {
    return bytes >> 20U > 0 ? fmt::format("{} MiB", bytes >> 20U) : fmt::format("{} bytes", bytes);
}

std::string read_all(int descriptor, const std::string& name, const std::string& what, std::size_t most) {
    std::string text;
    char buffer[4096];
    ssize_t count = 0;
    while ((count = read(descriptor, buffer, sizeof buffer)) > 0) {
        text.append(buffer, static_cast<std::size_t>(count));
        if (text.size() > most) throw UsageError(fmt::format("{} in {} is longer than {}", what, name, size_of(most)));
    }
    if (count < 0 && errno == EINTR) throw CommandError(exit_interrupted, "stopped while reading " + what);
    if (count < 0) throw UsageError(fmt::format("can't read {}: {}", name, std::strerror(errno)));
    return text;
}

}  // namespace

std::string read_text_file(const std::string& path, const std::string& what, std::size_t most) {
    if (path == "-") return checked_utf8(read_all(STDIN_FILENO, "stdin", what, most), what);
    const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) throw UsageError(fmt::format("can't read {}: {}", path, std::strerror(errno)));
    const std::unique_ptr<const int, void (*)(const int*)> closer(&descriptor, [](const int* open) { close(*open); });
    return checked_utf8(read_all(descriptor, path, what, most), what);
}

std::string checked_utf8(std::string text, const std::string& what) {
    const std::optional<std::size_t> bad = engine::first_invalid_utf8(text);
    if (!bad) return text;
    throw UsageError(
        fmt::format("{} is not UTF-8: byte 0x{:02X} at offset {}", what, static_cast<unsigned char>(text[*bad]), *bad));
}

}  // namespace hlg::cli
