// SPDX-License-Identifier: MIT
#include "cli/prompt.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include <fmt/core.h>

#include "cli/command.hpp"
#include "cli/text_file.hpp"

namespace hlg::cli {
namespace {

constexpr std::size_t most_bytes = std::size_t{64} << 20U;  // far beyond any context; keeps token counts in 32 bits
constexpr const char* what = "the prompt";

std::string read_prompt(const std::string& path) {
    if (path == "-" && isatty(STDIN_FILENO) == 1) fmt::print(stderr, "hlg run: type the prompt, then Ctrl-D\n");
    std::string text = read_text_file(path, what, most_bytes);
    if (!text.empty() && text.back() == '\n') text.pop_back();  // the one that echo and editors put there
    if (!text.empty()) return text;
    throw UsageError(fmt::format("the prompt in {} is empty; to start from nothing: --prompt ''", path == "-" ? "stdin" : path));
}

}  // namespace

void PromptOptions::add_to(Flags& flags) {
    flags.each(
        "-p,--prompt", "TEXT", [this](const std::string& text) { texts_.push_back(text); },
        "What to continue, UTF-8; '' where the model has a begin mark; several go side by side (read from stdin)");
    flags.each(
        "-f,--file", "FILE", [this](const std::string& path) { files_.push_back(path); },
        "Read the prompt from here, less one final newline; - = stdin; repeatable");
}

bool PromptOptions::reads_stdin() const noexcept { return std::find(files_.begin(), files_.end(), "-") != files_.end(); }

std::vector<std::string> PromptOptions::read() const {
    if (!texts_.empty() && !files_.empty()) throw UsageError("prompts come from --prompt or from --file, not from both");
    if (std::count(files_.begin(), files_.end(), "-") > 1) throw UsageError("--file - can be given only once");
    std::vector<std::string> prompts;
    for (const std::string& text : texts_) prompts.push_back(checked_utf8(text, what));
    for (const std::string& path : files_) prompts.push_back(read_prompt(path));
    if (prompts.empty()) prompts.push_back(read_prompt("-"));
    return prompts;
}

}  // namespace hlg::cli
