#!/bin/bash
# Builds the fuzz targets with clang under ASan + UBSan and runs each for so many seconds, as many at a time as there are
# processors, beginning with its seeds and with what earlier runs found. Usage: fuzz.sh SECONDS [NAME ...]
# What breaks a rule is kept in build/fuzz/found; give the target that file to see it again.
set -euo pipefail
cd "$(dirname "$0")/.."
readonly seconds=${1:?usage: fuzz.sh SECONDS [NAME ...]}
shift
readonly build=build/fuzz
targets=("$@")
[ ${#targets[@]} -gt 0 ] || targets=(grammar_fuzz request_fuzz http_fuzz hlg_fuzz answer_fuzz draw_fuzz) # slow ones first

draw=OFF
[[ " ${targets[*]} " != *' draw_fuzz '* ]] || draw=ON
grep -qs "^HLG_FUZZ_DRAW:BOOL=$draw\$" $build/CMakeCache.txt ||
    CXX=clang++ cmake -S . -B $build -G Ninja -DCMAKE_BUILD_TYPE=RelWithDebInfo -DCMAKE_CXX_FLAGS_RELWITHDEBINFO='-O1 -g1' \
        -DHLG_BUILD_FUZZ=ON -DHLG_FUZZ_DRAW=$draw -DHLG_SANITIZE=address,undefined >/dev/null
cmake --build $build --parallel "$(nproc)" --target "${targets[@]}"

# Grammars may take a second each, ten under sanitizers; what takes longer hangs. The first folder takes what is new.
run() {
    local name=$1 seeds=fuzz/corpus/$1 words=fuzz/$1.dict own=build/fuzz/corpus/$1 log=build/fuzz/$1.log
    mkdir -p "$own" build/fuzz/found
    local arguments=(-max_total_time="$2" -timeout=30 -rss_limit_mb=4096 -print_final_stats=1 -artifact_prefix="build/fuzz/found/$name-")
    [ ! -f "$words" ] || arguments+=("-dict=$words")
    arguments+=("$own")
    [ ! -d "$seeds" ] || arguments+=("$seeds")
    if "build/fuzz/fuzz/$name" "${arguments[@]}" >"$log" 2>&1; then
        echo "fuzz: $name, $2 s: $(sed -n 's/^stat::number_of_executed_units: *//p' "$log") inputs, $(find "$own" -type f | wc -l) worth keeping"
    else
        tail -n 60 "$log"
        echo "fuzz: $name FAILED; the input is in build/fuzz/found"
        return 1
    fi
}
export -f run
printf '%s\n' "${targets[@]}" | xargs -P "$(nproc)" -I NAME bash -c "run NAME $seconds"
