// SPDX-License-Identifier: MIT
//
// The flags of a server: where it listens, who may ask, and its limits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/flags.hpp"
#include "net/access_log.hpp"
#include "net/server_options.hpp"

namespace hlg::cli {

class ServerFlags {
public:
    /** Adds the flags; the object must live until parsing is over. */
    void add_to(Flags& flags);

    /** What the flags say. Reads the file with the keys, if there is one. Throws UsageError. */
    [[nodiscard]] net::ServerOptions options() const;

    /** Requests that may wait beyond those that run. */
    [[nodiscard]] std::size_t max_queue() const;

    [[nodiscard]] net::LogFormat log_format() const { return log_format_.value_or(net::LogFormat::text); }
    [[nodiscard]] bool any_model() const noexcept { return any_model_; }

private:
    std::optional<std::string> host_;
    std::optional<std::int64_t> port_;
    std::vector<std::string> keys_;
    std::optional<std::string> key_file_;
    bool allow_no_key_ = false;
    std::vector<std::string> origins_;
    bool any_model_ = false;
    std::optional<std::int64_t> max_queue_;
    std::optional<std::int64_t> max_connections_;
    std::optional<std::int64_t> max_body_;       ///< MiB
    std::optional<std::int64_t> timeout_;        ///< seconds
    std::optional<std::int64_t> drain_timeout_;  ///< seconds
    std::optional<net::LogFormat> log_format_;
};

}  // namespace hlg::cli
