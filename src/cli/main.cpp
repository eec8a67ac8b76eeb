// SPDX-License-Identifier: MIT
//
// The program hlg: picks the subcommand, and turns every way of failing into one line on stderr and an exit code.
#include <cstdio>
#include <exception>

#include <fmt/core.h>
#include <CLI/CLI.hpp>

#include "cli/command.hpp"

namespace hlg::cli {
namespace {

/** "hlg run" once the user has named a subcommand, else "hlg". */
std::string name_in_use(const CLI::App& app) {
    const auto chosen = app.get_subcommands();
    return chosen.empty() ? app.get_name() : app.get_name() + " " + chosen.front()->get_name();
}

int fail(const CLI::App& app, int code, const std::string& message) {
    fmt::print(stderr, "{}: {}\n", name_in_use(app), message);
    return code;
}

int run(int argc, char** argv) {
    CLI::App app("HLG sampling for language models", "hlg");
    app.set_version_flag("--version", "hlg " HLG_VERSION);
    app.require_subcommand(1);
    Action action;
    add_run(app, action);
    add_draw(app, action);
    add_curve(app, action);
    try {
        app.parse(argc, argv);
        return action();
    } catch (const CLI::CallForHelp& help) {
        return app.exit(help);
    } catch (const CLI::CallForAllHelp& help) {
        return app.exit(help);
    } catch (const CLI::CallForVersion& version) {
        return app.exit(version);
    } catch (const CLI::ParseError& error) {
        return fail(app, exit_usage, fmt::format("{} (see {} --help)", error.what(), name_in_use(app)));
    } catch (const CommandError& error) {
        return fail(app, error.code(), error.what());
    } catch (const std::exception& error) {
        return fail(app, exit_failure, error.what());
    }
}

}  // namespace
}  // namespace hlg::cli

int main(int argc, char** argv) { return hlg::cli::run(argc, argv); }
