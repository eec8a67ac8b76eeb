// hlg_bench: every subject on every context, each timed in turn with the floor on the same array; then the tables.
// Flags of its own come before Google Benchmark's, which all work: --benchmark_filter=hlg_entropy/gemma, --benchmark_format=json,
// ...
#include <benchmark/benchmark.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <string_view>

#include "bench/contexts.hpp"
#include "bench/floor.hpp"
#include "bench/measure.hpp"
#include "bench/subjects.hpp"
#include "bench/summary.hpp"
#include "sample/kernels.hpp"

namespace {

using namespace hlg::bench;
using BenchContext = hlg::bench::Context;

// Shows the tables at the end instead of a line a run, and meanwhile, on a terminal, how far it is.
class Reporter : public benchmark::BenchmarkReporter {
public:
    Reporter(Summary& summary, std::size_t runs) : summary_(summary), runs_(runs), terminal_(isatty(STDERR_FILENO) != 0) {}

    bool ReportContext(const Context& context) override {
        std::cout << "CPU: " << context.cpu_info.num_cpus << " x " << std::llround(context.cpu_info.cycles_per_second / 1e6)
                  << " MHz";
        for (const auto& cache : context.cpu_info.caches)
            if (cache.type != "Instruction") std::cout << ", L" << cache.level << ' ' << cache.size / 1024 << " KiB";
        std::cout
            << "; " HLG_BENCH_COMPILER "; libhlg on " << hlg::sample::available_kernels().front()->name << ", the floor on "
            << floor_target() << ".\n"
            << "Floor: the largest of V float32 logits, 4 V bytes read and V maxima, no NaN check. Warm arrays; times are\n"
               "medians of rounds that alternate floor and subject. A draw of ours includes NaN detection; one of llama.cpp's\n"
               "includes filling its candidate array from the logits, as llama_sampler_sample does. See bench/README.md.\n"
            << std::flush;
        return true;
    }

    void ReportRuns(const std::vector<Run>& runs) override {
        for (const Run& run : runs) {
            if (run.run_type != Run::RT_Iteration) continue;
            ++done_;
            const std::string& name = run.run_name.function_name;
            if (run.error_occurred) {
                std::cerr << "hlg_bench: " << name << ": " << run.error_message << '\n';
                continue;
            }
            const auto value = [&](const char* key) { return run.counters.at(key).value; };
            summary_.add(name, {value(counter::kMicroseconds), value(counter::kFloor), value(counter::kRatio),
                                value(counter::kAllocations)});
            if (terminal_) std::cerr << "\r\033[K" << done_ << " of at most " << runs_ << "  " << name << std::flush;
        }
    }

    void Finalize() override {
        if (terminal_) std::cerr << "\r\033[K";
        summary_.print(std::cout);
    }

private:
    Summary& summary_;
    std::size_t runs_;
    std::size_t done_ = 0;
    bool terminal_;
};

// Takes "--logits DIR" or "--logits=DIR" out of the arguments. Without it: HLG_BENCH_LOGITS, then the default if it is there.
std::filesystem::path logits_folder(int& argc, char** argv) {
    std::filesystem::path folder;
    for (int i = 1; i < argc; ++i) {
        const std::string_view flag = argv[i];
        const bool joined = flag.starts_with("--logits=");
        if (!joined && (flag != "--logits" || i + 1 == argc)) continue;
        folder = joined ? argv[i] + std::strlen("--logits=") : argv[i + 1];
        const int taken = joined ? 1 : 2;
        std::copy(argv + i + taken, argv + argc + 1, argv + i);
        argc -= taken;
        return folder;
    }
    if (const char* variable = std::getenv("HLG_BENCH_LOGITS"); variable != nullptr && *variable != '\0') return variable;
    return std::filesystem::exists(HLG_BENCH_DEFAULT_LOGITS "/index.json") ? HLG_BENCH_DEFAULT_LOGITS : "";
}

bool wants_other_format(int argc, char** argv) {
    return std::any_of(argv, argv + argc, [](std::string_view flag) { return flag.starts_with("--benchmark_format"); });
}

void add(const Subject& subject, const std::string& name, const std::vector<const BenchContext*>& contexts) {
#ifdef __clang_analyzer__  // takes what the registry will own for a leak
    static_cast<void>(subject), static_cast<void>(name), static_cast<void>(contexts);
#else
    benchmark::RegisterBenchmark((subject.name + "/" + name).c_str(),
                                 [&subject, contexts](benchmark::State& state) { measure(state, subject, contexts); })
        ->Iterations(subject.rounds)
        ->UseManualTime()
        ->Unit(benchmark::kMicrosecond);
#endif
}

// One context after the other, so that what is compared on it runs close together in time. Returns how many there are.
std::size_t register_all(const std::vector<Subject>& subjects, const std::vector<BenchContext>& contexts) {
    std::size_t count = 0;
    for (const BenchContext& context : contexts)
        for (const Subject& subject : subjects) {
            add(subject, context.name, {&context});
            ++count;
        }
    for (const Rotated& rotated : rotations(contexts))
        for (const Subject& subject : subjects) {
            if (subject.kind != Subject::Kind::draw) continue;
            add(subject, rotated.name(), rotated.contexts);
            ++count;
        }
    return count;
}

int run(int argc, char** argv) {
    const std::filesystem::path folder = logits_folder(argc, argv);
    const bool other_format = wants_other_format(argc, argv);
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
    std::vector<BenchContext> contexts = synthetic_contexts();
    if (folder.empty()) {
        std::cerr << "hlg_bench: no real logits (--logits DIR or HLG_BENCH_LOGITS), synthetic ones only\n";
    } else {
        for (BenchContext& context : real_contexts(folder)) contexts.push_back(std::move(context));
    }
    const std::vector<Subject> all = subjects();
    Summary summary(all, contexts);
    Reporter reporter(summary, register_all(all, contexts));
    benchmark::RunSpecifiedBenchmarks(other_format ? nullptr : &reporter);
    benchmark::Shutdown();
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    try {
        return run(argc, argv);
    } catch (const std::exception& error) {
        std::cerr << "hlg_bench: " << error.what() << '\n';
        return 2;
    }
}
