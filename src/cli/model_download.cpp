// SPDX-License-Identifier: MIT
#include "cli/model_download.hpp"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <optional>

#include <fmt/core.h>

#include "cli/command.hpp"
#include "cli/progress.hpp"
#include "cli/sampling_options.hpp"
#include "engine/download.hpp"

namespace hlg::cli {
namespace {

/** "4.1 GB", in the powers of ten that hubs and disks are sold in. */
std::string human_size(std::uint64_t bytes) {
    constexpr double step = 1000.0;
    double size = static_cast<double>(bytes);
    const char* unit = "bytes";
    for (const char* larger : {"kB", "MB", "GB", "TB", "PB", "EB"}) {
        if (size < step) break;
        size /= step;
        unit = larger;
    }
    return fmt::format("{:.{}f} {}", size, bytes < 1000 ? 0 : 1, unit);
}

/** A line for each file as it begins, and the bar below. */
class DownloadView {
public:
    explicit DownloadView(std::string name) : name_(std::move(name)) {}

    void show(const engine::DownloadProgress& progress) {
        if (progress.waits && progress.part != waited_) tell_waiting(progress);
        if (progress.total == 0) return;
        if (progress.part != part_) announce(progress);
        bar_->show(static_cast<float>(static_cast<double>(progress.done) / static_cast<double>(progress.total)));
    }

private:
    void tell_waiting(const engine::DownloadProgress& progress) {
        bar_.reset();
        fmt::print(stderr, "hlg: another process downloads {} from {}; waiting for it\n", progress.file, name_);
        waited_ = progress.part;
    }

    void announce(const engine::DownloadProgress& progress) {
        bar_.reset();
        const std::string parts = progress.parts > 1 ? fmt::format(" ({} of {})", progress.part, progress.parts) : "";
        const std::string here = progress.kept > 0 ? fmt::format(", {} of them here", human_size(progress.kept)) : "";
        fmt::print(stderr, "hlg: downloading {} from {}{}, {}{}\n", progress.file, name_, parts, human_size(progress.total),
                   here);
        part_ = progress.part;
        bar_.emplace("downloading");
    }

    std::string name_;
    std::size_t part_ = 0;    // that was announced last
    std::size_t waited_ = 0;  // that was waited for last
    std::optional<ProgressBar> bar_;
};

[[noreturn]] void give_up(const engine::DownloadError& error) {
    using engine::DownloadFailure;
    switch (error.failure) {
        case DownloadFailure::interrupted: throw CommandError(exit_interrupted, error.message);
        case DownloadFailure::unreachable:
        case DownloadFailure::bad_answer:
        case DownloadFailure::no_room:
        case DownloadFailure::broken_off: throw CommandError(exit_failure, error.message);
        case DownloadFailure::bad_name: throw UsageError(speak_flags(error.message));
        case DownloadFailure::bad_token:
        case DownloadFailure::no_https:
        case DownloadFailure::no_such_repository:
        case DownloadFailure::no_access:
        case DownloadFailure::no_model:
        case DownloadFailure::no_such_quant:
        case DownloadFailure::not_in_cache: break;
    }
    throw UsageError(error.message);
}

}  // namespace

std::string download_model(const std::string& name, bool offline, bool verbose, const std::atomic<bool>& interrupted) {
    const char* token = std::getenv("HF_TOKEN");
    std::optional<DownloadView> view(name);
    engine::DownloadOptions options;
    options.token = token == nullptr ? "" : token;
    options.offline = offline;
    options.verbose = verbose;
    options.progress = [&](const engine::DownloadProgress& progress) {
        view->show(progress);
        return !interrupted;
    };
    auto path = engine::fetch_model(name, options);
    view.reset();
    if (!path) give_up(path.error());
    return *path;
}

}  // namespace hlg::cli
