#!/bin/bash
# Runs the benchmarks: the draw, then the lanes over the demo model, one with a vocabulary of 262,144 tokens, and one of 88 million
# parameters; the latter two have random weights and are made here. Usage: bench.sh BUILD [MODEL.gguf ...], with further models.
set -euo pipefail
cd "$(dirname "$0")/.."
readonly build=${1:?usage: bench.sh BUILD [MODEL.gguf ...]}
shift

tools/models.sh "$build/bin/hlg_make_model" "$build/random_models" "${HLG_LLAMA_SOURCE:-}"
readonly large=$build/bench_models/llama-88m-q4_k_m.gguf
if [ ! -f "$large" ]; then
    mkdir -p "${large%/*}.part"
    "$build/bin/hlg_make_model" llama-88m --types q4_k_m -o "${large%/*}.part"
    mv "${large%/*}.part" "${large%/*}"
fi
"$build/bin/hlg_bench"
"$build/bin/hlg_lanes_bench" models/storyteller.gguf "$build/random_models/gemma4-q8_0.gguf" "$large" "$@"
