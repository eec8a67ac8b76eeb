// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>

#include "cli/flags.hpp"

namespace hlg::cli {

/** What hlg run continues: --prompt, --file or stdin. */
class PromptOptions {
public:
    /** Adds the flags; the object must live until parsing is over. */
    void add_to(Flags& flags);

    /** Whether nothing but stdin is left to read it from. */
    [[nodiscard]] bool on_stdin() const noexcept { return !text_ && (!file_ || *file_ == "-"); }

    /** The prompt: UTF-8, from files and stdin less one final newline. Throws UsageError where it can't be read, is too long or
        not UTF-8, and for an empty file or stdin: whoever wants to start from nothing says so with --prompt ''. */
    [[nodiscard]] std::string read() const;

private:
    std::optional<std::string> text_;
    std::optional<std::string> file_;
};

}  // namespace hlg::cli
