#!/bin/bash
# The sampler as a program outside this tree meets it: installed, found by CMake, compiled with its own llama.h.
# Usage: outside_test.sh CASE ENGINE_FOLDER
. "$(dirname "$0")/../shell.sh"
engine=$2
strict=(-Wall -Wextra -Wpedantic -Werror)

cmake --install "$HLG_BUILD" --component development --prefix "$scratch/prefix" >/dev/null || die 'installing failed'
cmake --install "$HLG_BUILD" --component library --prefix "$scratch/prefix" >/dev/null || die 'installing failed'

# What llama.cpp's own installation would bring.
write_llama_package() {
    local lib=$engine/lib name
    mkdir "$scratch/llama"
    {
        echo 'add_library(llama INTERFACE IMPORTED)'
        printf 'set_target_properties(llama PROPERTIES INTERFACE_INCLUDE_DIRECTORIES "%s;%s" INTERFACE_LINK_LIBRARIES "' \
            "$engine/src/include" "$engine/src/ggml/include"
        for name in ggml-base ggml llama; do printf '%s;' "$(compgen -G "$lib/lib$name.*so" || echo "$lib/lib$name.so")"; done
        echo '")'
    } >"$scratch/llama/llama-config.cmake"
}

case_example() {
    write_llama_package
    run cmake -S "$HLG_SOURCE/examples" -B "$scratch/build" -DCMAKE_PREFIX_PATH="$scratch/prefix" -Dllama_DIR="$scratch/llama" \
        -DCMAKE_CXX_FLAGS="${strict[*]}"; expect_code 0
    run cmake --build "$scratch/build" --target llama_plugin; expect_code 0
    cd "$engine/lib" # where llama.cpp looks for its CPU backends
    local model=$HLG_SOURCE/models/storyteller.gguf
    run "$scratch/build/llama_plugin" "$model" 'Once upon a time' 7; expect_code 0
    expect_equal "$err" 'the curve runs in the graph'
    local first=$out
    [ ${#first} -gt 200 ] || die "a short story: $first"
    run "$scratch/build/llama_plugin" "$model" 'Once upon a time' 7; expect_equal "$out" "$first"
    run "$scratch/build/llama_plugin" "$model" 'Once upon a time' 8
    [ "$out" != "$first" ] || die 'another seed wrote the same story'
    run "$scratch/build/llama_plugin" "$scratch/none.gguf" x; expect_code 1
    run "$scratch/build/llama_plugin"; expect_code 2
}

case_header_stands_alone() {
    local compiler
    for compiler in g++ clang++; do
        command -v "$compiler" >/dev/null || continue
        run "$compiler" -x c++ -std=c++20 "${strict[@]}" -fsyntax-only -I "$scratch/prefix/include" -include hlg/llama.hpp /dev/null
        expect_code 0
    done
}

run_case "$1"
