// SPDX-License-Identifier: MIT
#include "net/access_log.hpp"

#include <cstdio>
#include <mutex>
#include <utility>

#include <fmt/chrono.h>
#include <fmt/core.h>
#include <spdlog/async_logger.h>
#include <spdlog/details/thread_pool.h>
#include <spdlog/sinks/base_sink.h>
#include <nlohmann/json.hpp>

namespace hlg::net {
namespace {

constexpr std::size_t held_lines = 8192;
constexpr std::size_t longest_path = 256;  // bytes; a log is no place to store what clients send

using Json = nlohmann::ordered_json;

/** "2026-01-31T12:00:00.123Z". */
std::string time_text(std::int64_t time_ms) {
    return fmt::format("{:%Y-%m-%dT%H:%M:%S}.{:03}Z", fmt::gmtime(static_cast<std::time_t>(time_ms / 1000)), time_ms % 1000);
}

const char* word_of(End end) {
    switch (end) {
        case End::complete: return "complete";
        case End::client_gone: return "client_gone";
        case End::too_slow: return "too_slow";
        case End::timeout: return "timeout";
        case End::drain_timeout: return "drain_timeout";
        case End::stopped: return "stopped";
        case End::error: return "error";
    }
    return "complete";
}

/** In quotes, everything but printable ASCII escaped. */
std::string quoted(const std::string& text) {
    std::string safe = Json(text.substr(0, longest_path)).dump(-1, ' ', true, Json::error_handler_t::replace);
    for (std::size_t at = 0; (at = safe.find('\x7F', at)) != std::string::npos;) safe.replace(at, 1, "\\u007f");
    return safe;
}

std::string json_line(const AccessEntry& entry) {
    return fmt::format(
        R"({{"time":"{}","id":{},"client":{},"method":{},"path":{},"status":{},"ms":{:.3f},"tokens":{},"bytes":{},"end":"{}"}})",
        time_text(entry.time_ms), quoted(entry.id), quoted(entry.client), quoted(entry.method), quoted(entry.path), entry.status,
        entry.milliseconds, entry.tokens, entry.bytes, word_of(entry.end));
}

std::string text_line(const AccessEntry& entry) {
    return fmt::format("{} id={} client={} method={} path={} status={} ms={:.3f} tokens={} bytes={} end={}",
                       time_text(entry.time_ms), quoted(entry.id), quoted(entry.client), quoted(entry.method), quoted(entry.path),
                       entry.status, entry.milliseconds, entry.tokens, entry.bytes, word_of(entry.end));
}

class LineSink : public spdlog::sinks::base_sink<std::mutex> {
public:
    explicit LineSink(std::function<void(std::string_view)> take) : take_(std::move(take)) {}

protected:
    void sink_it_(const spdlog::details::log_msg& message) override { take_({message.payload.data(), message.payload.size()}); }
    void flush_() override {}

private:
    std::function<void(std::string_view)> take_;
};

void to_stderr(std::string_view line) {
    const std::string whole = std::string(line) + "\n";  // one write: lines of others must not come between
    std::fwrite(whole.data(), 1, whole.size(), stderr);
}

}  // namespace

std::string access_line(const AccessEntry& entry, LogFormat format) {
    return format == LogFormat::json ? json_line(entry) : text_line(entry);
}

struct AccessLog::Impl {
    LogFormat format;
    std::shared_ptr<spdlog::details::thread_pool> thread;
    std::shared_ptr<spdlog::async_logger> logger;  ///< what is queued holds it, so the thread ends after the last line
};

AccessLog::AccessLog(LogFormat format, std::function<void(std::string_view)> sink) : impl_(std::make_unique<Impl>()) {
    impl_->format = format;
    if (format == LogFormat::none) return;
    if (!sink) sink = to_stderr;
    impl_->thread = std::make_shared<spdlog::details::thread_pool>(held_lines, 1);
    impl_->logger = std::make_shared<spdlog::async_logger>("access", std::make_shared<LineSink>(std::move(sink)), impl_->thread,
                                                           spdlog::async_overflow_policy::overrun_oldest);
}

AccessLog::~AccessLog() = default;

void AccessLog::write(const AccessEntry& entry) {
    if (impl_->logger) impl_->logger->log(spdlog::level::info, spdlog::string_view_t(access_line(entry, impl_->format)));
}

}  // namespace hlg::net
