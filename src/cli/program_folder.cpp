// SPDX-License-Identifier: MIT
#include "cli/program_folder.hpp"

namespace hlg::cli {

std::filesystem::path program_folder() {
    std::error_code failed;
    return std::filesystem::read_symlink("/proc/self/exe", failed).parent_path();
}

}  // namespace hlg::cli
