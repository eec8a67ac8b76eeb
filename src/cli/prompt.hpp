// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "cli/flags.hpp"

namespace hlg::cli {

/** What hlg run continues: --prompt or --file, each as often as wanted, or stdin. */
class PromptOptions {
public:
    /** Adds the flags; the object must live until parsing is over. */
    void add_to(Flags& flags);

    /** Whether nothing but stdin is left to read it from. */
    [[nodiscard]] bool on_stdin() const noexcept { return texts_.empty() && (files_.empty() || reads_stdin()); }

    /** Whether there is neither a prompt nor the name of a file, not even "-". */
    [[nodiscard]] bool none() const noexcept { return texts_.empty() && files_.empty(); }

    /** Prompts that read() will give. */
    [[nodiscard]] std::size_t count() const noexcept { return none() ? 1 : texts_.size() + files_.size(); }

    /** The prompts in their order: UTF-8, from files and stdin less one final newline. Throws UsageError where one can't be read,
        is too long or not UTF-8, and for an empty file or stdin: whoever wants to start from nothing says so with --prompt ''. */
    [[nodiscard]] std::vector<std::string> read() const;

private:
    [[nodiscard]] bool reads_stdin() const noexcept;

    std::vector<std::string> texts_;
    std::vector<std::string> files_;
};

}  // namespace hlg::cli
