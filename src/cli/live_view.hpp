// SPDX-License-Identifier: MIT
//
// Several texts that grow at once, on a terminal: a block each with a title and its last lines, redrawn in place.
#pragma once

#include <chrono>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/run_report.hpp"
#include "cli/terminal.hpp"

namespace hlg::cli {

class LiveView {
public:
    ~LiveView() { erase(); }

    /** Draws the reports from `first` on in place of what it drew before, unless that was just now. */
    void draw(std::span<const RunReport> reports, std::size_t first, TerminalSize size, bool colour);

    /** Takes the blocks off the screen; the cursor stands where the first one began. */
    void erase() noexcept;

private:
    std::size_t lines_ = 0;  ///< on the screen
    std::chrono::steady_clock::time_point drawn_ = {};
};

/** The lines of such a picture, no more than `size` has. Texts for which there is no place are counted in a last line. */
std::vector<std::string> live_lines(std::span<const RunReport> reports, std::size_t first, TerminalSize size, bool colour);

/** The last lines of a text that is broken between words to this width; at most `count`. What moves a cursor is left out. */
std::vector<std::string> last_lines(std::string_view text, int columns, std::size_t count);

/** The text's beginning as one line, no wider than that many columns, "..." behind it if it goes on. */
std::string one_line(std::string_view text, int columns);

}  // namespace hlg::cli
