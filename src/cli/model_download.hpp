// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <string>

namespace hlg::cli {

/** The path of the model USER/REPO[:QUANT], downloaded behind a progress bar if the cache does not have it; HF_TOKEN opens
    repositories that are not open to all. Throws CommandError. */
std::string download_model(const std::string& name, bool offline, bool verbose, const std::atomic<bool>& interrupted);

}  // namespace hlg::cli
