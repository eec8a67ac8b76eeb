// SPDX-License-Identifier: MIT
//
// The program hlg-eval, which hlg becomes for these subcommands.
#include "cli/program.hpp"

int main(int argc, char** argv) {
    using namespace hlg::cli;
    const auto add = [](CLI::App& app, Action& action) {
        add_eval(app, action);
        add_compare(app, action);
    };
    return run_program({add}, argc, argv);
}
