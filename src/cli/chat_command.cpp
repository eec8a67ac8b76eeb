// SPDX-License-Identifier: MIT
#include "cli/chat_command.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "cli/nearest.hpp"

namespace hlg::cli {
namespace {

struct Known {
    const char* name;
    ChatCommand::Kind kind;
    const char* argument;  ///< nullptr where there is none
    const char* help;
};

constexpr std::array commands{
    Known{"/reset", ChatCommand::Kind::reset, nullptr, "forget everything said so far"},
    Known{"/seed", ChatCommand::Kind::seed, "N", "the seed of the answers from now on; without N, a new one for each"},
    Known{"/settings", ChatCommand::Kind::settings, nullptr, "show the settings in force"},
    Known{"/help", ChatCommand::Kind::help, nullptr, "show this"},
    Known{"/exit", ChatCommand::Kind::exit, nullptr, "end the chat, as Ctrl-D does"},
};

std::string_view trimmed(std::string_view text) {
    constexpr std::string_view blanks = " \t\r";
    const std::size_t first = text.find_first_not_of(blanks);
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

ChatCommand unknown(const std::string& name) {
    std::vector<std::string> names;
    names.reserve(commands.size());
    for (const Known& known : commands) names.emplace_back(known.name);
    const std::optional<std::string> meant = nearest(name, names);
    const std::string there = meant ? fmt::format("did you mean {}? There are", *meant) : "there are";
    return {ChatCommand::Kind::unknown, fmt::format("no command {}; {} {}", name, there, fmt::join(names, ", "))};
}

}  // namespace

std::optional<ChatCommand> chat_command(std::string_view line) {
    if (!line.starts_with('/') || line.starts_with("//")) return std::nullopt;
    const std::string_view words = trimmed(line);
    const std::size_t end = std::min(words.find(' '), words.size());
    const std::string name(words.substr(0, end));
    const std::string argument(trimmed(words.substr(end)));
    const auto* const found =
        std::find_if(commands.begin(), commands.end(), [&](const Known& known) { return name == known.name; });
    if (found == commands.end()) return unknown(name);
    if (found->argument == nullptr && !argument.empty())
        return ChatCommand{ChatCommand::Kind::unknown, fmt::format("{} takes nothing behind it, got {}", name, argument)};
    return ChatCommand{found->kind, argument};
}

std::string_view spoken(std::string_view line) { return line.starts_with("//") ? line.substr(1) : line; }

std::string chat_help(bool text) {
    std::string help;
    for (const Known& known : commands) {
        const std::string usage = known.argument == nullptr ? known.name : fmt::format("{} {}", known.name, known.argument);
        help += fmt::format("  {:<11} {}\n", usage, known.help);
    }
    help += "  Ctrl-C      stop the answer\n";
    help += "  LINE\\       goes on in the next line\n";
    help += "  //LINE      is a line that begins with a slash\n";
    if (text) help += "  (nothing)   the text goes on\n";
    if (text) help += "  (a blank)   in front of a line: it goes on in the text's last one\n";
    return help;
}

}  // namespace hlg::cli
