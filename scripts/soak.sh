#!/bin/bash
# hlg serve under ASan + UBSan and then under TSan, each with many clients, a third of them badly behaved (tests/clients/soak_test.mjs)
# for so many seconds. Usage: soak.sh SECONDS [CLIENTS] [PRESET ...]
set -euo pipefail
cd "$(dirname "$0")/.."
readonly seconds=${1:?usage: soak.sh SECONDS [CLIENTS] [PRESET ...]} clients=${2:-200}
presets=("${@:3}")
[ ${#presets[@]} -gt 0 ] || presets=(asan tsan)
PATH=$(scripts/node.sh):$PATH

# llama.cpp's libraries are not instrumented. Under ASan leaks are LeakSanitizer's to find, for ASan keeps much of its own: what was
# freed, and where.
export TSAN_OPTIONS=ignore_noninstrumented_modules=1 ASAN_OPTIONS=quarantine_size_mb=16 UBSAN_OPTIONS=print_stacktrace=1
export HLG_SOAK_CLIENTS=$clients HLG_SOAK_SECONDS=$((seconds / 2))
for preset in "${presets[@]}"; do
    scripts/configure.sh "$preset" HLG_BUILD_CLI=ON HLG_BUILD_TESTS=ON
    cmake --build "build/$preset" --parallel "$(nproc)" --target hlg
    growth=64
    [ "$preset" != asan ] || growth=512
    echo "soak: $preset, $clients clients, $seconds s"
    HLG_SOAK_RSS_MIB=$growth HLG_PROGRAM=build/$preset/bin/hlg node --test --test-reporter=spec tests/clients/soak_test.mjs
done
