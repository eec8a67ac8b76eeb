#!/bin/bash
# Makes the models with random weights that tests need, once, in HLG_CACHE, and lets LINK point to their folder:
#   gemma4-q8_0.gguf gemma4-q4_0.gguf gemma4-q4_k_m.gguf   Gemma 4's architecture and its vocabulary of 262,144 tokens
#   minicpm5-q8_0.gguf                                     Llama's architecture, 130,560 tokens, MiniCPM5's chat template
#   small-f16.gguf                                         Llama's architecture, 8,192 tokens
# Usage: models.sh TOOL LINK [LLAMA_SOURCE]. TOOL is hlg_make_model; LLAMA_SOURCE is llama.cpp's source tree, if there is one.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=../scripts/cache.sh
. "$here/../scripts/cache.sh"

readonly tool=${1:?usage: models.sh TOOL LINK [LLAMA_SOURCE]} link=${2:?usage: models.sh TOOL LINK [LLAMA_SOURCE]} source=${3:-}
readonly days=7 # after which a set that no test has asked for makes room

make_models() {
    local into=$1 from=$source
    [ -n "$from" ] && [ -f "$from/models/ggml-vocab-gemma-4.gguf" ] || from=$("$here/../scripts/engine.sh" vocabulary)
    "$tool" gemma4 --vocabulary "$from/models/ggml-vocab-gemma-4.gguf" --types q8_0,q4_0,q4_k_m -o "$into"
    "$tool" minicpm5 --chat-template "$from/models/templates/openbmb-MiniCPM5-1B.jinja" --types q8_0 -o "$into"
    "$tool" llama-88m --name small --layers 4 --embd 256 --ff 512 --heads 4 --kv-heads 2 --vocab 8192 --types f16 -o "$into"
}

# Everything that decides the bytes: the engine's version, which the tool tells, the tool's sources, and its arguments in this file.
version=$("$tool" --version)
key=$( (echo "$version"; cat "$here"/*.cpp "$here"/*.hpp "$here"/models.sh) | sha256sum | cut -c1-16)
readonly root=$HLG_CACHE/models/$key

lock_cache
if [ ! -d "$root" ]; then
    tmp=$(temporary_folder)
    mkdir "$tmp/models"
    make_models "$tmp/models"
    mkdir -p "$HLG_CACHE/models"
    mv "$tmp/models" "$root"
    rm -rf "$tmp"
fi
touch "$root"
find "$HLG_CACHE/models" -mindepth 1 -maxdepth 1 -mtime "+$days" -exec rm -rf {} +
ln -sfn "$root" "$link"
