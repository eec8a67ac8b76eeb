// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace hlg::cli {

/** The demo model's path: HLG_DEMO_MODEL if set, else beside this program, in the build tree as in an installed prefix. */
std::string demo_model_path();

}  // namespace hlg::cli
