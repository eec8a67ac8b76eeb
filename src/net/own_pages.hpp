// SPDX-License-Identifier: MIT
//
// What the server answers by itself: its health, its numbers, pages for people.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "api/exchange.hpp"

namespace hlg::net {

enum class Health { loading, ok, draining };

/** 200 if ok, else 503: balancers look no further. */
api::Reply health_page(Health health);

/** Prometheus' text format. */
api::Reply metrics_page(std::string text);

/** Whether a page for people is at this path; it says nothing of the server, so whoever has no key may see it. */
bool has_page(std::string_view path);

/** Whether the server answers this path by itself. All of these know GET. */
bool is_own(std::string_view path);

/**
 * The page at this path, the playground at "/" or the report viewer at "/report": compressed where `accept_encoding`, the
 * request's header, takes gzip. Its policy lets it ask this server alone.
 */
api::Reply page(std::string_view path, std::optional<std::string_view> accept_encoding);

}  // namespace hlg::net
