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

// One or more contexts, each with what its request set up.
class Rotation {
public:
    Rotation(const Subject& subject, const std::vector<const Context*>& contexts)
        : contexts_(contexts), calls_(std::max<std::size_t>(static_cast<std::size_t>(subject.calls), contexts.size())) {
        for (const Context* context : contexts) draws_.push_back(subject.start(*context));
    }

    /** Calls a round. */
    [[nodiscard]] std::size_t calls() const { return calls_; }

    void run_floor() const {
        for (std::size_t i = 0; i < calls_; ++i) {
            const auto logits = contexts_[i % contexts_.size()]->logits();
            benchmark::DoNotOptimize(floor_max(logits.data(), logits.size()));
            benchmark::ClobberMemory();
        }
    }

    void run_subject() {
        for (std::size_t i = 0; i < calls_; ++i) benchmark::DoNotOptimize(draws_[i % draws_.size()](index_++));
    }

private:
    const std::vector<const Context*>& contexts_;
    std::vector<DrawToken> draws_;
    std::size_t calls_;
    std::uint64_t index_ = 0;
};

struct Rounds {
    std::vector<double> token, floor, ratio;
};

void report(benchmark::State& state, const Rounds& rounds, double allocations_a_token) {
    state.counters[counter::kMicroseconds] = 1e6 * median(rounds.token);
    state.counters[counter::kFloor] = 1e6 * median(rounds.floor);
    state.counters[counter::kRatio] = median(rounds.ratio);
    state.counters[counter::kAllocations] = allocations_a_token;
}

void measure_or_throw(benchmark::State& state, const Subject& subject, const std::vector<const Context*>& contexts) {
    Rotation rotation(subject, contexts);
    const auto calls = static_cast<double>(rotation.calls());
    // Warm: the arrays in the cache, the sampler's memory taken, the clock frequency up.
    rotation.run_floor();
    rotation.run_subject();
    const std::uint64_t before = allocations();
    rotation.run_subject();
    const double taken = static_cast<double>(allocations() - before) / calls;

    Rounds rounds;
    for ([[maybe_unused]] auto _ : state) {
        const auto start = Clock::now();
        rotation.run_floor();
        const auto middle = Clock::now();
        rotation.run_subject();
        const auto end = Clock::now();
        rounds.floor.push_back(seconds(start, middle) / calls);
        rounds.token.push_back(seconds(middle, end) / calls);
        rounds.ratio.push_back(rounds.token.back() / rounds.floor.back());
        state.SetIterationTime(rounds.token.back());
    }
    report(state, rounds, taken);
}

}  // namespace

void measure(benchmark::State& state, const Subject& subject, const std::vector<const Context*>& contexts) {
    try {
        measure_or_throw(state, subject, contexts);
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
