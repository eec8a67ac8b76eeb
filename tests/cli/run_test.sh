#!/bin/bash
# hlg run as a user meets it. Usage: run_test.sh CASE PROGRAM
. "$(dirname "$0")/../shell.sh"
readonly hlg=$2
readonly story=(run -p 'Once upon a time' --seed 7)
readonly model=$HLG_SOURCE/models/storyteller.gguf

case_same_seed_same_text() {
    run "$hlg" "${story[@]}" -n 40; expect_code 0
    local first=$out
    [ ${#first} -gt 50 ] || die "hardly any text: $first"
    run "$hlg" "${story[@]}" -n 40 --threads 1; expect_code 0
    expect_equal "$out" "$first"
    run "$hlg" run -p 'Once upon a time' --seed 8 -n 40
    [ "$out" != "$first" ] || die "another seed told the same story"
}

case_hlg_changes_the_text() {
    run "$hlg" "${story[@]}" -n 40
    local plain=$out
    run "$hlg" "${story[@]}" -n 40 --hlg-sampling on --hlg-preset balanced; expect_code 0
    [ "$out" != "$plain" ] || die "HLG told the same story"
    run "$hlg" "${story[@]}" -n 40 --hlg-sampling on --hlg-preset balanced --hlg-width off
    expect_equal "$out" "$plain"
    run "$hlg" "${story[@]}" -n 40 --hlg-sampling off --hlg-preset balanced
    expect_equal "$out" "$plain"
}

case_seed_is_reported() {
    run "$hlg" run -p 'Once' -n 5; expect_code 0
    local seed=${err##*seed } text=$out
    [ "$seed" -lt 9007199254740992 ] || die "seed $seed is not below 2^53"
    run "$hlg" run -p 'Once' -n 5 --seed "$seed"
    expect_equal "$out" "$text"
    run "$hlg" run -p 'Once' -n 1 --seed 18446744073709551615; expect_code 0
    expect_in 'seed 18446744073709551615' "$err"
}

# As llama.cpp spells it.
case_temp() {
    run "$hlg" "${story[@]}" -n 1 --temp 0.25 --json; expect_code 0
    expect_in '"temperature":0.25' "$out"
    refused --temperature 100 --temp 101
}

# With a seed that nobody chose and numbers of usual length.
case_statistics_fit() {
    run "$hlg" run -p 'Once upon a time' -n 500; expect_code 0
    [ "$(wc -L <<<"$err")" -le 80 ] || die "wider than 80 columns: $err"
}

case_json() {
    run "$hlg" "${story[@]}" -n 20
    local text=$out
    run "$hlg" "${story[@]}" -n 20 --json; expect_code 0
    expect_lines 1 "$out"
    expect_equal "$(value "$out" finish_reason)" '"length"'
    expect_equal "$(value "$out" completion_tokens)" 20
    expect_equal "$(value "$out" prompt_tokens)" 5
    expect_equal "$(value "$out" seed)" 7
    expect_equal "$(value "$out" temperature)" 1.0
    for key in text prompt usage total_tokens timings load_ms tokens_per_second settings hlg ignored model context threads; do
        expect_in "\"$key\":" "$out"
    done
    expect_in "$(head -1 <<<"$text" | cut -c1-10)" "$out"
}

case_json_off_knobs() {
    run "$hlg" "${story[@]}" -n 1 --json --hlg-sampling on --hlg-preset gentle --hlg-toe off --top-p 0.9; expect_code 0
    expect_in '"enabled":true,"preset":"gentle","pivot":"entropy"' "$out"
    expect_in '"toe":"off"' "$out"
    expect_in '"ignored":["top_p"]' "$out"
}

case_length_and_context() {
    run "$hlg" "${story[@]}" -n 3; expect_in 'finish: length' "$err"
    run "$hlg" "${story[@]}" -n 0; expect_code 0
    expect_equal "$(wc -c <"$scratch/out")" 0
    expect_in '5 in, 0 out, finish: length' "$err"
    run "$hlg" "${story[@]}" -n -1 --ctx-size 20; expect_code 0
    expect_in 'finish: context' "$err"
    expect_in '16 out' "$err"
}

# refused FLAG WORDS ARGS...: hlg run refuses in a line that names the flag and holds the words.
refused() { expect_refusal "$2" "$hlg" run -p x "${@:3}" && expect_in "$1" "$err"; }

case_usage_errors() {
    refused --bogus 'not expected' --bogus
    refused --hlg-gain 'not expected' --hlg-gain 2
    refused --tokens 'missing' -n
    refused --top-p 'got abc' --top-p abc
    refused --seed 'got -1' --seed -1
    refused --seed 'got 1.5' --seed 1.5
    refused --hlg-sampling 'on|off' --hlg-sampling maybe
    refused --hlg-preset 'note|gentle|balanced|bold' --hlg-preset loud
    refused --hlg-pivot 'top|entropy|median' --hlg-pivot bottom
    refused --hlg-toe-shape 'log|fade' --hlg-toe-shape square
}

case_out_of_range() {
    refused --temperature 100 -T -1
    refused --temperature 100 --temperature 101
    refused --temperature 100 -T nan
    refused --top-p 1 --top-p 1.5
    refused --min-p 1 --min-p -0.1
    refused --top-k 'from -1' --top-k -2
    refused --tokens 'from -1' -n -2
    refused --threads 'from 1' --threads 0
    refused --ctx-size 'from 1' --ctx-size 0
    refused --hlg-width '>= 0 or off, got -1' --hlg-width -1
    refused --hlg-shoulder '> 0 or off, got 0' --hlg-shoulder 0
    refused --hlg-toe '> 0 or off' --hlg-toe 0 --hlg-sampling on
    refused --hlg-pivot-offset 10000 --hlg-pivot-offset off
}

case_no_such_file() {
    refused 'no such file' /no/such.gguf -m /no/such.gguf
    refused --model 'is empty' -m ''
    refused folder / -m /
}

case_not_a_gguf() {
    echo 'hello, hello, hello' >"$scratch/text"
    refused 'not a GGUF file' "$scratch/text" -m "$scratch/text"
    head -c 100000 "$model" >"$scratch/half.gguf"
    refused 'cut short or damaged: failed to read' "$scratch/half.gguf" -m "$scratch/half.gguf"
    head -c 3000000 "$model" >"$scratch/half.gguf"
    refused "cut short or damaged: tensor 'blk." "$scratch/half.gguf" -m "$scratch/half.gguf"
    expect_not_in llama_ "$err"
}

case_preset_and_knobs() {
    run "$hlg" "${story[@]}" -n 1 --json --hlg-sampling on --hlg-preset balanced --hlg-pivot top --hlg-width 2.5; expect_code 0
    expect_in '"preset":"balanced","pivot":"top","pivot_offset":3.0,"width":2.5,"shoulder":0.6' "$out"
}

case_ignored_is_named() {
    run "$hlg" "${story[@]}" -n 1 --hlg-sampling on --top-k 40 --min-p 0.1; expect_code 0
    expect_in 'ignored: top_k, min_p' "$err"
    run "$hlg" "${story[@]}" -n 1 --top-k 40 --min-p 0.1
    expect_not_in ignored "$err"
}

case_no_effect_is_named() {
    run "$hlg" "${story[@]}" -n 1 --hlg-width 3; expect_code 0
    expect_in 'HLG is off, so the --hlg-* flags change nothing; to switch it on, add: --hlg-sampling on' "$err"
    expect_lines 2 "$err"
    run "$hlg" "${story[@]}" -n 1 --hlg-preset bold; expect_code 0
    expect_in 'add: --hlg-sampling on' "$err"
    run "$hlg" "${story[@]}" -n 1 --hlg-preset bold --hlg-sampling off # as one who compares the two would write
    expect_not_in 'add:' "$err"
}

case_quiet_by_default() {
    run "$hlg" "${story[@]}" -n 1; expect_code 0
    expect_lines 1 "$err"
    run "$hlg" "${story[@]}" -n 1 --verbose
    expect_in llama_model_loader "$err"
}

case_demo_model_from_environment() {
    cp "$model" "$scratch/mine.gguf"
    HLG_DEMO_MODEL=$scratch/mine.gguf run "$hlg" "${story[@]}" -n 1 --json; expect_code 0
    expect_in "$scratch/mine.gguf" "$out"
    HLG_DEMO_MODEL=/no/such.gguf run "$hlg" "${story[@]}" -n 1; expect_code 2
    expect_in /no/such.gguf "$err"
}

case_generation_config() {
    cp "$model" "$scratch/mine.gguf"
    echo '{"temperature": 0.5, "top_k": 20, "hlg": {"preset": "bold"}}' >"$scratch/generation_config.json"
    run "$hlg" "${story[@]}" -n 1 --json -m "$scratch/mine.gguf"; expect_code 0
    expect_in '"temperature":0.5' "$out"
    expect_in '"preset":"bold"' "$out"
    expect_in 'ignored: top_k' "$err"
    run "$hlg" "${story[@]}" -n 1 --json -m "$scratch/mine.gguf" -T 0.9 --hlg-sampling off; expect_code 0
    expect_in '"temperature":0.9' "$out"
    expect_in '"enabled":false' "$out"
    echo '{"temperature": "hot"}' >"$scratch/generation_config.json"
    run "$hlg" "${story[@]}" -n 1 -m "$scratch/mine.gguf"; expect_code 2
    expect_in 'temperature must be a number' "$err"
}

# Ctrl-C in the middle: the text so far, the statistics, the shell's code for it.
case_interrupt() {
    # -n -1 alone could end by itself; a context of 2^17 leaves time to interrupt.
    "$hlg" "${story[@]}" -n -1 --ctx-size 131072 >"$scratch/out" 2>"$scratch/err" </dev/null &
    local pid=$!
    for _ in {1..200}; do
        [ -s "$scratch/out" ] && break
        sleep 0.05
    done
    interrupt $pid
    case $err in *'finish: stop'*) return 0 ;; esac # it was quicker
    expect_code 130
    expect_in 'finish: interrupted' "$err"
    expect_in 'tokens/s' "$err"
    [ -n "$out" ] || die 'no text before the interrupt'
}

case_closed_pipe() {
    "$hlg" "${story[@]}" -n 500 2>"$scratch/err" | head -c 10 >"$scratch/out"
    expect_equal "$(wc -c <"$scratch/out")" 10
    expect_not_in terminate "$(cat "$scratch/err")"
    # Where SIGPIPE is ignored, which a shell can't undo for its children, nothing is said either.
    (trap '' PIPE; "$hlg" "${story[@]}" -n 500 2>"$scratch/err"; echo $? >"$scratch/code") | head -c 10 >"$scratch/out"
    expect_equal "$(cat "$scratch/code" "$scratch/err")" 0
}

case_full_disk() {
    [ -e /dev/full ] || { echo 'no /dev/full here'; return 0; }
    for flags in '' --json --echo; do
        # shellcheck disable=SC2086
        "$hlg" "${story[@]}" -n 20 $flags >/dev/full 2>"$scratch/err"
        code=$? out='' err=$(cat "$scratch/err")
        expect_code 1
        expect_lines 1 "$err"
        expect_in 'writing stdout failed: No space left' "$err"
    done
    "$hlg" --help >/dev/full 2>"$scratch/err"
    expect_equal $? 1
}

# A high temperature makes this byte-level model write broken characters; what comes out must be UTF-8 all the same.
case_torn_utf8() {
    for seed in 1 2 3; do
        run "$hlg" run -p 'Once' --seed $seed -T 20 -n 200; expect_code 0
        iconv -f UTF-8 -t UTF-8 "$scratch/out" >/dev/null || die "not UTF-8 with seed $seed"
    done
}

# `script` gives the program a terminal; the bar is erased before the text comes.
case_progress_bar() {
    command -v script >/dev/null || { echo 'no script(1) here, nothing to see'; return 0; }
    run script -qec "'$hlg' run -p Once -n 3 --seed 7" /dev/null; expect_code 0
    expect_in 'loading [' "$out"
    expect_in '100%' "$out"
}

case_help() {
    run "$hlg" run --help; expect_code 0
    for flag in --model --prompt --file --echo --tokens --temperature --temp --top-p --top-k --min-p --seed --threads --ctx-size --json \
        --hlg-sampling --hlg-width --hlg-shoulder --hlg-toe --hlg-toe-shape --hlg-pivot --hlg-pivot-offset --hlg-preset \
        --choices --stop --ignore-eos --repeat-penalty --repeat-last-n --presence-penalty --frequency-penalty --logit-bias --batch \
        --ubatch --reproducible --flash-attn --cache-type-k --cache-type-v --lora --gpu-layers --device --rpc --mmap --no-mmap --mlock \
        --chat-template --chat-template-file --alias --hf --offline; do
        expect_in "$flag" "$out"
    done
    expect_in 'more than there are free cores' "$out"
}

run_case "$1"
