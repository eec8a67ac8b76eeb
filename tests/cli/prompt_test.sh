#!/bin/bash
# What hlg run continues, and what it refuses to. Usage: prompt_test.sh CASE PROGRAM
. "$(dirname "$0")/../shell.sh"
readonly hlg=$2
readonly story=(run -p 'Once upon a time' --seed 7)
readonly model=$HLG_SOURCE/models/storyteller.gguf

case_stdin() {
    run "$hlg" "${story[@]}" -n 20
    local expected=$out
    out=$(echo 'Once upon a time' | "$hlg" run --seed 7 -n 20 2>/dev/null)
    expect_equal "$out" "$expected"
}

case_file() {
    run "$hlg" "${story[@]}" -n 20
    local expected=$out
    echo 'Once upon a time' >"$scratch/prompt"
    run "$hlg" run -f "$scratch/prompt" --seed 7 -n 20; expect_code 0
    expect_equal "$out" "$expected"
    out=$("$hlg" run --file - --seed 7 -n 20 <"$scratch/prompt" 2>/dev/null)
    expect_equal "$out" "$expected"
    run "$hlg" run -f /no/such -m /no/such.gguf; expect_code 2
    expect_in "can't read /no/such:" "$err"
    run "$hlg" run -f /; expect_code 2
    run "$hlg" "${story[@]}" -f "$scratch/prompt"; expect_code 2
    expect_lines 1 "$err"
    expect_in 'not from both' "$err"
}

case_echo() {
    run "$hlg" "${story[@]}" -n 20
    local text=$out
    run "$hlg" "${story[@]}" -n 20 --echo; expect_code 0
    expect_equal "$out" "Once upon a time$text"
    run "$hlg" "${story[@]}" -n 0 --echo
    expect_equal "$out" 'Once upon a time'
    run "$hlg" "${story[@]}" -n 20 --echo --json
    expect_in '"prompt":"Once upon a time"' "$out"
    expect_in "\"text\":\"${text:0:20}" "$out"
}

# This model puts its begin mark in front, so it can begin by itself; its copy without one can't.
case_empty() {
    run "$hlg" run -p '' -n 5 --seed 7; expect_code 0
    expect_in '1 in, 5 out' "$err"
    run "$hlg" run -n 5; expect_code 2
    expect_in 'the prompt in stdin is empty' "$err"
    : >"$scratch/empty"
    run "$hlg" run -f "$scratch/empty"; expect_code 2
    expect_in "$scratch/empty is empty" "$err"
    cp "$model" "$scratch/mine.gguf"
    local key=add_bos_token at
    at=$(grep -abo "$key" "$model" | head -1 | cut -d: -f1)
    # In a GGUF file the key's four bytes of type come next, then the value.
    printf '\0' | dd of="$scratch/mine.gguf" bs=1 seek=$((at + ${#key} + 4)) conv=notrunc status=none
    run "$hlg" run -p '' -n 5 -m "$scratch/mine.gguf"; expect_code 2
    expect_lines 1 "$err"
    expect_in 'no begin mark' "$err"
}

case_not_utf8() {
    run "$hlg" run -p $'ab\xffc' -m /no/such.gguf; expect_code 2
    expect_lines 1 "$err"
    expect_in 'the prompt is not UTF-8: byte 0xFF at offset 2' "$err"
    printf 'na\xc3\xafve \xe2\x82' >"$scratch/torn"
    run "$hlg" run -f "$scratch/torn"; expect_code 2
    expect_in 'byte 0xE2 at offset 7' "$err"
    "$hlg" run <"$scratch/torn" 2>"$scratch/err"
    expect_equal $? 2
    expect_in 'byte 0xE2 at offset 7' "$(cat "$scratch/err")"
}

case_too_long() {
    run "$hlg" run -p "$(printf 'so %.0s' {1..2000})"
    expect_code 2
    expect_lines 1 "$err"
    expect_in 'longer than the context' "$err"
    expect_in ' tokens, the context holds 1024' "$err"
    run "$hlg" run -p 'Once upon a time' --ctx-size 3
    expect_code 2
    expect_in '5 tokens, the context holds 3' "$err"
}

run_case "$1"
