// SPDX-License-Identifier: MIT
//
// The one place that starts llama.cpp in this process and listens to its log.
#pragma once

#include <string>

namespace hlg::engine {

/** Loads llama.cpp's backends, the first time it is called; `verbose` sends its log to stderr from now on. Thread-safe. */
void start_backend(bool verbose);

/** "llama.cpp 0.4.0", as it calls itself. */
std::string backend_version();

/** The first error that llama.cpp logged since the last call, which is the cause of those after it, and forgets it; without its
    newline and the names of functions; empty if there was none. */
std::string take_backend_error();

}  // namespace hlg::engine
