// SPDX-License-Identifier: MIT
#include "cli/side_by_side.hpp"

#include <algorithm>
#include <cmath>

namespace hlg::cli {
namespace {

constexpr int gap = 3;
constexpr int narrowest = 24;
constexpr double strong = 2.0;  // a factor on the probability

/** A character with its token's colours. */
struct Cell {
    std::string character;
    const char* style;
};

const char* style_of(const eval::TracedToken& token) {
    const bool moved = token.p > 0 && token.q > 0 && std::abs(std::log(token.q / token.p)) > std::log(strong);
    if (token.region == "shoulder") return moved ? "\033[1;33m" : "\033[33m";
    if (token.region == "toe") return moved ? "\033[1;94m" : "\033[94m";
    return moved ? "\033[1m" : "";
}

bool begins_character(char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U; }

/** Control characters but for line ends would move the cursor. */
bool shown(unsigned char byte) { return byte >= 0x20 && byte != 0x7F; }

std::vector<Cell> cells_of(const eval::Trace& trace) {
    std::vector<Cell> cells;
    for (const eval::TracedToken& token : trace.tokens)
        for (const char byte : token.text) {
            if (byte != '\n' && !shown(static_cast<unsigned char>(byte))) continue;
            if (begins_character(byte) || cells.empty())
                cells.push_back({std::string(1, byte), style_of(token)});
            else
                cells.back().character += byte;
        }
    return cells;
}

using Line = std::vector<Cell>;

/** Lines no longer than `width`, broken at spaces where there is one. */
std::vector<Line> lines_of(const std::vector<Cell>& cells, std::size_t width) {
    std::vector<Line> lines(1);
    for (const Cell& cell : cells) {
        if (cell.character == "\n") {
            lines.emplace_back();
            continue;
        }
        Line& line = lines.back();
        if (line.empty() && cell.character == " ") continue;
        line.push_back(cell);
        if (line.size() <= width) continue;
        const auto space = std::find_if(line.rbegin(), line.rend(), [](const Cell& one) { return one.character == " "; });
        const auto cut = space == line.rend() || cell.character == " " ? line.end() - 1 : space.base();
        Line rest(cut, line.end());
        line.erase(cut, line.end());
        if (cell.character == " ") rest.clear();
        lines.push_back(std::move(rest));
    }
    return lines;
}

std::string written(const Line& line, std::size_t width, bool colour) {
    std::string text;
    const char* style = "";
    for (const Cell& cell : line) {
        if (colour && cell.style != style) {
            if (*style != '\0') text += "\033[0m";
            text += style = cell.style;
        }
        text += cell.character;
    }
    if (colour && *style != '\0') text += "\033[0m";
    return text + std::string(width - std::min(width, line.size()), ' ');
}

std::string title_line(const std::string& title, std::size_t width, bool colour) {
    const std::string cut = title.substr(0, width);
    return (colour ? "\033[4m" + cut + "\033[0m" : cut) + std::string(width - cut.size(), ' ');
}

std::string trimmed(std::string line) {
    line.erase(line.find_last_not_of(' ') + 1);
    return line + '\n';
}

}  // namespace

std::string side_by_side(const std::vector<TitledTrace>& texts, int columns, bool colour) {
    const int count = static_cast<int>(texts.size());
    if (count == 0) return {};
    const int each = (columns - gap * (count - 1)) / count;
    if (each < narrowest && count > 1) {
        std::string all;
        for (const TitledTrace& text : texts) all += side_by_side({text}, columns, colour) + '\n';
        all.pop_back();
        return all;
    }
    const auto width = static_cast<std::size_t>(std::max(each, 1));
    std::vector<std::vector<Line>> blocks;
    std::string titles;
    std::size_t height = 0;
    for (const TitledTrace& text : texts) {
        blocks.push_back(lines_of(cells_of(*text.trace), width));
        height = std::max(height, blocks.back().size());
        titles += title_line(text.title, width, colour) + std::string(gap, ' ');
    }
    std::string all = trimmed(std::move(titles));
    for (std::size_t i = 0; i < height; ++i) {
        std::string row;
        for (const std::vector<Line>& block : blocks)
            row += written(i < block.size() ? block[i] : Line{}, width, colour) + std::string(gap, ' ');
        all += trimmed(std::move(row));
    }
    return all;
}

std::string colour_key(bool colour) {
    if (!colour) return {};
    return "\033[33mshoulder\033[0m, mid, \033[94mtoe\033[0m; \033[1mbold\033[0m where the sampler more than doubled or halved "
           "the "
           "model's probability\n";
}

}  // namespace hlg::cli
