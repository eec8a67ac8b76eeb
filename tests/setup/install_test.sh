#!/bin/bash
# An installed hlg runs from its prefix, wherever that is moved, and needs neither the build tree nor the cache.
# Usage: install_test.sh CASE
. "$(dirname "$0")/../shell.sh"

case_prefix_can_be_moved() {
    cmake --install "$HLG_BUILD" --prefix "$scratch/first" >/dev/null || die 'installation failed'
    mkdir "$scratch/a folder"
    mv "$scratch/first" "$scratch/a folder/second"
    local hlg=$scratch/a\ folder/second/bin/hlg
    run env -i PATH=/usr/bin:/bin "$hlg" run -p 'Once upon a time' -n 5 --seed 7 --json; expect_code 0
    expect_in '"completion_tokens":5' "$out"
    expect_in "a folder/second/share/hlg/models/storyteller.gguf" "$out"
    expect_not_in "$HLG_BUILD" "$(readelf -d "$hlg")"
    run env -i PATH=/usr/bin:/bin ldd "$hlg"
    expect_not_in 'not found' "$out"
    # Every library of llama.cpp must come from the prefix, unless it is the system's.
    grep -q '^HLG_ENGINE:STRING=system$' "$HLG_BUILD/CMakeCache.txt" && return 0
    expect_equal "$(grep -E 'libllama|libggml|libhlg' <<<"$out" | grep -v "$scratch/a folder/second/")" ''
}

run_case "$1"
