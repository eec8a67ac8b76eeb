#!/bin/bash
# scripts/engine.sh on a miniature of llama.cpp's packages. Usage: engine_test.sh CASE
. "$(dirname "$0")/../shell.sh"
. "$(dirname "$0")/fake_npm.sh"
readonly engine=$HLG_SOURCE/scripts/engine.sh
readonly version=$(sed -n 's/^readonly version=\([0-9.]*\).*/\1/p' "$engine")
case $(uname -m) in x86_64) platform=linux-x64 ;; aarch64) platform=linux-arm64 ;; *) exit 0 ;; esac

# The source package: a git bundle. The library package: two libraries and a Node binding.
make_packages() {
    local tree=$scratch/tree
    mkdir -p "$tree"/{include,ggml/include,common,vendor/nlohmann,src,models/templates} "$scratch/source/package/llama" "$scratch/libs/package/bins/$platform"
    touch "$tree"/{LICENSE,include/llama.h,ggml/include/ggml.h,common/chat.h,common/chat.cpp,vendor/nlohmann/json.hpp,src/llama.cpp}
    touch "$tree"/models/{ggml-vocab-gemma-4.gguf,ggml-vocab-other.gguf,templates/openbmb-MiniCPM5-1B.jinja}
    git -C "$tree" init -q
    git -C "$tree" add .
    git -C "$tree" -c user.name=test -c user.email=test@localhost -c commit.gpgsign=false commit -qm miniature
    git -C "$tree" bundle create -q "$scratch/source/package/llama/gitRelease.bundle" HEAD
    offer "node-llama-cpp@$version" "$scratch/source"
    touch "$scratch/libs/package/bins/$platform"/{libllama.so,libggml.so,llama-addon.node,_meta.json}
    offer "@node-llama-cpp/$platform@$version" "$scratch/libs"
}
make_packages

expect_engine() {
    [ -f "$1/src/common/chat.h" ] && [ -f "$1/src/vendor/nlohmann/json.hpp" ] && [ -f "$1/src/ggml/include/ggml.h" ] || die "headers missing in $1"
    [ -f "$1/lib/libllama.so" ] && [ -f "$1/src/LICENSE" ] || die "libraries or licence missing in $1"
    [ ! -e "$1/src/common/chat.cpp" ] && [ ! -e "$1/lib/llama-addon.node" ] || die "more than needed in $1"
}

case_unpacks_headers_and_libraries() {
    run "$engine" prebuilt; expect_code 0
    expect_engine "$out"
    expect_equal "$(find "$HLG_CACHE" -name 'tmp.*')" ''
}

case_vocabulary_alone() {
    run "$engine" vocabulary; expect_code 0
    expect_equal "$(cd "$out" && find . -type f | sort | tr '\n' ' ')" \
        './LICENSE ./models/ggml-vocab-gemma-4.gguf ./models/templates/openbmb-MiniCPM5-1B.jinja '
    expect_equal "$(calls)" 1
}

case_second_run_needs_no_npm() {
    run "$engine" prebuilt; expect_code 0
    local first=$out before
    before=$(calls)
    run "$engine" prebuilt; expect_code 0
    expect_equal "$out" "$first"
    expect_equal "$err" ''
    expect_equal "$(calls)" "$before"
}

case_killed_set_up_leaves_nothing() {
    export FAKE_NPM_SLEEP=30
    setsid "$engine" prebuilt >/dev/null 2>&1 &
    local pid=$!
    for _ in {1..100}; do [ "$(calls)" -gt 0 ] && break; sleep 0.05; done
    kill -KILL -- -$pid
    wait $pid 2>/dev/null
    [ ! -d "$HLG_CACHE/engine" ] || die 'a half-made engine is in place'
    unset FAKE_NPM_SLEEP
    run "$engine" prebuilt; expect_code 0
    expect_engine "$out"
    expect_equal "$(find "$HLG_CACHE" -name 'tmp.*')" ''
}

case_two_at_once() {
    export FAKE_NPM_SLEEP=1
    "$engine" prebuilt >"$scratch/one" 2>&1 &
    local pid=$!
    for _ in {1..100}; do [ "$(calls)" -gt 0 ] && break; sleep 0.05; done
    run "$engine" prebuilt; expect_code 0
    wait $pid || die "the first failed: $(cat "$scratch/one")"
    expect_in 'another set-up' "$err"
    expect_engine "$out"
    expect_equal "$(calls)" 2
}

run_case "$1"
