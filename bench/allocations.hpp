// Counts what the process takes from the heap by operator new, in this program and in every library that it loads.
#pragma once

#include <cstdint>

namespace hlg::bench {

/** Calls of operator new so far. */
std::uint64_t allocations() noexcept;

}  // namespace hlg::bench
