// SPDX-License-Identifier: MIT
//
// The program hlg-eval, which hlg becomes for its subcommands.
#include "cli/program.hpp"

int main(int argc, char** argv) { return hlg::cli::run_program({hlg::cli::add_eval}, argc, argv); }
