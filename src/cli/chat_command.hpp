// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace hlg::cli {

/** What a line with a slash asks for. */
struct ChatCommand {
    enum class Kind { reset, seed, settings, help, exit, unknown };
    Kind kind = Kind::unknown;
    std::string argument = {};  ///< what follows the name; for `unknown`, a line that says so
};

/** The command that a line is; nothing for a line that is to be answered: without a slash in front, or with two. */
std::optional<ChatCommand> chat_command(std::string_view line);

/** A line to be answered without the second slash that may protect its first. */
std::string_view spoken(std::string_view line);

/** What there is to type; `text` where lines are put behind a text. */
std::string chat_help(bool text);

}  // namespace hlg::cli
