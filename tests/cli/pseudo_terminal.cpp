// SPDX-License-Identifier: MIT
#include "cli/pseudo_terminal.hpp"

#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <stdexcept>

namespace hlg::cli {
namespace {

constexpr std::chrono::seconds patience(60);  // sanitizers on a busy machine

/** Bytes of the character that begins so. */
std::size_t length_of(char first) {
    const auto byte = static_cast<unsigned char>(first);
    return byte < 0x80U ? 1 : byte < 0xE0U ? 2 : byte < 0xF0U ? 3 : 4;
}

[[noreturn]] void become(const std::vector<std::string>& command, const std::vector<std::string>& environment) {
    setenv("TERM", "xterm", 1);
    for (const std::string& entry : environment) {
        const std::size_t equals = entry.find('=');
        setenv(entry.substr(0, equals).c_str(), entry.substr(equals + 1).c_str(), 1);
    }
    std::vector<char*> words;
    words.reserve(command.size() + 1);
    for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
    words.push_back(nullptr);
    execv(words.front(), words.data());
    _exit(127);
}

}  // namespace

void Screen::put(std::string_view bytes) {
    pending_ += bytes;
    std::size_t at = 0;
    while (at < pending_.size()) {
        if (pending_[at] != '\x1b') {
            const std::size_t length = length_of(pending_[at]);
            if (at + length > pending_.size()) break;
            put_character(pending_.substr(at, length));
            at += length;
            continue;
        }
        const std::size_t end = pending_.find_first_of("ABCDEFGHJKlhmST", at + 2);
        if (end == std::string::npos) break;
        obey(pending_.substr(at + 1, end - at - 1), pending_[end]);
        at = end + 1;
    }
    pending_.erase(0, at);
}

void Screen::put_character(const std::string& character) {
    if (character == "\r") {
        column_ = 0;
    } else if (character == "\n") {
        ++row_;
        if (row_ == lines_.size()) lines_.emplace_back();
    } else if (character == "\b") {
        column_ -= std::min<std::size_t>(column_, 1);
    } else if (static_cast<unsigned char>(character.front()) >= 0x20U) {
        if (column_ == columns_ && !wraps_) return;
        if (column_ == columns_) {
            column_ = 0;
            put_character("\n");
        }
        std::vector<std::string>& line = lines_[row_];
        if (line.size() <= column_) line.resize(column_ + 1, " ");
        line[column_++] = character;
    }
}

void Screen::obey(const std::string& parameters, char command) {
    const std::size_t count = parameters.size() > 1 ? std::strtoul(parameters.c_str() + 1, nullptr, 10) : 1;
    if (command == 'A') {
        row_ -= std::min(row_, count);
    } else if (command == 'K' || (command == 'J' && parameters == "[")) {
        lines_[row_].resize(std::min(lines_[row_].size(), column_));
        if (command == 'J') lines_.resize(row_ + 1);
    } else if (parameters == "[?7") {
        wraps_ = command == 'h';
    } else if (command != 'm') {
        unknown_ += parameters + command + ' ';
    }
}

std::string Screen::text() const {
    std::string all;
    for (const std::vector<std::string>& line : lines_) {
        std::string joined;
        for (const std::string& character : line) joined += character;
        joined.erase(joined.find_last_not_of(' ') + 1);
        all += joined + "\n";
    }
    return all;
}

std::size_t Screen::widest() const {
    std::size_t most = 0;
    for (const std::vector<std::string>& line : lines_) most = std::max(most, line.size());
    return most;
}

PseudoTerminal::PseudoTerminal(const std::vector<std::string>& command, const std::vector<std::string>& environment, int columns,
                               int lines)
    : screen_(columns) {
    winsize size{};
    size.ws_col = static_cast<unsigned short>(columns);
    size.ws_row = static_cast<unsigned short>(lines);
    child_ = forkpty(&descriptor_, nullptr, nullptr, &size);
    if (child_ < 0) throw std::runtime_error("no pseudo-terminal here");
    if (child_ == 0) become(command, environment);
}

PseudoTerminal::~PseudoTerminal() {
    if (child_ > 0) {
        kill(child_, SIGKILL);
        waitpid(child_, nullptr, 0);
    }
    close(descriptor_);
}

void PseudoTerminal::type(std::string_view keys) {
    since_ = bytes_.size();
    if (write(descriptor_, keys.data(), keys.size()) != static_cast<ssize_t>(keys.size())) throw std::runtime_error("can't type");
}

bool PseudoTerminal::shows(std::string_view text) {
    const auto end = std::chrono::steady_clock::now() + patience;
    bool open = true;
    while (bytes_.find(text, since_) == std::string::npos) {
        if (!open || std::chrono::steady_clock::now() > end) return false;
        open = read_some(100);
    }
    return true;
}

bool PseudoTerminal::read_some(int milliseconds) {
    pollfd waiting{descriptor_, POLLIN, 0};
    if (poll(&waiting, 1, milliseconds) <= 0) return true;
    char buffer[4096];
    const ssize_t count = read(descriptor_, buffer, sizeof buffer);  // fails once the program has gone
    if (count <= 0) return false;
    bytes_.append(buffer, static_cast<std::size_t>(count));
    screen_.put({buffer, static_cast<std::size_t>(count)});
    return true;
}

int PseudoTerminal::wait() {
    const auto end = std::chrono::steady_clock::now() + patience;
    while (read_some(100) && std::chrono::steady_clock::now() < end) {
    }
    if (std::chrono::steady_clock::now() >= end) kill(child_, SIGKILL);
    int status = 0;
    waitpid(child_, &status, 0);
    child_ = -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

void PseudoTerminal::send_signal(int signal) const { kill(child_, signal); }

}  // namespace hlg::cli
