// SPDX-License-Identifier: MIT
#include "cli/server_flags.hpp"

#include <algorithm>

#include "cli/command.hpp"
#include "cli/text_file.hpp"

namespace hlg::cli {
namespace {

constexpr std::int64_t usual_queue = 256;
constexpr std::size_t longest_key_file = std::size_t{1} << 20U;

/** A key must fit into a header. The key itself is nobody's business, so it is in no error. */
std::string checked_key(const std::string& key, const std::string& source) {
    const auto fits = [](unsigned char letter) { return letter > 0x20 && letter < 0x7F; };
    if (key.empty() || !std::all_of(key.begin(), key.end(), fits))
        throw UsageError(source + " must be printable ASCII without spaces, and not empty");
    return key;
}

/** An origin as browsers send it, or "*". */
std::string checked_origin(const std::string& origin) {
    const std::size_t scheme = origin.find("://");
    const bool whole = scheme != std::string::npos && scheme > 0 && origin.size() > scheme + 3 &&
                       origin.find_first_of("/ ,", scheme + 3) == std::string::npos;
    if (origin != "*" && origin != "null" && !whole)
        Flags::refuse("--cors-origin", "an origin such as https://example.com, or *", origin);
    return origin;
}

std::optional<net::LogFormat> log_format_from(const std::string& word) {
    if (word == "text") return net::LogFormat::text;
    if (word == "json") return net::LogFormat::json;
    if (word == "none") return net::LogFormat::none;
    return std::nullopt;
}

/** Keys of a file, one a line; lines that are empty or begin with # are none. */
std::vector<std::string> keys_in(const std::string& path) {
    const std::string text = read_text_file(path, "the keys", longest_key_file);
    std::vector<std::string> keys;
    for (std::size_t start = 0; start < text.size();) {
        const std::size_t end = std::min(text.find('\n', start), text.size());
        std::string line = text.substr(start, end - start);
        line.erase(line.find_last_not_of(" \t\r") + 1);
        if (!line.empty() && !line.starts_with('#')) keys.push_back(checked_key(line, "a key in " + path));
        start = end + 1;
    }
    if (keys.empty()) throw UsageError("there is no key in " + path);
    return keys;
}

}  // namespace

void ServerFlags::add_to(Flags& flags) {
    constexpr std::int64_t day = 86'400;
    flags.group("Server");
    flags.text("--host", "ADDRESS", host_, "Where to listen (127.0.0.1)");
    flags.whole("--port", port_, 0, 65535, "0 = any that is free (8080)");
    flags.each(
        "--api-key", "KEY", [this](const std::string& word) { keys_.push_back(checked_key(word, "--api-key")); },
        "Ask for this key, as Authorization: Bearer or x-api-key, everywhere but at /health, / and /report and for OPTIONS; "
        "repeatable");
    flags.text("--api-key-file", "FILE", key_file_, "Keys, one a line; others can't see them in the list of processes");
    flags.on("--allow-no-key", allow_no_key_, "Listen beyond this machine without a key: whoever reaches it may use it");
    flags.each(
        "--cors-origin", "ORIGIN", [this](const std::string& word) { origins_.push_back(checked_origin(word)); },
        "Pages of this origin may call, * = all pages; repeatable (none)");
    flags.on("--any-model", any_model_, "Requests may name any model, and get this one");
    flags.whole("--max-queue", max_queue_, 0, 1'000'000, "Requests that may wait for a lane; more get 429 (256)");
    flags.whole("--max-connections", max_connections_, 1, 1'000'000, "Clients connected at once; more get 503 (4096)");
    flags.whole("--max-body", max_body_, 1, 1024, "Size of a request, MiB; larger ones get 413 (16)");
    flags.whole("--timeout", timeout_, 0, 30 * day, "Time for a request, waiting included, seconds; 0 = no limit (3600)");
    flags.whole("--drain-timeout", drain_timeout_, 0, day,
                "On SIGTERM or Ctrl-C, time for requests under way to end, seconds (30)");
    flags.choice("--log-format", "text|json|none", log_format_, "A line on stderr for each request (text)", log_format_from);
}

net::ServerOptions ServerFlags::options() const {
    net::ServerOptions options;
    options.host = host_.value_or(options.host);
    options.port = static_cast<std::uint16_t>(port_.value_or(options.port));
    options.api_keys = keys_;
    if (key_file_)
        for (std::string& key : keys_in(*key_file_)) options.api_keys.push_back(std::move(key));
    options.open_to_all = allow_no_key_;
    options.cors_origins = origins_;
    if (max_body_) options.max_body = static_cast<std::size_t>(*max_body_) << 20U;
    if (max_connections_) options.max_connections = static_cast<std::size_t>(*max_connections_);
    if (timeout_) options.limits.request = std::chrono::seconds(*timeout_);
    if (drain_timeout_) options.limits.drain = std::chrono::seconds(*drain_timeout_);
    return options;
}

std::size_t ServerFlags::max_queue() const { return static_cast<std::size_t>(max_queue_.value_or(usual_queue)); }

}  // namespace hlg::cli
