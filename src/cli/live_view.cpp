// SPDX-License-Identifier: MIT
#include "cli/live_view.hpp"

#include <algorithm>
#include <exception>

#include <fmt/core.h>

#include "cli/output_file.hpp"

namespace hlg::cli {
namespace {

constexpr std::size_t most_lines = 8;                                    // of a block: more says little while it moves
constexpr std::size_t least_lines = 3;                                   // a title and two lines
constexpr std::size_t window = 8192;                                     // bytes at the end of a text that are looked at
constexpr std::string_view wrap_off = "\x1b[?7l", wrap_on = "\x1b[?7h";  // a line too wide is cut, never two

bool continues(char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U; }

/** Escapes and the like must not reach the terminal from a redrawn block: it would lose count of its lines. */
std::string harmless(std::string_view text) {
    std::string clean(text);
    std::replace_if(
        clean.begin(), clean.end(), [](char c) { return (static_cast<unsigned char>(c) < 0x20U && c != '\n') || c == 0x7F; },
        ' ');
    return clean;
}

/** The end of a long text. It begins at a fixed place for a while, so that the lines don't flow as the text grows. */
std::string_view tail_of(std::string_view text) {
    if (text.size() <= window) return text;
    std::size_t start = (text.size() - window) / window * window + window / 2;
    while (start < text.size() && continues(text[start])) ++start;
    return text.substr(start);
}

std::string title_of(std::span<const RunReport> reports, std::size_t index, int columns, bool colour) {
    const RunReport& report = reports[index];
    const std::string state = report.finished ? fmt::format(" ({})", engine::to_string(report.finished->reason)) : "";
    const std::string number = fmt::format("{}{}  ", index + 1, state);
    const std::string title = number + one_line(report.prompt, columns - static_cast<int>(number.size()));
    return colour ? "\x1b[1m" + title + "\x1b[0m" : title;
}

}  // namespace

std::string one_line(std::string_view text, int columns) {
    constexpr int dots = 3;
    std::size_t cut = 0;  // where the dots go
    std::size_t end = 0;
    for (int width = 0; end < text.size(); ++end) {
        if (continues(text[end])) continue;
        if (width == columns - dots) cut = end;
        if (width++ >= columns) break;
    }
    const bool fits = end == text.size();
    std::string line = harmless(text.substr(0, fits ? end : cut));
    std::replace(line.begin(), line.end(), '\n', ' ');
    return fits ? line : line + "...";
}

std::vector<std::string> last_lines(std::string_view text, int columns, std::size_t count) {
    const std::string broken = wrapped(harmless(tail_of(text)), std::max(columns, 1), 0);
    std::vector<std::string> lines;
    std::string_view rest = broken;
    while (!rest.empty() && rest.back() == '\n') rest.remove_suffix(1);
    while (!rest.empty() && lines.size() < count) {
        const std::size_t at = rest.rfind('\n');
        const std::size_t start = at == std::string_view::npos ? 0 : at + 1;
        lines.emplace_back(rest.substr(start));
        rest = rest.substr(0, start == 0 ? 0 : at);
    }
    std::reverse(lines.begin(), lines.end());
    return lines;
}

std::vector<std::string> live_lines(std::span<const RunReport> reports, std::size_t first, TerminalSize size, bool colour) {
    const std::size_t texts = reports.size() - first;
    const auto room = static_cast<std::size_t>(std::max(size.lines - 2, 1));  // the cursor's line, and one for "and more"
    const std::size_t blocks = std::clamp<std::size_t>(room / least_lines, 1, std::max<std::size_t>(texts, 1));
    const std::size_t lines = std::clamp<std::size_t>(room / blocks, 1, most_lines);
    constexpr int indent = 2;
    std::vector<std::string> all;
    for (std::size_t i = first; i < std::min(first + blocks, reports.size()); ++i) {
        all.push_back(title_of(reports, i, size.columns, colour));
        for (const std::string& line : last_lines(reports[i].text, size.columns - indent, lines - 1))
            all.push_back(std::string(indent, ' ') + line);
    }
    if (texts > blocks) all.push_back(fmt::format("and {} more", texts - blocks));
    return all;
}

void LiveView::draw(std::span<const RunReport> reports, std::size_t first, TerminalSize size, bool colour) {
    constexpr std::chrono::milliseconds pause(50);
    const auto now = std::chrono::steady_clock::now();
    if (now - drawn_ < pause || first >= reports.size()) return;
    drawn_ = now;
    const std::vector<std::string> lines = live_lines(reports, first, size, colour);
    std::string picture(wrap_off);
    if (lines_ > 0) picture += fmt::format("\x1b[{}A", lines_);
    for (const std::string& line : lines) picture += "\r" + line + "\x1b[K\n";
    picture += "\x1b[J";
    picture += wrap_on;
    lines_ = lines.size();
    write_file("-", picture);
}

void LiveView::erase() noexcept {
    if (lines_ == 0) return;
    try {
        write_file("-", fmt::format("\x1b[{}A\r\x1b[J", lines_));
    } catch (const std::exception&) {
        // stdout is gone; whoever writes next says so
    }
    lines_ = 0;
}

}  // namespace hlg::cli
