// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace hlg::cli {

/** Lines from a file descriptor, a terminal as a rule, whose own line editing is all there is. */
class LineReader {
public:
    enum class Got {
        line,
        cut,          ///< a line whose end the terminal has thrown away: it keeps 4,095 bytes
        end,          ///< Ctrl-D, or the file ends
        interrupted,  ///< the other descriptor can be read; what was typed is gone
    };

    /** `interrupt` ends the wait for a line while it can be read: to look at a flag before reading would miss the signal that
       comes in between. */
    LineReader(int descriptor, int interrupt) : descriptor_(descriptor), interrupt_(interrupt) {}

    /** Waits for a line, which comes without its newline. */
    Got read(std::string& line);

private:
    [[nodiscard]] bool wait() const;

    int descriptor_;
    int interrupt_;
    std::string buffer_;
    bool ended_ = false;
};

}  // namespace hlg::cli
