#!/bin/bash
# The program hlg_make_model on models too small to be of use. Usage: make_model_test.sh CASE PROGRAM
. "$(dirname "$0")/../shell.sh"
readonly make_model=$2
readonly tiny=(minicpm5 --layers 1 --embd 64 --heads 2 --kv-heads 1 --ff 64)
readonly small=("${tiny[@]}" --vocab 2000)

case_help() {
    run "$make_model" --help; expect_code 0
    for word in gemma4 minicpm5 llama-88m q4_k_m --vocabulary --entropy --layers 'Exit codes'; do expect_in "$word" "$out"; done
    run "$make_model" --version; expect_code 0
    expect_in 'llama.cpp' "$out"
}

refuses() {
    local message=$1
    shift
    run "$make_model" -o "$scratch/models" "$@"; expect_code 2
    expect_lines 1 "$err"
    expect_in "$message" "$err"
    [ ! -e "$scratch/models" ] || die "made something for: $*"
}

case_usage_errors() {
    refuses 'MODEL is required'
    refuses 'bogus not in' bogus
    refuses 'q9 not in' minicpm5 --types q8_0,q9
    refuses 'needs --vocabulary' gemma4
    refuses 'does not exist' gemma4 --vocabulary "$scratch/none"
    refuses '--vocab' minicpm5 --vocab 260
    refuses '--vocabulary takes one' minicpm5 --vocab 300 --vocabulary "$0"
    refuses 'multiples of 32' minicpm5 --ff 100
    refuses '--heads' minicpm5 --heads 3
    refuses '--kv-heads' minicpm5 --kv-heads 3
    refuses '--entropy' minicpm5 --entropy 5
}

case_same_arguments_same_bytes() {
    for folder in one two; do
        run "$make_model" "${small[@]}" --types f16,q8_0,q4_0,q4_k_m -o "$scratch/$folder"; expect_code 0
        expect_lines 4 "$out"
        expect_in '2000 tokens; entropy' "$out"
    done
    expect_equal "$(ls "$scratch/one" | tr '\n' ' ')" 'minicpm5-f16.gguf minicpm5-q4_0.gguf minicpm5-q4_k_m.gguf minicpm5-q8_0.gguf '
    diff -r "$scratch/one" "$scratch/two" || die 'the bytes differ'
}

case_another_seed_other_bytes() {
    run "$make_model" "${small[@]}" --name one -o "$scratch"; expect_code 0
    run "$make_model" "${small[@]}" --name one --seed 1 -o "$scratch/other"; expect_code 0
    ! cmp -s "$scratch"/one-q8_0.gguf "$scratch"/other/one-q8_0.gguf || die 'the seed changes nothing'
}

# The last few tokens of a set cut off anywhere must still be merged from tokens that are there, or the model does not load.
case_every_size_of_vocabulary() {
    for tokens in 261 262 320 5000 25000; do
        run "$make_model" "${tiny[@]}" --vocab $tokens -o "$scratch"; expect_code 0
        expect_in "$tokens tokens" "$out"
    done
}

case_failure_leaves_nothing() {
    run "$make_model" gemma4 --vocabulary "$0" -o "$scratch/models"; expect_code 1 # not a GGUF file
    expect_lines 1 "$err"
    expect_equal "$(ls "$scratch/models")" ''
    mkdir "$scratch/models/minicpm5-q8_0.gguf" # in the way
    run "$make_model" "${small[@]}" -o "$scratch/models"; expect_code 1
    expect_lines 1 "$err"
    expect_equal "$(ls "$scratch/models")" 'minicpm5-q8_0.gguf'
    run "$make_model" "${small[@]}" -o /dev/null; expect_code 1
    expect_in "can't make the folder /dev/null" "$err"
}

run_case "$1"
