// Which kernel sets this CPU can run. Highway compiles one set for each target in HWY_TARGETS; each target's demands on the
// CPU are those under which Highway lets the compiler use its instructions.
#include <array>

#include <hwy/highway.h>

#include "sample/kernels.hpp"

namespace hlg::sample {

// The set that needs nothing beyond what this file itself was compiled for.
namespace HWY_NAMESPACE {
extern const Kernels kernels;
}
#if HWY_TARGETS & HWY_AVX3 & ~HWY_STATIC_TARGET
#define HLG_HAS_AVX3
namespace N_AVX3 {
extern const Kernels kernels;
}
#endif
#if HWY_TARGETS & HWY_AVX2 & ~HWY_STATIC_TARGET
#define HLG_HAS_AVX2
namespace N_AVX2 {
extern const Kernels kernels;
}
#endif
#if HWY_TARGETS & HWY_SSE4 & ~HWY_STATIC_TARGET
#define HLG_HAS_SSE4
namespace N_SSE4 {
extern const Kernels kernels;
}
#endif

namespace {

struct Available {
    std::array<const Kernels*, 4> sets{};
    std::size_t count = 0;
    void add(const Kernels& kernels) { sets[count++] = &kernels; }
};

Available detect() {
    Available found;
#if HWY_ARCH_X86
    __builtin_cpu_init();
    [[maybe_unused]] const bool sse4 =
        __builtin_cpu_supports("sse4.2") && __builtin_cpu_supports("pclmul") && __builtin_cpu_supports("aes");
    // F16C, which Highway counts as part of AVX2, has no name here in clang 14; every CPU with AVX2 and FMA has it.
    [[maybe_unused]] const bool avx2 = sse4 && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
                                       __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("fma");
    [[maybe_unused]] const bool avx3 = avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
                                       __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw") &&
                                       __builtin_cpu_supports("avx512cd");
#ifdef HLG_HAS_AVX3
    if (avx3) found.add(N_AVX3::kernels);
#endif
#ifdef HLG_HAS_AVX2
    if (avx2) found.add(N_AVX2::kernels);
#endif
#ifdef HLG_HAS_SSE4
    if (sse4) found.add(N_SSE4::kernels);
#endif
#endif
    found.add(HWY_NAMESPACE::kernels);
    return found;
}

}  // namespace

std::span<const Kernels* const> available_kernels() noexcept {
    static const Available found = detect();
    return {found.sets.data(), found.count};
}

}  // namespace hlg::sample
