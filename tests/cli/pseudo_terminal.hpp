// SPDX-License-Identifier: MIT
//
// A program in a terminal of 80 columns, for tests of what a person sees. The screen knows what this program's output uses:
// line feeds, the cursor going up, erasing to the end of a line or of the screen, colours, and line wrap on and off.
#pragma once

#include <sys/types.h>

#include <string>
#include <string_view>
#include <vector>

namespace hlg::cli {

/** The lines of a terminal, those scrolled out included. */
class Screen {
public:
    explicit Screen(int columns) : columns_(static_cast<std::size_t>(columns)) {}

    void put(std::string_view bytes);

    /** All lines, without blanks at their ends. */
    [[nodiscard]] std::string text() const;
    [[nodiscard]] std::size_t widest() const;
    [[nodiscard]] const std::string& unknown() const noexcept { return unknown_; }  ///< escapes that it does not know

private:
    void put_character(const std::string& character);
    void obey(const std::string& parameters, char command);

    std::size_t columns_;
    std::vector<std::vector<std::string>> lines_{1};
    std::size_t row_ = 0, column_ = 0;
    bool wraps_ = true;
    std::string pending_;
    std::string unknown_;
};

class PseudoTerminal {
public:
    /** Starts the program. `environment`: "NAME=VALUE", in addition to TERM=xterm. */
    explicit PseudoTerminal(const std::vector<std::string>& command, const std::vector<std::string>& environment = {},
                            int columns = 80, int lines = 24);
    ~PseudoTerminal();
    PseudoTerminal(const PseudoTerminal&) = delete;
    PseudoTerminal& operator=(const PseudoTerminal&) = delete;

    /** Types; "\x03" is Ctrl-C, "\x04" Ctrl-D. What follows is looked for behind what has been shown by now. */
    void type(std::string_view keys);

    /** Waits until this has been shown since the last keys were typed, as bytes. False after some seconds, or at the end. */
    [[nodiscard]] bool shows(std::string_view text);

    /** Waits for the end of the program: its exit code, 128 and the signal if one killed it. */
    int wait();

    void send_signal(int signal) const;
    [[nodiscard]] const Screen& screen() const noexcept { return screen_; }
    [[nodiscard]] const std::string& bytes() const noexcept { return bytes_; }

private:
    bool read_some(int milliseconds);

    pid_t child_ = -1;
    int descriptor_ = -1;
    std::string bytes_;
    std::size_t since_ = 0;
    Screen screen_;
};

}  // namespace hlg::cli
