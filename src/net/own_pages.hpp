// SPDX-License-Identifier: MIT
//
// What the server answers by itself: its health, its numbers, a page for people.
#pragma once

#include <string>

#include "api/exchange.hpp"

namespace hlg::net {

enum class Health { loading, ok, draining };

/** 200 if ok, else 503: balancers look no further. */
api::Reply health_page(Health health);

/** Prometheus' text format. */
api::Reply metrics_page(std::string text);

/** "/", until there is more to see. */
api::Reply front_page(const std::string& model, Health health);

}  // namespace hlg::net
