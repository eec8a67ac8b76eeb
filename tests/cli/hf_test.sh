#!/bin/bash
# hlg run --hf, against a hub on loopback. Usage: hf_test.sh CASE PROGRAM
. "$(dirname "$0")/../shell.sh"
readonly hlg=$2
readonly model=$HLG_SOURCE/models/storyteller.gguf
readonly token=hf_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa # the one that hub.mjs knows
hub_pid=
trap '[ -z "$hub_pid" ] || kill "$hub_pid"; rm -rf "$scratch"' EXIT

unset HF_TOKEN HF_ENDPOINT LLAMA_CACHE HF_HUB_CACHE HUGGINGFACE_HUB_CACHE
export HF_HOME=$scratch/home
readonly cache=$HF_HOME/hub

start_hub() {
    local node
    node=$("$HLG_SOURCE/scripts/node.sh") || die 'no node'
    : >"$scratch/requests"
    "$node/node" "$(dirname "$0")/hub.mjs" "$model" "$scratch" &
    hub_pid=$!
    for _ in {1..200}; do
        [ ! -f "$scratch/port" ] || break
        sleep 0.05
    done
    MODEL_ENDPOINT=http://127.0.0.1:$(cat "$scratch/port") || die 'no hub'
    export MODEL_ENDPOINT
}

# story NAME ARGS...: a short text with the model NAME.
story() { "$hlg" run -p 'Once upon a time' --seed 7 -n 10 --hf "$@"; }

# It tells the demo model's story, since that is what the hub hands out.
told() {
    expect_code 0
    expect_equal "$out" "$("$hlg" run -p 'Once upon a time' --seed 7 -n 10 2>/dev/null)"
}

# fails CODE WORDS NAME ARGS...: no text, one line with the words behind those that say what was begun.
fails() {
    run story "${@:3}"
    expect_code "$1"
    expect_equal "$out" ''
    expect_lines 1 "$(grep -v '^hlg: downloading' <<<"$err")"
    expect_in "$2" "$err"
}

requests() { wc -l <"$scratch/requests"; }

# The only file of that kind in the cache: `blobs` has them whole and in parts, `snapshots` under their names.
in_cache() { find "$cache" -path "*/$1/*" ! -type d; }

case_downloads_and_runs() {
    start_hub
    run story hub/good; told
    expect_in 'hlg: downloading more/tiny-Q4_K_M.gguf from hub/good, ' "$err" # without a wish, Q4_K_M
    cmp "$model" "$cache"/models--hub--good/snapshots/*/more/tiny-Q4_K_M.gguf || die 'not the file that the hub has'
    expect_in '"model":"hub/good:q8_0"' "$(story hub/good:q8_0 --json 2>/dev/null)"
    expect_lines 2 "$(in_cache snapshots)"
}

case_second_run_asks_nobody() {
    start_hub
    run story hub/good:Q8_0; told
    local asked
    asked=$(requests)
    run story hub/good:Q8_0; told
    expect_equal "$(requests)" "$asked"
    expect_not_in downloading "$err"
    MODEL_ENDPOINT=http://127.0.0.1:1 run story hub/good; told # without a wish, what is here
    run story hub/good:Q8_0 --offline; told
    expect_equal "$(requests)" "$asked"
}

case_offline() {
    start_hub
    fails 2 'hub/good is not in the cache, and --offline' hub/good --offline
    expect_equal "$(requests)" 0
}

# As llama-server has them; and -m names another model.
case_spellings() {
    start_hub
    run "$hlg" run -p 'Once upon a time' --seed 7 -n 10 --hf-repo hub/good; told
    run "$hlg" run -p 'Once upon a time' --seed 7 -n 10 -hf hub/good; told
    fails 2 'from -m or from --hf, not from both' hub/good -m "$model"
}

case_parts() {
    start_hub
    run story hub/parts; told
    expect_in 'tiny-Q4_0-00001-of-00002.gguf from hub/parts (1 of 2), ' "$err"
    expect_in 'tiny-Q4_0-00002-of-00002.gguf from hub/parts (2 of 2), 8 bytes' "$err"
    expect_lines 2 "$(in_cache snapshots)"
    rm "$cache"/models--hub--parts/snapshots/*/*-00002-of-* # half a model in the cache is none
    run story hub/parts; told
    expect_lines 2 "$(in_cache snapshots)"
    fails 2 'has not all parts of tiny-Q4_0-00001-of-00002.gguf' hub/half-the-parts
}

case_bad_names() {
    start_hub
    for name in '' good hub/ /good hub/good: hub/good/more 'hub/good:Q4(' 'hub/good:a:b' '../good' 'hub/..' 'hub/go od' https://hub/good; do
        fails 2 '--hf must be USER/REPO or USER/REPO:QUANT, got' "$name"
    done
    expect_equal "$(requests)" 0
}

case_no_such_model() {
    start_hub
    fails 2 "there is no repository hub/nothing on $MODEL_ENDPOINT/" hub/nothing
    fails 2 'there is no Q3_K in hub/good, only Q4_K_M, Q8_0' hub/good:Q3_K
    fails 2 'there is no Q8_0 in hub/parts, only Q4_0' hub/parts:Q8_0
    fails 2 'there is no GGUF model in hub/no-model' hub/no-model
    fails 2 'holds settings for llama-server, no model' hub/preset
    fails 2 'not a GGUF file' hub/no-gguf
}

case_access() {
    start_hub
    for name in gated private; do
        fails 2 "hub/$name is gated or private" hub/$name
        expect_in HF_TOKEN "$err"
        HF_TOKEN=${token/a/b} fails 2 "the token in HF_TOKEN gives no access to hub/$name" hub/$name
        HF_TOKEN=$token run story hub/$name; told
    done
    HF_TOKEN="$token " fails 2 'HF_TOKEN holds a space' hub/good
    expect_not_in "$token" "$err"
}

case_no_answer() {
    start_hub
    fails 1 'answers with HTTP status 503' hub/busy
    MODEL_ENDPOINT=http://127.0.0.1:1 fails 1 'no answer from http://127.0.0.1:1/, so hub/good' hub/good
    MODEL_ENDPOINT=http://me:secret@127.0.0.1:1 fails 1 'no answer from http://127.0.0.1:1/, so hub/good' hub/good
    MODEL_ENDPOINT=nonsense fails 1 'nonsense/' hub/good
}

# An engine with HTTPS asks in vain, one without says what to do.
case_https() {
    MODEL_ENDPOINT=https://127.0.0.1:1 run story hub/good
    case $code in
        1) expect_in 'no answer from https://127.0.0.1:1/' "$err" ;;
        *) expect_code 2 && expect_in 'without HTTPS' "$err" && expect_in 'libssl-dev and build with HLG_ENGINE=source' "$err" ;;
    esac
    expect_lines 1 "$err"
}

case_breaks_off() {
    start_hub
    run story hub/breaks-once; told # it goes on by itself
    expect_in ' bytes=' "$(cat "$scratch/requests")"
    fails 1 'tiny-Q8_0.gguf broke off' hub/breaks
    expect_equal "$(in_cache snapshots | grep -c hub--breaks/)" 0
    local partial
    partial=$(in_cache blobs | grep hub--breaks/)
    expect_in .downloadInProgress "$partial"
    cat "$model" >>"$partial" # longer than the whole: nothing to go on from
    fails 1 'tiny-Q8_0.gguf broke off' hub/breaks
    [ "$(wc -c <"$partial")" -lt 10000 ] || die "still $(wc -c <"$partial") bytes"
}

# Nothing that is too short stays in the cache.
case_too_short() {
    start_hub
    fails 1 "bytes instead of $(wc -c <"$model"); they were dropped" hub/short
    expect_equal "$(in_cache blobs)$(in_cache snapshots)" ''
}

case_no_room() {
    start_hub
    fails 1 'too little room in the cache for tiny-Q8_0.gguf of 1000000000000000000 bytes' hub/huge
    expect_not_in 'GET /hub/huge/resolve' "$(cat "$scratch/requests")"
    : >"$scratch/file"
    HF_HOME=$scratch/file fails 1 'cache' hub/good
}

# interrupted NAME: Ctrl-C in the middle of the first download; the next one goes on from there.
interrupted() {
    start_hub
    "$hlg" run -p x --hf "$1" >"$scratch/out" 2>"$scratch/err" </dev/null &
    local pid=$!
    for _ in {1..200}; do
        [ ! -s "$(in_cache blobs 2>/dev/null)" ] || break
        sleep 0.05
    done
    interrupt $pid
    expect_code 130
    expect_in "stopped while downloading $1; the next try goes on from there" "$err"
    expect_not_in 'of them here' "$err"
    [ -s "$(in_cache blobs)" ] || die 'nothing was kept'
    run story "$1"; told
    expect_in 'of them here' "$err"
    expect_in ' bytes=' "$(cat "$scratch/requests")"
}

case_interrupt_moving() { interrupted hub/trickles-once; }
case_interrupt_stalled() { interrupted hub/stalls-once; }

# The second one waits for the first instead of writing into its file.
case_two_at_once() {
    start_hub
    "$hlg" run -p x -n 1 --hf hub/stalls-once >/dev/null 2>"$scratch/first" </dev/null &
    local pid=$!
    for _ in {1..200}; do
        [ ! -s "$(in_cache blobs 2>/dev/null)" ] || break
        sleep 0.05
    done
    (sleep 1; kill -INT $pid) &
    run story hub/stalls-once; told
    expect_in 'hlg: another process downloads tiny-Q8_0.gguf from hub/stalls-once; waiting for it' "$err"
    expect_in 'of them here' "$err"
    wait $pid
    expect_equal $? 130
}

# `script` gives the program a terminal.
case_progress_bar() {
    command -v script >/dev/null || { echo 'no script(1) here, nothing to see'; return 0; }
    start_hub
    run script -qec "'$hlg' run -p Once -n 3 --seed 7 --hf hub/breaks-once" /dev/null; expect_code 0
    expect_in 'downloading [' "$out"
    expect_in ' 50%' "$out" # where it broke off and waited
}

case_verbose() {
    start_hub
    run story hub/breaks-once --verbose; told
    expect_in 'retrying' "$err"
}

run_case "$1"
