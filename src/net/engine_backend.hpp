// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "api/service.hpp"
#include "net/backend.hpp"

namespace hlg::net {

/** The api's service over an engine, which it keeps. */
std::shared_ptr<Backend> engine_backend(std::unique_ptr<engine::Engine> engine, api::ServiceOptions options);

}  // namespace hlg::net
