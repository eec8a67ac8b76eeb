// The floor under every exact sampler: it must look at each logit once, so it cannot be faster than the fastest maximum.
#pragma once

#include <cstddef>

namespace hlg::bench {

/** The largest of x[n], n > 0: one pass, no NaN check, nothing else. 4 n bytes read, n maxima taken. */
float floor_max(const float* x, std::size_t n);

/** The instruction set that floor_max runs on here, as Highway calls it. */
const char* floor_target();

}  // namespace hlg::bench
