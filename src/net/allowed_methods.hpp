// SPDX-License-Identifier: MIT
//
// The methods that a path knows, as the header Allow lists them.
#pragma once

#include <string>
#include <string_view>

#include "api/exchange.hpp"

namespace hlg::net {

/** Those of a path that is asked with `method`: HEAD goes with GET, OPTIONS with all. Without a method OPTIONS alone. */
std::string methods_with(std::string_view method);

/** Those of a path, by what its answer to a method that it does not know says. */
std::string methods_by(const api::Reply& refusal);

/** Completes the Allow of a 405; leaves all other replies as they are. */
void complete_allow(api::Reply& reply);

}  // namespace hlg::net
