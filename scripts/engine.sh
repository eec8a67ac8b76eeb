#!/bin/bash
# Prints the folder that holds llama.cpp, making it in HLG_CACHE when it is not there yet:
#   src/   headers: include, ggml/include, common, vendor      lib/   shared libraries, CPU variants beside them
#   bin/   of `source` only: llama-server and llama-batched-bench to measure ourselves against, ggml-rpc-server for more hosts
# Usage: engine.sh prebuilt|source|vocabulary. `prebuilt` unpacks the package's libraries; `source` builds its sources for this
# very CPU; `vocabulary` unpacks only what test models are made from: a real vocabulary and a chat template, both in models/.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=cache.sh
. "$here/cache.sh"

readonly mode=${1:?usage: engine.sh prebuilt|source|vocabulary}
readonly version=3.21.1 # of node-llama-cpp; it holds llama.cpp v0.4.0
case $mode in
    vocabulary) key= ;;
    *) platform=$(npm_platform) key=-$platform ;;
esac
# What is built for this CPU must not be found on another one that shares the cache; and who has OpenSSL's headers now wants the
# HTTPS that llama.cpp leaves out without them.
if [ "$mode" = source ]; then
    key=$key-$(grep -m 1 -E '^(flags|Features)' /proc/cpuinfo | sha256sum | cut -c1-8)
    echo '#include <openssl/ssl.h>' | "${CXX:-c++}" -E -x c++ - >/dev/null 2>&1 || key=$key-no-https
fi
readonly root=$HLG_CACHE/engine/$mode-$version$key

# The package's git bundle as a bare repository in FOLDER/repo.
clone_bundle() {
    local folder=$1 archive
    archive=$("$here/archive.sh" "node-llama-cpp@$version")
    tar -xzf "$archive" -C "$folder" package/llama/gitRelease.bundle
    git clone --quiet --bare "$folder/package/llama/gitRelease.bundle" "$folder/repo"
    rm -rf "$folder/package"
}

# What our code includes, and the licences of what we hand on.
export_headers() {
    local repo=$1 into=$2
    mkdir -p "$into"
    git --git-dir "$repo" archive HEAD LICENSE include ggml/include common vendor | tar -x -C "$into"
    find "$into" -type f ! -name '*.h' ! -name '*.hpp' ! -name 'LICENSE*' -delete
    find "$into" -type d -empty -delete
}

make_vocabulary() {
    git --git-dir "$1/repo" archive HEAD LICENSE models/ggml-vocab-gemma-4.gguf models/templates/openbmb-MiniCPM5-1B.jinja | tar -x -C "$1"
}

make_prebuilt() {
    local into=$1 archive
    export_headers "$into/repo" "$into/src"
    archive=$("$here/archive.sh" "@node-llama-cpp/$platform@$version")
    mkdir "$into/lib"
    tar -xzf "$archive" -C "$into/lib" --strip-components=3 "package/bins/$platform"
    rm -f "$into"/lib/*.node "$into"/lib/_*.json # the Node binding, not ours to use
}

# RPC lets one model run over several hosts.
make_source() {
    local into=$1 jobs
    export_headers "$into/repo" "$into/src"
    jobs=$(nproc)
    mkdir "$into/full"
    git --git-dir "$into/repo" archive HEAD | tar -x -C "$into/full"
    say "building llama.cpp for this CPU with $jobs jobs; on 2 cores that takes 10 to 20 minutes, once"
    [[ $key != *-no-https ]] || say "without HTTPS, as libssl-dev is missing, so this engine downloads no models"
    cmake -S "$into/full" -B "$into/build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DBUILD_SHARED_LIBS=ON \
        -DGGML_NATIVE=ON -DGGML_RPC=ON -DGGML_CCACHE=OFF -DLLAMA_BUILD_TESTS=OFF -DLLAMA_BUILD_EXAMPLES=OFF \
        -DCMAKE_BUILD_WITH_INSTALL_RPATH=ON -DCMAKE_INSTALL_RPATH='$ORIGIN;$ORIGIN/../lib' >"$into/log" 2>&1 &&
        cmake --build "$into/build" --parallel "$jobs" \
            --target llama llama-common llama-server llama-batched-bench ggml-rpc-server >>"$into/log" 2>&1 ||
        { tail -n 40 "$into/log" >&2; say "building llama.cpp failed"; return 1; }
    mkdir "$into/lib" "$into/bin"
    cp -P "$into"/build/bin/*.so* "$into/lib/"
    cp "$into"/build/bin/{llama-server,llama-batched-bench,ggml-rpc-server} "$into/bin/"
    rm -rf "$into/full" "$into/build" "$into/log"
}

if [ ! -d "$root" ]; then
    lock_cache
    if [ ! -d "$root" ]; then # the one we waited for may have made it
        tmp=$(temporary_folder)
        mkdir "$tmp/engine"
        clone_bundle "$tmp/engine"
        "make_$mode" "$tmp/engine"
        rm -rf "$tmp/engine/repo"
        mkdir -p "$HLG_CACHE/engine"
        mv "$tmp/engine" "$root"
        rm -rf "$tmp"
    fi
fi
echo "$root"
