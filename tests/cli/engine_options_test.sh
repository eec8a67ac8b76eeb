#!/bin/bash
# The flags that say how a model runs, as hlg run has them. Usage: engine_options_test.sh CASE PROGRAM
. "$(dirname "$0")/../shell.sh"
readonly hlg=$2
readonly story=(run -p 'Once upon a time' --seed 7 -n 20)
readonly model=$HLG_SOURCE/models/storyteller.gguf

# refused FLAG WORDS ARGS...: hlg run refuses in a line that names the flag and holds the words.
refused() { expect_refusal "$2" "$hlg" run -p x "${@:3}" && expect_in "$1" "$err"; }

case_out_of_range() {
    refused --gpu-layers 'N|all' --gpu-layers -1
    refused --gpu-layers 'N|all, got some' --n-gpu-layers some
    refused --batch 'from 1 to 256' --batch 0
    refused --batch 'from 1 to 256' --batch 257
    refused --ubatch 'from 1' --ubatch 0
    refused --ubatch 'from 1' --ubatch-size 1.5
    refused --flash-attn 'on|off|auto, got maybe' --flash-attn maybe
    refused --cache-type-k 'f32|f16|bf16|q8_0|q5_1|q5_0|q4_1|iq4_nl|q4_0, got q2_k' --cache-type-k q2_k
    refused --cache-type-v 'got F16' --cache-type-v F16
    refused --flash-attn 'must not be off with a V cache of q8_0' --flash-attn off --cache-type-v q8_0
}

case_device() {
    refused --device 'among those here (none, CPU' --device Abacus0
    expect_in 'got Abacus0' "$err"
    refused --device 'got ' --device ''
    refused --device 'got Abacus1' --device CPU,Abacus1
    run "$hlg" "${story[@]}"
    local text=$out
    for device in none CPU; do
        run "$hlg" "${story[@]}" --device $device; expect_code 0
        expect_equal "$out" "$text"
    done
}

case_lora() {
    refused --lora 'no such file: /no/such.gguf' --lora /no/such.gguf -m /no/such/model.gguf
    refused --lora 'no such file: /no/such.gguf' --lora /no/such.gguf:0.5
    refused --lora 'FILE:SCALE with a finite number' --lora "$model:much"
    refused --lora 'FILE:SCALE with a finite number' --lora "$model:inf"
    refused --lora 'FILE:SCALE with a finite number' --lora "$model:"
    refused --lora "expect general.type to be 'adapter'" --lora "$model"
    echo 'no adapter' >"$scratch/text"
    refused --lora 'not a GGUF file' --lora "$scratch/text"
}

# How it is stored, loaded and cut into parts must not show in the text of a model this small.
case_same_text() {
    run "$hlg" "${story[@]}"
    local text=$out
    for flags in --no-mmap --mmap --mlock '--no-mmap --mlock' '--ubatch 512' --reproducible \
        '--gpu-layers 0' '-t 1' '-c 100' '--batch 3'; do
        # shellcheck disable=SC2086
        run "$hlg" "${story[@]}" $flags; expect_code 0
        expect_equal "$out" "$text"
    done
}

case_other_arithmetic() {
    for flags in '--flash-attn on' '--flash-attn auto' '--cache-type-k f32 --cache-type-v f32' '--cache-type-k q8_0' '--cache-type-v q4_0' '--ubatch 1'; do
        # shellcheck disable=SC2086
        run "$hlg" "${story[@]}" $flags; expect_code 0
        [ ${#out} -gt 30 ] || die "hardly any text with $flags: $out"
    done
}

case_alias() {
    run "$hlg" "${story[@]}" --json --alias Scheherazade; expect_code 0
    expect_in '"model":"Scheherazade"' "$out"
}

case_no_effect_is_named() {
    run "$hlg" "${story[@]}" --gpu-layers 5 --device none; expect_code 0
    run "$hlg" "${story[@]}" --chat-template x; expect_code 0
    expect_in 'the chat template is for chats' "$err"
}

case_chat_template() {
    echo x >"$scratch/template"
    refused --chat-template 'not from both' --chat-template x --chat-template-file "$scratch/template"
    refused "$scratch/no" "can't read" --chat-template-file "$scratch/no"
    head -c 2000000 /dev/zero | tr '\0' x >"$scratch/long"
    refused "$scratch/long" 'longer than 1 MiB' --chat-template-file "$scratch/long"
    printf '\xff' >"$scratch/bytes"
    refused 'the chat template is not UTF-8' 'byte 0xFF' --chat-template-file "$scratch/bytes"
    refused 'chat template' "can't be used" --chat-template '{% for %}'
}

case_beyond_training() {
    run "$hlg" "${story[@]}" -c 2000; expect_code 0
    expect_in 'was trained for 1024 tokens of context, not 2000' "$err"
}

run_case "$1"
