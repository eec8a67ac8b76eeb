#include "bench/measure.hpp"

#include <algorithm>
#include <chrono>
#include <exception>

#include "bench/allocations.hpp"
#include "bench/floor.hpp"

namespace hlg::bench {
namespace {

using Clock = std::chrono::steady_clock;

double seconds(Clock::time_point from, Clock::time_point to) { return std::chrono::duration<double>(to - from).count(); }

void run_floor(const Context& context, int calls) {
    const auto logits = context.logits();
    for (int i = 0; i < calls; ++i) {
        benchmark::DoNotOptimize(floor_max(logits.data(), logits.size()));
        benchmark::ClobberMemory();
    }
}

void run_subject(const DrawToken& draw, int calls, std::uint64_t& index) {
    for (int i = 0; i < calls; ++i) benchmark::DoNotOptimize(draw(index++));
}

struct Rounds {
    std::vector<double> token, floor, ratio;
};

void report(benchmark::State& state, const Rounds& rounds, double allocations_a_token) {
    state.counters[counter::kMicroseconds] = 1e6 * median(rounds.token);
    state.counters[counter::kFloor] = 1e6 * median(rounds.floor);
    state.counters[counter::kRatio] = median(rounds.ratio);
    state.counters[counter::kAllocations] = allocations_a_token;
}

void measure_or_throw(benchmark::State& state, const Subject& subject, const Context& context) {
    const DrawToken draw = subject.start(context);
    std::uint64_t index = 0;
    // Warm: the array in the cache, the sampler's memory taken, the clock frequency up.
    run_floor(context, 4);
    run_subject(draw, std::max(4, subject.calls), index);
    const std::uint64_t before = allocations();
    run_subject(draw, std::max(4, subject.calls), index);
    const double taken = static_cast<double>(allocations() - before) / std::max(4, subject.calls);

    Rounds rounds;
    for ([[maybe_unused]] auto _ : state) {
        const auto start = Clock::now();
        run_floor(context, subject.calls);
        const auto middle = Clock::now();
        run_subject(draw, subject.calls, index);
        const auto end = Clock::now();
        rounds.floor.push_back(seconds(start, middle) / subject.calls);
        rounds.token.push_back(seconds(middle, end) / subject.calls);
        rounds.ratio.push_back(rounds.token.back() / rounds.floor.back());
        state.SetIterationTime(rounds.token.back());
    }
    report(state, rounds, taken);
}

}  // namespace

void measure(benchmark::State& state, const Subject& subject, const Context& context) {
    try {
        measure_or_throw(state, subject, context);
    } catch (const std::exception& error) {
        state.SkipWithError(error.what());
    }
}

double median(std::vector<double> values) {
    if (values.empty()) return 0;
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

}  // namespace hlg::bench
