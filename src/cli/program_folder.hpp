// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>

namespace hlg::cli {

/** The folder that this program lies in; empty where the system does not tell. */
std::filesystem::path program_folder();

}  // namespace hlg::cli
