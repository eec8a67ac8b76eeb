// SPDX-License-Identifier: MIT
#include "cli/prompt.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

#include <fmt/core.h>

#include "cli/command.hpp"
#include "engine/utf8.hpp"

namespace hlg::cli {
namespace {

constexpr std::size_t most_bytes = std::size_t{64} << 20U;  // far beyond any context; keeps token counts in 32 bits

std::string read_all(int descriptor, const std::string& name) {
    std::string text;
    char buffer[4096];
    ssize_t count = 0;
    while ((count = read(descriptor, buffer, sizeof buffer)) > 0) {
        text.append(buffer, static_cast<std::size_t>(count));
        if (text.size() > most_bytes) throw UsageError(fmt::format("the prompt in {} is longer than 64 MiB", name));
    }
    if (count < 0 && errno == EINTR) throw CommandError(exit_interrupted, "stopped while reading the prompt");
    if (count < 0) throw UsageError(fmt::format("can't read {}: {}", name, std::strerror(errno)));
    if (!text.empty() && text.back() == '\n') text.pop_back();  // the one that echo and editors put there
    if (text.empty()) throw UsageError(fmt::format("the prompt in {} is empty; to start from nothing: --prompt ''", name));
    return text;
}

std::string read_stdin() {
    if (isatty(STDIN_FILENO) == 1) fmt::print(stderr, "hlg run: type the prompt, then Ctrl-D\n");
    return read_all(STDIN_FILENO, "stdin");
}

std::string read_file(const std::string& path) {
    const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) throw UsageError(fmt::format("can't read {}: {}", path, std::strerror(errno)));
    const std::unique_ptr<const int, void (*)(const int*)> closer(&descriptor, [](const int* open) { close(*open); });
    return read_all(descriptor, path);
}

/** A tokenizer would make something of any bytes, and the model would continue what nobody wrote. */
std::string checked(std::string text) {
    const std::optional<std::size_t> bad = engine::first_invalid_utf8(text);
    if (!bad) return text;
    throw UsageError(
        fmt::format("the prompt is not UTF-8: byte 0x{:02X} at offset {}", static_cast<unsigned char>(text[*bad]), *bad));
}

}  // namespace

void PromptOptions::add_to(Flags& flags) {
    flags.text("-p,--prompt", "TEXT", text_, "What to continue, UTF-8; '' where the model has a begin mark (read from stdin)");
    flags.text("-f,--file", "FILE", file_, "Read the prompt from here, less one final newline; - = stdin");
}

std::string PromptOptions::read() const {
    if (text_ && file_) throw UsageError("the prompt comes from --prompt or from --file, not from both");
    if (text_) return checked(*text_);
    return checked(on_stdin() ? read_stdin() : read_file(*file_));
}

}  // namespace hlg::cli
