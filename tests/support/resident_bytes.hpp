// How big the process is, for tests and benchmarks of what grows. Linux.
#pragma once

#include <unistd.h>

#include <cstddef>
#include <fstream>

namespace hlg::test {

/** Physical memory of this process now, bytes; 0 where it can't be told. */
inline std::size_t resident_bytes() {
    std::ifstream statm("/proc/self/statm");
    std::size_t size = 0;
    std::size_t resident = 0;
    statm >> size >> resident;
    return resident * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

}  // namespace hlg::test
