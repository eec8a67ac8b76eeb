// SPDX-License-Identifier: MIT
//
// One model over several hosts: llama.cpp's RPC servers, whose devices then count as GPUs of this machine.
#pragma once

#include <string>
#include <vector>

#include "engine/result.hpp"

namespace hlg::engine {

/**
 * Adds the devices of these servers, each "host:port" (IPv4), in this order; one that was added before stays as it is. For
 * the whole process, once its backends are there. Errors: bad_settings, which name the server; the prebuilt llama.cpp knows none.
 * A server that goes away later ends the process: llama.cpp aborts.
 */
Failure add_rpc_servers(const std::vector<std::string>& servers);

}  // namespace hlg::engine
