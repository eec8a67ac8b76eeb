// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "engine/result.hpp"
#include "hlg/status.hpp"

namespace hlg::engine {

/** Why there was no draw. Where no token is left, what the request bans has left none. */
inline Error sampling_error(Status status) {
    return {status == Status::no_token ? ErrorCode::bad_request : ErrorCode::sampling_failed, std::string(to_string(status))};
}

}  // namespace hlg::engine
