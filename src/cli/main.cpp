// SPDX-License-Identifier: MIT
//
// The program hlg.
#include <CLI/CLI.hpp>

#include "cli/program.hpp"

int main(int argc, char** argv) {
    using namespace hlg::cli;
    const auto add = [](CLI::App& app, Action& action) {
        add_run(app, action);
        add_serve(app, action);
        add_draw(app, action);
        add_curve(app, action);
    };
    return run_program({add,
                        {{"eval", "What samplers do to a model's distributions and texts, measured", "hlg-eval"},
                         {"compare", "The same prompts and seeds under several samplers, side by side", "hlg-eval"}}},
                       argc, argv);
}
