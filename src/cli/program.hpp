// SPDX-License-Identifier: MIT
//
// What hlg and hlg-eval do alike: pick the subcommand, and turn every way of failing into one line on stderr and an exit code.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "cli/command.hpp"

namespace hlg::cli {

/** A subcommand that is a program of its own beside this one, as git has them: whoever serves needs nothing of what it needs. */
struct Elsewhere {
    std::string subcommand;
    std::string help;
    std::string program;
};

struct Program {
    std::function<void(CLI::App&, Action&)> add;  ///< the subcommands that are here
    std::vector<Elsewhere> elsewhere = {};
};

/** main()'s work; returns the exit code. Of a subcommand elsewhere it does not return: the process becomes that program. */
int run_program(const Program& program, int argc, char** argv);

}  // namespace hlg::cli
