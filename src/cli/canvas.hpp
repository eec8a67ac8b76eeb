// SPDX-License-Identifier: MIT
//
// A picture of characters: dots (Unicode braille, 2 by 4 a cell, or one ASCII character a cell), and glyphs over them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace hlg::cli {

/** How a terminal shows a cell; `plain` leaves it as it is. */
enum class Ink : std::uint8_t { plain, faint, bold, cold, warm };

class Canvas {
public:
    Canvas(int columns, int rows, bool unicode);

    [[nodiscard]] int columns() const noexcept { return columns_; }
    [[nodiscard]] int rows() const noexcept { return rows_; }

    /** Dots to the right and down. */
    [[nodiscard]] int width() const noexcept { return columns_ * dots_across(); }
    [[nodiscard]] int height() const noexcept { return rows_ * dots_down(); }
    [[nodiscard]] int dots_across() const noexcept { return unicode_ ? 2 : 1; }
    [[nodiscard]] int dots_down() const noexcept { return unicode_ ? 4 : 1; }

    /** Sets the dot x from the left, y from the top; outside is ignored. `ascii` stands for it where there is no braille. */
    void dot(int x, int y, Ink ink, char ascii);

    /** Puts a glyph over a cell's dots; outside is ignored. */
    void glyph(int column, int row, std::string_view text, Ink ink);

    /** Whether nothing is in the cell. */
    [[nodiscard]] bool blank(int column, int row) const;

    /** A row as text, with terminal colours if wanted, without blanks at its end. */
    [[nodiscard]] std::string line(int row, bool colour) const;

private:
    struct Cell {
        std::uint8_t dots = 0;  ///< braille bits
        Ink ink = Ink::plain;
        std::string text;  ///< instead of the dots
    };

    [[nodiscard]] bool inside(int column, int row) const noexcept;
    [[nodiscard]] std::size_t index(int column, int row) const noexcept;
    [[nodiscard]] Cell& at(int column, int row);
    [[nodiscard]] const Cell& at(int column, int row) const;

    int columns_;
    int rows_;
    bool unicode_;
    std::vector<Cell> cells_;
};

/** The text in that ink. */
std::string inked(std::string_view text, Ink ink, bool colour);

}  // namespace hlg::cli
