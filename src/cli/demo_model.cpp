// SPDX-License-Identifier: MIT
#include "cli/demo_model.hpp"

#include <cstdlib>
#include <filesystem>

#include "cli/command.hpp"

namespace hlg::cli {

std::string demo_model_path() {
    namespace fs = std::filesystem;
    if (const char* chosen = std::getenv("HLG_DEMO_MODEL"); chosen != nullptr && *chosen != '\0') return chosen;
    std::error_code failed;
    const fs::path program = fs::read_symlink("/proc/self/exe", failed);
    const fs::path path = (program.parent_path() / HLG_MODELS_FROM_BIN / "storyteller.gguf").lexically_normal();
    if (failed || !fs::exists(path, failed)) {
        throw UsageError("the demo model is not where it was installed (" + path.string() +
                         "); name a model with -m, or set HLG_DEMO_MODEL");
    }
    return path.string();
}

}  // namespace hlg::cli
