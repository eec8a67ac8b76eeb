// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>

namespace hlg::eval {

/** Seeded random numbers, the same on every machine: the standard's engine is fixed, its distributions are not. */
class Random {
public:
    explicit Random(std::uint64_t seed) : engine_(seed) {}

    /** In [0, 1), 53 bits. */
    double uniform() { return static_cast<double>(engine_() >> 11U) * 0x1p-53; }

    /** From 0 to n - 1; n >= 1. The bias, n / 2^64, is far below what any resample could show. */
    std::size_t below(std::size_t n) { return static_cast<std::size_t>(engine_() % n); }

    /** Standard normal. */
    double normal();

private:
    std::mt19937_64 engine_;
};

}  // namespace hlg::eval
