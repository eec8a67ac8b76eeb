// SPDX-License-Identifier: MIT
#include "cli/program.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <optional>
#include <span>
#include <utility>

#include <fmt/core.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include "cli/nearest.hpp"
#include "cli/output_file.hpp"
#include "cli/program_folder.hpp"

namespace hlg::cli {
namespace {

/** "hlg run" or "hlg eval kl" once the user has named a subcommand, else "hlg". */
std::string name_in_use(const CLI::App& app) {
    const auto chosen = app.get_subcommands();
    return chosen.empty() ? app.get_name() : app.get_name() + " " + name_in_use(*chosen.front());
}

int fail(const CLI::App& app, int code, const std::string& message) {
    fmt::print(stderr, "{}: {}\n", name_in_use(app), message);
    return code;
}

/** The command line without the program's name. "help run" is "run --help", as in git; "-hf", as llama.cpp spells it, is --hf and
    not -h with something behind it. */
std::vector<std::string> words_of(int argc, char** argv) {
    std::vector<std::string> words(argv + std::min(argc, 1), argv + argc);
    if (!words.empty() && words.front() == "help") {
        words.erase(words.begin());
        words.emplace_back("--help");
    }
    std::replace(words.begin(), words.end(), std::string("-hf"), std::string("--hf"));
    return words;
}

/** CLI11 would only say that a subcommand is missing. */
void check_subcommand(const CLI::App& app, std::span<const std::string> words) {
    if (words.empty() || words.front().starts_with('-')) return;
    std::vector<std::string> known;
    for (const CLI::App* subcommand : app.get_subcommands({})) known.push_back(subcommand->get_name());
    if (known.empty()) return;
    const std::string& word = words.front();
    if (std::find(known.begin(), known.end(), word) != known.end())
        return check_subcommand(*app.get_subcommand(word), words.subspan(1));
    const std::optional<std::string> meant = nearest(word, known);
    const std::string there = meant ? fmt::format("did you mean {}? There are", *meant) : "there are";
    throw UsageError(fmt::format("no subcommand '{}'; {} {} (see hlg help)", word, there, fmt::join(known, ", ")));
}

int choose(CLI::App& app, const Action& action, std::vector<std::string> words) {
    check_subcommand(app, words);
    std::reverse(words.begin(), words.end());  // CLI11 takes them from the back
    try {
        app.parse(std::move(words));
    } catch (const CLI::CallForHelp&) {
        write_file("-", app.help());
        return exit_ok;
    } catch (const CLI::CallForVersion&) {
        write_file("-", app.version() + "\n");
        return exit_ok;
    }
    if (action) return action();
    fmt::print(stderr, "{}", app.help());
    return exit_usage;
}

/** Returns only by throwing. */
[[noreturn]] void become(const Elsewhere& other, std::vector<std::string> words) {
    const std::string path = (program_folder() / other.program).string();
    std::string name = other.program;
    std::vector<char*> arguments{name.data()};
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    ::execv(path.c_str(), arguments.data());
    if (errno != ENOENT) throw CommandError(exit_failure, fmt::format("can't start {}: {}", path, std::strerror(errno)));
    throw UsageError(
        fmt::format("hlg {} is a program of its own, {}, which is not beside this one; `make eval` builds it, or "
                    "-DHLG_BUILD_EVAL=ON does",
                    other.subcommand, other.program));
}

}  // namespace

int run_program(const Program& program, int argc, char** argv) {
    CLI::App app("HLG sampling for language models", "hlg");
    app.set_version_flag("-v,-V,--version", "hlg " HLG_VERSION);
    app.require_subcommand(0, 1);
    Action action;
    program.add(app, action);
    for (const Elsewhere& other : program.elsewhere) app.add_subcommand(other.subcommand, other.help);
    app.footer("hlg help SUBCOMMAND lists its flags.");
    try {
        std::vector<std::string> words = words_of(argc, argv);
        for (const Elsewhere& other : program.elsewhere)
            if (!words.empty() && words.front() == other.subcommand) become(other, std::move(words));
        return choose(app, action, std::move(words));
    } catch (const CLI::ParseError& error) {
        return fail(app, exit_usage, fmt::format("{} (see {} --help)", error.what(), name_in_use(app)));
    } catch (const CommandError& error) {
        return fail(app, error.code(), error.what());
    } catch (const ReaderGone&) {
        return exit_ok;
    } catch (const std::exception& error) {
        return fail(app, exit_failure, error.what());
    }
}

}  // namespace hlg::cli
