// SPDX-License-Identifier: MIT
#include "engine/download.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <exception>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include <download.h>
#include <log.h>

#include "engine/file_lock.hpp"
#include "engine/hub.hpp"

namespace hlg::engine {
namespace {

namespace fs = std::filesystem;
using Fetched = Result<std::string, DownloadError>;

constexpr std::chrono::milliseconds between_reports{100};
// How long a transfer may take to hear that it should stop. One that moves hears it at its next thousandth of the file, one that
// waits for the network when that gives up, after minutes.
constexpr std::chrono::milliseconds patience{1000};
constexpr std::uintmax_t room_left_over = std::uintmax_t{16} << 20U;  // a disk is not filled to its last byte

/** What the transfer's thread and its caller share; whoever goes last frees it. */
class Transfer {
public:
    void stop() { stopped_ = true; }
    [[nodiscard]] bool stopped() const { return stopped_; }

    void report(const DownloadProgress& progress) {
        const std::lock_guard lock(mutex_);
        progress_ = progress;
    }

    [[nodiscard]] DownloadProgress progress() {
        const std::lock_guard lock(mutex_);
        return progress_;
    }

    void finish(Fetched result) {
        const std::lock_guard lock(mutex_);
        result_ = std::move(result);
        finished_.notify_all();
    }

    /** The result, if it comes in time. */
    std::optional<Fetched> wait_for(std::chrono::milliseconds time) {
        std::unique_lock lock(mutex_);
        finished_.wait_for(lock, time, [this] { return result_.has_value(); });
        return result_;
    }

private:
    std::atomic<bool> stopped_{false};
    std::mutex mutex_;
    std::condition_variable finished_;
    DownloadProgress progress_;
    std::optional<Fetched> result_;
};

/** llama-common's name for a file that is not all here. */
std::string partial(const std::string& path) { return path + ".downloadInProgress"; }

std::uintmax_t size_of(const fs::path& path) {
    std::error_code missing;
    const std::uintmax_t size = fs::file_size(path, missing);
    return missing ? 0 : size;
}

bool has_room(const std::string& path, std::uintmax_t bytes) {
    std::error_code unknown;
    const fs::space_info space = fs::space(fs::path(path).parent_path(), unknown);
    return unknown || space.available >= room_left_over + bytes;
}

/** Follows one file. llama-common deletes what has come when it is cancelled, but asks once more before it does: after on_done()
    this says no, and the file stays for the next try. */
class FileWatch final : public common_download_callback {
public:
    FileWatch(Transfer& transfer, DownloadProgress progress, std::string path)
        : transfer_(transfer), progress_(std::move(progress)), path_(std::move(path)) {}

    void on_start(const common_download_progress& told) override {
        progress_.total = told.total;
        // As long as the whole file but never renamed, or longer: nothing can be asked for behind its end.
        if (told.total > 0 && size_of(partial(path_)) >= told.total) {
            std::error_code ignored;
            fs::remove(partial(path_), ignored);
        }
        progress_.kept = progress_.done = size_of(partial(path_));
        full_ = !has_room(path_, missing());
        transfer_.report(progress_);
    }

    void on_update(const common_download_progress& told) override {
        progress_.done = told.downloaded;
        progress_.total = told.total;
        transfer_.report(progress_);
    }

    void on_done(const common_download_progress& /*told*/, bool /*ok*/) override { done_ = true; }

    [[nodiscard]] bool is_cancelled() const override { return !done_ && (full_ || transfer_.stopped()); }

    /** Whether the hub has sent a byte or said how many there are. */
    [[nodiscard]] bool started() const { return done_; }

    [[nodiscard]] bool full() const { return full_ || !has_room(path_, missing()); }

    [[nodiscard]] std::uint64_t total() const { return progress_.total; }

private:
    [[nodiscard]] std::uint64_t missing() const { return progress_.total - std::min(progress_.done, progress_.total); }

    Transfer& transfer_;
    DownloadProgress progress_;
    std::string path_;
    bool full_ = false;
    bool done_ = false;
};

DownloadError stopped(const ModelName& name) {
    return {DownloadFailure::interrupted, "stopped while downloading " + name.text() + "; the next try goes on from there"};
}

/** Why the transfer came to nothing; `status` is -1 or the hub's refusal. */
DownloadError failed(const ModelName& name, const std::string& file, int status, const Transfer& transfer, const FileWatch& watch,
                     const DownloadOptions& options) {
    if (transfer.stopped()) return stopped(name);
    if (status > 0) return refused_file(name, file, status, !options.token.empty());
    if (!watch.started())
        return {DownloadFailure::unreachable,
                "no answer from " + hub_address() + " when asked for " + file + " of " + name.repository};
    if (watch.full())
        return {DownloadFailure::no_room, "too little room in the cache for " + file + " of " + std::to_string(watch.total()) +
                                              " bytes (HF_HOME moves the cache)"};
    return {DownloadFailure::broken_off,
            "the download of " + file + " broke off, or the cache can't be written; the next try goes on with what has come"};
}

/** Until no other process has the lock; two that write one file would spoil it. False: told to stop before. */
bool wait_for(const FileLock& lock, DownloadProgress progress, Transfer& transfer) {
    progress.waits = true;
    while (!lock.take()) {
        if (transfer.stopped()) return false;
        transfer.report(progress);
        std::this_thread::sleep_for(between_reports);
    }
    return true;
}

/** One file into the cache's store; what is there stays as it is. */
std::optional<DownloadError> fetch_file(const ModelName& name, const hf_cache::hf_file& file, const DownloadProgress& start,
                                        Transfer& transfer, const DownloadOptions& options) {
    if (fs::exists(file.local_path)) return std::nullopt;
    const FileLock lock(
        partial(file.local_path));  // of the very file that is written: it needs no other, and goes when it is renamed
    if (!wait_for(lock, start, transfer)) return stopped(name);
    FileWatch watch(transfer, start, file.local_path);
    common_download_opts opts;
    opts.bearer_token = options.token;
    opts.callback = &watch;
    const int status = common_download_file_single(file.url, file.local_path, opts, true);
    if (status < 200 || status >= 400) return failed(name, file.path, status, transfer, watch, options);
    // A connection may end early without an error where the length was not said twice, and a last write may fail.
    const std::uintmax_t size = size_of(file.local_path);
    if (watch.total() == 0 || size == watch.total()) return std::nullopt;
    std::error_code ignored;
    fs::remove(file.local_path, ignored);
    return DownloadError{DownloadFailure::broken_off, "of " + file.path + " came " + std::to_string(size) + " bytes instead of " +
                                                          std::to_string(watch.total()) + "; they were dropped"};
}

Fetched fetch_files(const ModelName& name, const std::vector<hf_cache::hf_file>& files, Transfer& transfer,
                    const DownloadOptions& options) {
    for (std::size_t i = 0; i < files.size(); ++i) {
        if (transfer.stopped()) return stopped(name);
        const DownloadProgress start{.file = files[i].path, .part = i + 1, .parts = files.size()};
        if (auto error = fetch_file(name, files[i], start, transfer, options)) return *error;
    }
    // Only now, so that the cache never shows some of a model's files without the others.
    for (const hf_cache::hf_file& file : files)
        if (!fs::exists(hf_cache::finalize_file(file)))
            return DownloadError{DownloadFailure::broken_off, "the cache can't be written: " + file.final_path};
    return files.front().final_path;
}

Fetched fetch(const ModelName& name, Transfer& transfer, const DownloadOptions& options) {
    if (std::string path = cached_model(name); !path.empty()) return path;
    if (options.offline)
        return DownloadError{DownloadFailure::not_in_cache,
                             name.text() + " is not in the cache, and --offline forbids to download it"};
    auto files = files_on_hub(name, options.token);
    if (!files) return files.error();
    return fetch_files(name, *files, transfer, options);
}

void work(const ModelName& name, Transfer& transfer, const DownloadOptions& options) noexcept {
    sigset_t all;
    sigfillset(&all);  // they are for the caller's thread; a connection that breaks off ends no program either
    pthread_sigmask(SIG_BLOCK, &all, nullptr);
    try {
        transfer.finish(fetch(name, transfer, options));
    } catch (const std::exception& error) {
        transfer.finish(DownloadError{DownloadFailure::broken_off, "can't download " + name.text() + ": " + error.what()});
    }
}

/** A thread that is left behind if it has not been waited for. */
class Worker {
public:
    template <class Task>
    explicit Worker(Task task) : thread_(std::move(task)) {}
    ~Worker() {
        if (thread_.joinable()) thread_.detach();
    }
    Worker(const Worker&) = delete;
    Worker& operator=(const Worker&) = delete;

    void join() { thread_.join(); }

private:
    std::thread thread_;
};

/** Reports until there is a result, or until the transfer has been told to stop and takes too long. */
Fetched follow(const ModelName& name, const DownloadOptions& options) {
    const auto transfer = std::make_shared<Transfer>();
    const int threshold = common_log_get_verbosity_thold();
    common_log_set_verbosity_thold(options.verbose ? LOG_LEVEL_WARN : LOG_LEVEL_OUTPUT - 1);
    // Everything by value: the thread may outlive the call.
    Worker worker([name, transfer, token = options.token, offline = options.offline] {
        work(name, *transfer, {.token = token, .offline = offline});
    });
    std::optional<Fetched> result = transfer->wait_for(std::chrono::milliseconds::zero());
    while (!result && !transfer->stopped()) {
        if (options.progress && !options.progress(transfer->progress())) transfer->stop();
        result = transfer->wait_for(transfer->stopped() ? patience : between_reports);
    }
    if (!result) return stopped(name);
    worker.join();
    if (options.verbose) common_log_flush(common_log_main());
    common_log_set_verbosity_thold(threshold);  // only now that nobody else uses the log: this knows no threads
    return std::move(*result);
}

bool fits_a_header(const std::string& token) {
    return std::all_of(token.begin(), token.end(), [](char c) { return c > ' ' && c <= '~'; });
}

}  // namespace

Fetched fetch_model(const std::string& name, const DownloadOptions& options) {
    const std::optional<ModelName> parsed = parse_model_name(name);
    if (!parsed) return DownloadError{DownloadFailure::bad_name, "[hf] must be USER/REPO or USER/REPO:QUANT, got " + name};
    if (!fits_a_header(options.token))
        return DownloadError{DownloadFailure::bad_token, "HF_TOKEN holds a space or another character that is in no token"};
    try {
        return follow(*parsed, options);
    } catch (const std::exception& error) {
        return DownloadError{DownloadFailure::broken_off, "can't download " + name + ": " + error.what()};
    }
}

}  // namespace hlg::engine
