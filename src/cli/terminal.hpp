// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace hlg::cli {

/** Characters across and lines down. */
struct TerminalSize {
    int columns = 0;
    int lines = 0;
};

bool stdout_is_terminal();

/** The size of the terminal that stdout is: what it says itself, else COLUMNS and LINES. Nothing where stdout is no terminal, or
    nobody knows. */
std::optional<TerminalSize> terminal_size();

/** The text broken between words so that no line is wider, with an indent on the lines that this adds. */
std::string wrapped(std::string_view text, int columns, int indent);

/** Whether the environment's locale writes UTF-8. Read from the variables themselves: a container's terminal often shows
    UTF-8 where the locale's tables are not installed, and setlocale would say no. */
bool writes_utf8();

/** Whether stdout is a terminal of a known size that obeys escapes, so that lines on it can be redrawn. */
bool moves_cursor();

/** Whether stdout wants colours: a terminal that is not dumb, and no NO_COLOR. */
bool wants_colour();

}  // namespace hlg::cli
