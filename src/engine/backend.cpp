// SPDX-License-Identifier: MIT
#include "engine/backend.hpp"

#include <dlfcn.h>

#include <atomic>
#include <cstdio>
#include <filesystem>
#include <mutex>
#include <utility>

#include <ggml-backend.h>
#include <llama.h>

namespace hlg::engine {
namespace {

// llama.cpp's log callback is one for the whole process, so its state is too.
std::atomic<bool> log_to_stderr{false};
std::mutex error_mutex;
std::string first_error;

void on_log(ggml_log_level level, const char* text, void* /*user*/) {
    if (log_to_stderr) std::fputs(text, stderr);
    if (level != GGML_LOG_LEVEL_ERROR) return;
    const std::lock_guard lock(error_mutex);
    if (!first_error.empty()) return;
    first_error = text;
    while (!first_error.empty() && first_error.back() == '\n') first_error.pop_back();
}

/** "llama_model_load: error loading model: no tensor" -> "no tensor": what comes before tells a user nothing. */
std::string plain_reason(std::string text) {
    for (;;) {
        const std::size_t colon = text.find(": ");
        const std::string head = text.substr(0, colon);
        const bool function = head.find('_') != std::string::npos &&
                              head.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_") == std::string::npos;
        if (colon == std::string::npos || (!function && head != "error loading model")) return text;
        text.erase(0, colon + 2);
    }
}

/** The folder that libllama was loaded from: the CPU variants lie beside it, in the cache as in an installed prefix. */
std::string library_folder() {
    Dl_info info{};
    if (dladdr(reinterpret_cast<const void*>(&llama_backend_init), &info) == 0 || info.dli_fname == nullptr) return {};
    std::error_code ignored;
    const auto path = std::filesystem::canonical(info.dli_fname, ignored);
    return path.parent_path().string();
}

}  // namespace

void start_backend(bool verbose) {
    static std::once_flag once;
    log_to_stderr = verbose;
    std::call_once(once, [] {
        llama_log_set(on_log, nullptr);
        // A build with the CPU backend linked in has registered it by now; the prebuilt one has a library per CPU generation.
        if (ggml_backend_dev_count() == 0) ggml_backend_load_all_from_path(library_folder().c_str());
        llama_backend_init();
    });
}

std::string backend_version() { return std::string("llama.cpp ") + llama_version(); }

std::string take_backend_error() {
    const std::lock_guard lock(error_mutex);
    return plain_reason(std::exchange(first_error, {}));
}

}  // namespace hlg::engine
