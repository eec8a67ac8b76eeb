// SPDX-License-Identifier: MIT
#include "cli/demo_model.hpp"

#include <cstdlib>
#include <filesystem>

#include "cli/command.hpp"
#include "cli/program_folder.hpp"

namespace hlg::cli {

std::string demo_model_path() {
    namespace fs = std::filesystem;
    if (const char* chosen = std::getenv("HLG_DEMO_MODEL"); chosen != nullptr && *chosen != '\0') return chosen;
    const fs::path path = (program_folder() / HLG_MODELS_FROM_BIN / "storyteller.gguf").lexically_normal();
    if (std::error_code failed; !fs::exists(path, failed)) {
        throw UsageError("the demo model is not where it was installed (" + path.string() +
                         "); name a model with -m, or set HLG_DEMO_MODEL");
    }
    return path.string();
}

}  // namespace hlg::cli
