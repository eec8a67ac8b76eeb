// SPDX-License-Identifier: MIT
#include "cli/terminal.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <string>

#include "cli/numbers.hpp"

namespace hlg::cli {
namespace {

/** A variable's value; empty if unset. */
std::string variable(const char* name) {
    const char* value = std::getenv(name);
    return value == nullptr ? std::string() : value;
}

/** A variable's value as a size; 0 if it is none. */
int size_variable(const char* name) {
    const std::optional<std::int64_t> value = parse_whole(variable(name));
    return value && *value > 0 && *value < 10000 ? static_cast<int>(*value) : 0;
}

/** Characters, each taken to be a column wide: bytes that do not continue a UTF-8 character. */
int width_of(std::string_view text) {
    return static_cast<int>(
        std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

/** Where to break a line that is wider than this: its last blank within the columns, else its first one; npos if it has none. */
std::size_t break_of(std::string_view line, int columns, std::size_t start) {
    std::size_t best = line.find(' ', start);
    for (std::size_t at = best; at != std::string_view::npos && width_of(line.substr(0, at)) <= columns;
         at = line.find(' ', at + 1))
        best = at;
    return best;
}

}  // namespace

bool stdout_is_terminal() { return isatty(STDOUT_FILENO) == 1; }

std::optional<TerminalSize> terminal_size() {
    if (!stdout_is_terminal()) return std::nullopt;
    winsize window{};
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &window) != 0) window = {};
    const TerminalSize size{window.ws_col > 0 ? window.ws_col : size_variable("COLUMNS"),
                            window.ws_row > 0 ? window.ws_row : size_variable("LINES")};
    return size.columns > 0 && size.lines > 0 ? std::optional(size) : std::nullopt;
}

std::string wrapped(std::string_view text, int columns, int indent) {
    std::string all;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        std::string line(text.substr(0, end));
        std::size_t start = 0;  // blanks of an indent are no place to break
        for (std::size_t at = 0; width_of(line) > columns && (at = break_of(line, columns, start)) != std::string::npos;) {
            all += line.substr(0, at) + "\n";
            line = std::string(static_cast<std::size_t>(indent), ' ') + line.substr(at + 1);
            start = static_cast<std::size_t>(indent);
        }
        all += line;
        if (end < text.size()) all += '\n';
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return all;
}

bool writes_utf8() {
    std::string locale;
    for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {  // the first that is set counts
        locale = variable(name);
        if (!locale.empty()) break;
    }
    std::transform(locale.begin(), locale.end(), locale.begin(), [](unsigned char c) { return std::tolower(c); });
    return locale.find("utf-8") != std::string::npos || locale.find("utf8") != std::string::npos;
}

bool moves_cursor() { return terminal_size().has_value() && variable("TERM") != "dumb"; }

bool wants_colour() { return stdout_is_terminal() && variable("NO_COLOR").empty() && variable("TERM") != "dumb"; }

}  // namespace hlg::cli
