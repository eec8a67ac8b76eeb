// SPDX-License-Identifier: MIT
#include "cli/line_reader.hpp"

#include <poll.h>
#include <unistd.h>

#include <array>
#include <cerrno>

namespace hlg::cli {
namespace {

constexpr std::size_t most_of_a_line = 4095;  // Linux's N_TTY_BUF_SIZE, less the newline

}  // namespace

/** False when interrupted. */
bool LineReader::wait() const {
    std::array<pollfd, 2> waiting{pollfd{descriptor_, POLLIN, 0}, pollfd{interrupt_, POLLIN, 0}};
    while (poll(waiting.data(), waiting.size(), -1) < 0 && errno == EINTR) {
    }
    return (waiting[1].revents & POLLIN) == 0;
}

LineReader::Got LineReader::read(std::string& line) {
    for (;;) {
        if (const std::size_t end = buffer_.find('\n'); end != std::string::npos) {
            line = buffer_.substr(0, end);
            buffer_.erase(0, end + 1);
            return line.size() == most_of_a_line && isatty(descriptor_) == 1 ? Got::cut : Got::line;
        }
        if (ended_) return Got::end;
        if (!wait()) {
            buffer_.clear();
            return Got::interrupted;
        }
        char bytes[4096];
        const ssize_t count = ::read(descriptor_, bytes, sizeof bytes);
        if (count > 0) {
            buffer_.append(bytes, static_cast<std::size_t>(count));
        } else if (count == 0 || errno != EINTR) {
            ended_ = true;
            if (!buffer_.empty()) buffer_ += '\n';  // a last line without one
        }
    }
}

}  // namespace hlg::cli
