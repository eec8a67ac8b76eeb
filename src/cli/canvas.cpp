// SPDX-License-Identifier: MIT
#include "cli/canvas.hpp"

#include <array>
#include <utility>

namespace hlg::cli {
namespace {

constexpr std::string_view reset = "\x1b[0m";

/** From the terminal's own sixteen colours, so that they suit light and dark ones. */
std::string_view escape(Ink ink) {
    switch (ink) {
        case Ink::faint: return "\x1b[2m";
        case Ink::bold: return "\x1b[1m";
        case Ink::cold: return "\x1b[1;36m";
        case Ink::warm: return "\x1b[1;33m";
        case Ink::plain: break;
    }
    return {};
}

/** Braille patterns start at U+2800; the low eight bits say which dots are set. */
std::string braille(std::uint8_t dots) {
    return {'\xE2', static_cast<char>(0xA0 | dots >> 6U), static_cast<char>(0x80 | (dots & 0x3FU))};
}

/** The bit of a dot in a cell: the left column from the top is 1, 2, 4, 64, the right one 8, 16, 32, 128. */
std::uint8_t braille_bit(int x, int y) {
    static constexpr std::array<std::array<std::uint8_t, 4>, 2> bits{{{1, 2, 4, 64}, {8, 16, 32, 128}}};
    return bits[static_cast<std::size_t>(x)][static_cast<std::size_t>(y)];
}

}  // namespace

Canvas::Canvas(int columns, int rows, bool unicode) : columns_(columns), rows_(rows), unicode_(unicode), cells_(index(0, rows)) {}

bool Canvas::inside(int column, int row) const noexcept { return column >= 0 && column < columns_ && row >= 0 && row < rows_; }

std::size_t Canvas::index(int column, int row) const noexcept {
    return static_cast<std::size_t>(row) * static_cast<std::size_t>(columns_) + static_cast<std::size_t>(column);
}

Canvas::Cell& Canvas::at(int column, int row) { return cells_[index(column, row)]; }

const Canvas::Cell& Canvas::at(int column, int row) const { return cells_[index(column, row)]; }

void Canvas::dot(int x, int y, Ink ink, char ascii) {
    if (x < 0 || y < 0 || x >= width() || y >= height()) return;
    Cell& cell = at(x / dots_across(), y / dots_down());
    cell.ink = ink;
    if (unicode_)
        cell.dots |= braille_bit(x % 2, y % 4);
    else
        cell.text = ascii;
}

void Canvas::glyph(int column, int row, std::string_view text, Ink ink) {
    if (!inside(column, row)) return;
    at(column, row).text = text;
    at(column, row).ink = ink;
}

bool Canvas::blank(int column, int row) const {
    return inside(column, row) && at(column, row).dots == 0 && at(column, row).text.empty();
}

std::string Canvas::line(int row, bool colour) const {
    std::string all;
    std::string run;  // of one ink
    Ink ink = Ink::plain;
    int blanks = 0;
    for (int column = 0; column < columns_; ++column) {
        if (blank(column, row)) {
            ++blanks;
            continue;
        }
        const Cell& cell = at(column, row);
        if (blanks > 0 || cell.ink != ink) all += inked(std::exchange(run, {}), ink, colour);
        all.append(static_cast<std::size_t>(std::exchange(blanks, 0)), ' ');
        ink = cell.ink;
        run += cell.text.empty() ? braille(cell.dots) : cell.text;
    }
    return all + inked(run, ink, colour);
}

std::string inked(std::string_view text, Ink ink, bool colour) {
    if (!colour || ink == Ink::plain || text.empty()) return std::string(text);
    return std::string(escape(ink)).append(text).append(reset);
}

}  // namespace hlg::cli
