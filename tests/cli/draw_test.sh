#!/bin/bash
# hlg draw as a user meets it. Usage: draw_test.sh CASE PROGRAM
. "$(dirname "$0")/../shell.sh"
readonly hlg=$2
readonly real=$HLG_SOURCE/../shared/logits # real models' logits, where they are at hand

# half NAME HEX...: logits as float16, most significant byte first: 3c00 = 1, 4000 = 2, 4200 = 3, 4900 = 10, fc00 = -inf.
half() {
    local file=$scratch/$1 bits
    shift
    for bits in "$@"; do printf "\\x${bits:2:2}\\x${bits:0:2}"; done >"$file"
}

# numbers TYPE FILE: the numbers in a binary file, on one line: `numbers f8 probs`.
numbers() { od -An -v -w8 -t "$1" "$2" | tr -s ' \n' ' ' | sed 's/^ //; s/ $//'; }

# near A B: equal within 1e-12.
near() { awk -v a="$1" -v b="$2" 'BEGIN { d = a - b; exit !(d < 1e-12 && d > -1e-12) }' || die "not near: $1 and $2"; }

refused() { expect_refusal "$1" "$hlg" draw "${@:2}"; }

case_ids() {
    half a.f16 3c00 4000 4200
    run "$hlg" draw --logits "$scratch/a.f16" --seed 7; expect_code 0
    expect_lines 1 "$out"
    expect_equal "$err" ''
    run "$hlg" draw --logits "$scratch/a.f16" --seed 7 --count 200; expect_code 0
    expect_lines 200 "$out"
    expect_equal "$(sort -u <<<"$out" | tr '\n' ' ')" '0 1 2 '
    local all=$out
    # The stream is the generated tokens': a later start continues it.
    run "$hlg" draw --logits "$scratch/a.f16" --seed 7 --count 100 --index 100
    expect_equal "$out" "$(tail -100 <<<"$all")"
    run "$hlg" draw --logits "$scratch/a.f16" --seed 7 --count 200 --choice 1
    [ "$out" != "$all" ] || die 'another choice drew the same tokens'
    run "$hlg" draw --logits "$scratch/a.f16" --seed 8 --count 200
    [ "$out" != "$all" ] || die 'another seed drew the same tokens'
}

case_many_ids() {
    half a.f16 3c00 4000
    run "$hlg" draw --logits "$scratch/a.f16" --seed 7 --count 200000; expect_code 0
    expect_lines 200000 "$out"
    expect_equal "$(tail -1 <<<"$out")" "$("$hlg" draw --logits "$scratch/a.f16" --seed 7 --index 199999)"
    run "$hlg" draw --logits "$scratch/a.f16" --count 0; expect_code 0
    expect_equal "$out" ''
}

case_seed_is_reported() {
    half a.f16 3c00 3c00 3c00 3c00
    run "$hlg" draw --logits "$scratch/a.f16" --count 50; expect_code 0
    expect_lines 1 "$err"
    local drawn=$out
    run "$hlg" draw --logits "$scratch/a.f16" --count 50 --seed "${err##*seed }"
    expect_equal "$out" "$drawn"
}

case_greedy_and_classic() {
    half a.f16 3c00 4200 4200 4000
    run "$hlg" draw --logits "$scratch/a.f16" --seed 7 -T 0 --count 3
    expect_equal "$out" $'1\n1\n1'
    run "$hlg" draw --logits "$scratch/a.f16" --top-k 1 --probs - --seed 7; expect_code 0
    expect_equal "$(numbers f8 "$scratch/out")" '0 1 0 0'
}

case_probs() {
    half a.f16 3c00 4000
    run "$hlg" draw --logits "$scratch/a.f16" --probs "$scratch/p"; expect_code 0
    expect_equal "$out$err" ''
    local both
    read -ra both <<<"$(numbers f8 "$scratch/p")"
    near "${both[0]}" 0.26894142136999512
    near "${both[1]}" 0.73105857863000488
}

case_shaped() {
    half a.f16 3c00 4000 fc00
    run "$hlg" draw --logits "$scratch/a.f16" --shaped "$scratch/s" -T 0.5 --ban 0 --bias 1:1; expect_code 0
    expect_equal "$(numbers f4 "$scratch/s")" '-inf 6 -inf'
    run "$hlg" draw --logits "$scratch/a.f16" --shaped - -T 0.5; expect_code 0
    expect_equal "$(numbers f4 "$scratch/out")" '2 4 -inf'
}

# Rolloff off is plain temperature, bit for bit; a curve is not.
case_curve() {
    half a.f16 4900 4200 3c00 c900
    local file=$scratch/a.f16
    "$hlg" draw --logits "$file" --shaped "$scratch/plain" -T 0.7
    "$hlg" draw --logits "$file" --shaped "$scratch/off" -T 0.7 --hlg-sampling on --hlg-width off
    cmp "$scratch/plain" "$scratch/off" || die 'width off is not plain temperature'
    "$hlg" draw --logits "$file" --shaped "$scratch/curve" -T 0.7 --hlg-sampling on --hlg-preset balanced
    ! cmp -s "$scratch/plain" "$scratch/curve" || die 'the curve changed nothing'
    run "$hlg" draw --logits "$file" --seed 7 --hlg-width 2; expect_code 0
    expect_in 'add: --hlg-sampling on' "$err"
}

case_stats() {
    half a.f16 3c00 3c00 fc00
    run "$hlg" draw --logits "$scratch/a.f16" --stats --seed 7; expect_code 0
    expect_lines 1 "$out"
    expect_equal "$err" ''
    near "$(value "$out" entropy)" 0.69314718055994531
    near "$(value "$out" surprisal)" 0.69314718055994531
    near "$(value "$out" top1)" 0.5
    near "$(value "$out" collision)" 0.5
    near "$(value "$out" kl)" 0
    expect_equal "$(value "$out" vocab)" 3
    expect_equal "$(value "$out" support)" 2
    expect_equal "$(value "$out" pivot)" null
    expect_equal "$(value "$out" seed)" 7
    expect_in '"mass_below":[{"log_prob":-9.21' "$out"
    # Nothing is drawn, so there is no seed to tell.
    run "$hlg" draw --logits "$scratch/a.f16" --stats; expect_code 0
    expect_not_in seed "$out$err"
    run "$hlg" draw --logits "$scratch/a.f16" --stats --count 1; expect_code 0
    expect_equal "$(value "$(tail -1 <<<"$out")" seed)" "${err##*seed }"
    for key in model_entropy model_top1 top1_token top_logit row settings temperature ignored edits; do expect_in "\"$key\":" "$out"; done
}

case_stats_options() {
    half a.f16 4900 0000
    run "$hlg" draw --logits "$scratch/a.f16" --stats --below -5 --below -20 --bias 1:2.5 --ban 0 --count 2 --seed 7 \
        --hlg-sampling on --hlg-pivot top --top-p 0.5
    expect_code 0
    expect_in 'ignored: top_p' "$err"
    expect_equal "$(head -2 <<<"$out")" $'1\n1'
    expect_in '"mass_below":[{"log_prob":-5.0,"mass":1.0},{"log_prob":-20.0,"mass":0.0}]' "$out"
    expect_in '"edits":[{"token":0,"delta":"ban"},{"token":1,"delta":2.5}]' "$out"
    expect_in '"pivot":7.0' "$out"
    expect_in '"ignored":["top_p"]' "$out"
}

case_rows_and_stdin() {
    half rows 4200 0000 0000 4200
    expect_equal "$("$hlg" draw --logits "$scratch/rows" --dtype f16 --vocab 2 --row 1 -T 0 --seed 1)" 1
    expect_equal "$("$hlg" draw --logits - --dtype f16 --vocab 2 --row 1 -T 0 --seed 1 <"$scratch/rows")" 1
    expect_equal "$(cat "$scratch/rows" | "$hlg" draw --logits - --dtype f16 --vocab 2 --row 0 -T 0 --seed 1)" 0
    expect_equal "$("$hlg" draw --logits <(cat "$scratch/rows") --dtype f16 --vocab 4 -T 0 --seed 1)" 0
}

case_bad_files() {
    refused 'no such file: /no/such.f32' --logits /no/such.f32
    refused 'a folder' --logits / --dtype f32
    : >"$scratch/empty.f32"
    refused 'is empty' --logits "$scratch/empty.f32"
    half a 3c00 3c00 3c00
    refused 'a row of 4 f16 logits takes 8 bytes, it has 6' --logits "$scratch/a" --dtype f16 --vocab 4
    refused 'has 6 bytes, not a multiple of a row: a row of 2 f16 logits takes 4 bytes' --logits "$scratch/a" --dtype f16 --vocab 2
    refused 'not a whole number of f32 logits' --logits "$scratch/a" --dtype f32
    refused '--row must be from 0 to 2' --logits "$scratch/a" --dtype f16 --vocab 1 --row 3
    refused '--row must be 0 without --vocab' --logits "$scratch/a" --dtype f16 --row 1
    printf '\x93NUMPY\x01\x00abcd' >"$scratch/a.npy"
    refused 'NumPy' --logits "$scratch/a.npy" --dtype f16
    refused 'more than 67108864 bytes' --logits /dev/zero --dtype f32
}

case_bad_logits() {
    half nan 3c00 3c00 7e00
    refused 'the logit of token 2 is NaN' --logits "$scratch/nan" --dtype f16 --hlg-width 1
    half inf 7c00 3c00
    refused 'the logit of token 0 is +inf' --logits "$scratch/inf" --dtype f16 --stats
    half masked fc00 fc00
    refused 'no token is left, as all 2 are masked' --logits "$scratch/masked" --dtype f16 --stats --top-p 0.5
    half one 3c00 fc00
    refused 'masked or banned' --logits "$scratch/one" --dtype f16 --ban 0 --probs "$scratch/p"
    [ ! -e "$scratch/p" ] || die 'a file in spite of the error'
}

# Halves read as floats are numbers, too: the type is given or told by the name, never guessed.
case_dtype() {
    half a.f16 3c00 4000 4200 4000
    cp "$scratch/a.f16" "$scratch/a.bin"
    cp "$scratch/a.f16" "$scratch/f16"
    refused '--dtype f32, f16 or bf16 is needed: stdin' --logits - # its end is read as an empty file where it is not refused
    refused "a.bin does not end in one of them" --logits "$scratch/a.bin"
    refused 'f16 does not end in one of them' --logits "$scratch/f16"
    for flags in "--logits $scratch/a.f16" "--logits $scratch/a.bin --dtype f16" "--logits $scratch/f16 --dtype f16"; do
        # shellcheck disable=SC2086
        run "$hlg" draw $flags -T 0; expect_code 0
        expect_equal "$out" 2
    done
    printf '\0\0\0\0\0\0\200\77' >"$scratch/b.f32" # 0 and 1
    run "$hlg" draw --logits "$scratch/b.f32" -T 0; expect_code 0
    expect_equal "$out" 1
}

case_to_terminal() {
    command -v script >/dev/null || { echo 'no script(1) here, nothing to see'; return 0; }
    half a.f16 3c00 4000
    for flag in --probs --shaped; do
        run script -qec "'$hlg' draw --logits '$scratch/a.f16' $flag -" /dev/null; expect_code 2
        expect_in "$flag - writes binary numbers, and stdout is a terminal" "$out"
        run script -qec "'$hlg' draw --logits '$scratch/a.f16' $flag - >'$scratch/numbers'" /dev/null; expect_code 0
        [ -s "$scratch/numbers" ] || die "nothing written for $flag"
    done
}

# The documentation's tables, where the real logits are not at hand. Tuning takes hundreds of draws, so a stand-in answers.
case_tables() {
    command -v python3 >/dev/null || { echo 'no python3 here'; return 0; }
    cat >"$scratch/hlg" <<'END'
#!/bin/sh
echo '{"vocab":3,"entropy":1,"model_entropy":1,"model_top1":0.5,"top1":0.5,"collision":0.4,"surprisal":1,
       "mass_below":[{"mass":0.1},{"mass":0.1}]}'
END
    chmod +x "$scratch/hlg"
    run python3 "$HLG_SOURCE/docs/sampling_tables.py" "$scratch/hlg" "$scratch/no-logits"; expect_code 0
    expect_lines 1 "$err"
    expect_in 'skipped, not in' "$err"
    expect_in 'gemma-2-2b-00.f16' "$err"
    expect_equal "$(grep -c '^zipf: \|^peaked: ' <<<"$out")" 4
}

case_bad_flags() {
    half a.f16 3c00 3c00
    local file=$scratch/a.f16
    refused '--logits is required'
    refused '--dtype must be f32, f16 or bf16, got f64' --logits "$file" --dtype f64
    refused '--vocab must be a whole number from 1' --logits "$file" --vocab 0
    refused '--row must be a whole number from 0' --logits "$file" --row -1
    refused '--count must be a whole number from 0' --logits "$file" --count -1
    refused '--temperature must be between 0 and 100' --logits "$file" -T 101
    refused '--hlg-toe must be > 0 or off' --logits "$file" --hlg-toe 0
    refused '--hlg-toe must be > 0 or off' --logits /no/such.f32 --hlg-toe 0
    refused '--ban must be a token id, got x' --logits "$file" --ban x
    refused '--ban must be a token id from 0 to 1, as there are 2 tokens; got 2' --logits "$file" --ban 2
    refused '--bias must be ID:DELTA' --logits "$file" --bias 1
    refused '--bias must be ID:DELTA' --logits "$file" --bias 1:inf
    refused '--bias adds up to more' --logits "$file" --bias 1:3e38 --bias 1:3e38
    refused '--below must be' --logits "$file" --stats --below 1
    refused 'only one of' --logits "$file" --probs - --stats
    refused 'only one of' --logits "$file" --probs - --shaped -
    refused 'not expected' --logits "$file" --bogus
}

case_bad_places() {
    half a.f16 3c00 3c00
    refused "can't write /no/such/place" --logits "$scratch/a.f16" --probs /no/such/place
    refused 'it is a folder' --logits "$scratch/a.f16" --shaped "$scratch"
    [ -e /dev/full ] || return 0
    run "$hlg" draw --logits "$scratch/a.f16" --probs /dev/full
    expect_code 1
    expect_lines 1 "$err"
}

# The model's entropy as whoever dumped these logits computed it.
case_real_logits() {
    [ -f "$real/index.json" ] || { echo 'no real logits here, nothing to see'; return 0; }
    run "$hlg" draw --logits "$real/gemma-4-12b-03.f16" --vocab 262144 --stats --seed 7 --hlg-sampling on --hlg-preset balanced
    expect_code 0
    expect_equal "$(value "$out" vocab)" 262144
    expect_equal "$(printf '%.4f %.5f' "$(value "$out" model_entropy)" "$(value "$out" model_top1)")" '0.3644 0.92462'
    run "$hlg" draw --logits "$real/qwen3.5-4b-11.bf16" --seed 7 --count 1000; expect_code 0
    expect_lines 1000 "$out"
}

case_help() {
    run "$hlg" draw --help; expect_code 0
    for flag in --logits --dtype --vocab --row --count --probs --shaped --stats --below --ban --bias --seed --hlg-preset; do
        expect_in "$flag" "$out"
    done
}

run_case "$1"
