#!/bin/bash
# Penalties, biases and where a text ends, as hlg run has them. Usage: run_edits_test.sh CASE PROGRAM
. "$(dirname "$0")/../shell.sh"
readonly hlg=$2
readonly story=(run -p 'Once upon a time' --seed 7)

# refused FLAG WORDS ARGS...: hlg run refuses in a line that names the flag and holds the words.
refused() { expect_refusal "$2" "$hlg" run -p x "${@:3}" && expect_in "$1" "$err"; }

case_penalties() {
    run "$hlg" "${story[@]}" -T 0 -n 60
    local plain=$out
    for flags in '--repeat-penalty 1.5' '--presence-penalty 2' '--frequency-penalty 1'; do
        # shellcheck disable=SC2086
        run "$hlg" "${story[@]}" -T 0 -n 60 $flags; expect_code 0
        [ "$out" != "$plain" ] || die "$flags changes nothing"
    done
    run "$hlg" "${story[@]}" -T 0 -n 60 --repeat-penalty 1.5 --repeat-last-n 0
    expect_equal "$out" "$plain"
    run "$hlg" "${story[@]}" -n 1 --json --repeat-penalty 1.5 --repeat-last-n -1 --presence-penalty -1 --frequency-penalty 0.5
    expect_in '"repeat_penalty":1.5,"repeat_last_n":-1,"presence_penalty":-1.0,"frequency_penalty":0.5' "$out"
    refused --repeat-penalty '0.01 to 100, got 0' --repeat-penalty 0
    refused --presence-penalty '-100 to 100, got 101' --presence-penalty 101
    refused --frequency-penalty 'got nan' --frequency-penalty nan
    refused --repeat-last-n 'from -1' --repeat-last-n -2
}

# The ids are the demo model's: which token comes first, the most probable one tells.
case_logit_bias() {
    run "$hlg" "${story[@]}" -n 5 --json --logit-bias 300+100; expect_code 0
    expect_in '"logit_bias":[[300,100.0]]' "$out"
    local forced
    forced=$(value "$out" text)
    run "$hlg" "${story[@]}" -n 5 --json -l 300+50 -l 300+50; expect_equal "$(value "$out" text)" "$forced"
    run "$hlg" "${story[@]}" -n 5 --json -l 300+100 -l 300-inf; expect_code 0
    expect_in '[300,false]' "$out"
    [ "$(value "$out" text)" != "$forced" ] || die "a banned token was drawn"
    for word in 300 300: 300+ +1 300--1 300+inf 300+1e39 x+1 300-nan 1.5+1 300:false; do
        refused --logit-bias "got $word" --logit-bias "$word"
    done
    refused --logit-bias 'names token 4096' --logit-bias 4096+1
}

case_stop() {
    run "$hlg" "${story[@]}" -n 40
    local text=$out
    run "$hlg" "${story[@]}" -n 40 --json --stop 'no such words' --stop ' an'; expect_code 0
    expect_equal "$(value "$out" text)" "\"${text%%' an'*}\""
    expect_in '"finish_reason":"stop","stop":" an"' "$out"
    refused --stop 'got nothing' --stop ''
}

case_ignore_eos() {
    run "$hlg" "${story[@]}" -n -1 --ctx-size 500 --ignore-eos; expect_code 0
    expect_in 'finish: context' "$err"
}

run_case "$1"
