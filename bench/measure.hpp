// One subject on one context, or on several in rotation, timed in turn with the floor on the same arrays.
#pragma once

#include <benchmark/benchmark.h>

#include <vector>

#include "bench/contexts.hpp"
#include "bench/subjects.hpp"

namespace hlg::bench {

/** What measure() leaves in a run's counters. */
namespace counter {
inline constexpr const char* kMicroseconds = "us";          ///< a token, median of the rounds
inline constexpr const char* kFloor = "floor_us";           ///< the maximum of the same array, median of the rounds
inline constexpr const char* kRatio = "x_max";              ///< token over floor, median of the rounds' ratios
inline constexpr const char* kAllocations = "allocations";  ///< calls of operator new a token, after warm-up
}  // namespace counter

/**
 * The body of one Google Benchmark: an iteration is a round, and its time that of one token. Of several contexts each call takes
 * the next, each round all of them.
 */
void measure(benchmark::State& state, const Subject& subject, const std::vector<const Context*>& contexts);

/** The middle of the values (the upper one of two); takes a copy to sort. */
double median(std::vector<double> values);

}  // namespace hlg::bench
