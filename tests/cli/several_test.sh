#!/bin/bash
# Several texts at once. Usage: several_test.sh CASE PROGRAM
. "$(dirname "$0")/../shell.sh"
readonly hlg=$2
readonly prompts=(-p 'Once upon a time' -p 'The king had three sons, and' -p 'Dear diary,')

# text FLAGS...: what the program writes for one prompt.
text() { "$hlg" run --seed 7 "$@" 2>/dev/null; }

case_in_order() {
    run "$hlg" run "${prompts[@]}" --seed 7 -n 30 --reproducible; expect_code 0
    local expected
    expected="==> 1 of 3: Once upon a time <==
$(text -p 'Once upon a time' -n 30 --reproducible)

==> 2 of 3: The king had three sons, and <==
$(text -p 'The king had three sons, and' -n 30 --reproducible)

==> 3 of 3: Dear diary, <==
$(text -p 'Dear diary,' -n 30 --reproducible)"
    expect_equal "$out" "$expected"
    run "$hlg" run "${prompts[@]}" --seed 7 -n 30 --reproducible --batch 1; expect_equal "$out" "$expected"
    run "$hlg" run "${prompts[@]}" --seed 7 -n 30 --reproducible --batch 2; expect_equal "$out" "$expected"
}

case_statistics() {
    run "$hlg" run "${prompts[@]}" -n 300; expect_code 0
    expect_lines 4 "$err"
    expect_in 'hlg run: 1: 5 in, ' "$err"
    expect_in 'hlg run: 3: 6 in, ' "$err"
    expect_in 'hlg run: 3 texts, ' "$err"
    [ "$(wc -L <<<"$err")" -le 80 ] || die "wider than 80 columns: $err"
    [ "$(grep -o 'seed [0-9]*' <<<"$err" | sort -u | wc -l)" = 3 ] || die "not a seed each: $err"
}

case_choices() {
    run "$hlg" run -p Once --choices 3 --seed 7 -n 10; expect_code 0
    expect_equal "$(grep '^==>' <<<"$out")" $'==> 1 of 3 <==\n==> 2 of 3 <==\n==> 3 of 3 <=='
    expect_equal "$(sed -n 2p <<<"$out")" "$(text -p Once -n 10)"
    [ "$(sed -n 2p <<<"$out")" != "$(sed -n 5p <<<"$out")" ] || die "the same answer twice: $out"
    run "$hlg" run -p Once -p Long --choices 2 --seed 7 -n 3; expect_code 0
    expect_in '==> 3 of 4: Long (answer 1) <==' "$out"
    run "$hlg" run -p Once --choices 0; expect_code 2
    expect_in '--choices must be a whole number from 1 to 128' "$err"
    run "$hlg" run -p Once --choices 129; expect_code 2
}

case_json() {
    run "$hlg" run "${prompts[@]}" --choices 2 -n 5 --json; expect_code 0
    expect_lines 6 "$out"
    expect_equal "$(grep -o '"index":[0-9],"choice":[0-9]' <<<"$out" | tr -d '\n')" \
        '"index":0,"choice":0"index":0,"choice":1"index":1,"choice":0"index":1,"choice":1"index":2,"choice":0"index":2,"choice":1'
    expect_in '"prompt":"Dear diary,"' "$(tail -1 <<<"$out")"
}

# More texts than lanes, and more than the engine would let strangers wait.
case_many() {
    local many=()
    for i in {1..5}; do many+=(-p "Story $i"); done
    run "$hlg" run "${many[@]}" --choices 120 -n 2 --ignore-eos --json --seed 1; expect_code 0
    expect_lines 600 "$out"
    expect_equal "$(grep -c '"completion_tokens":2' <<<"$out")" 600
}

case_files() {
    echo 'Once upon a time' >"$scratch/one"
    echo 'Dear diary,' >"$scratch/two"
    run "$hlg" run -f "$scratch/one" -f "$scratch/two" -n 5 --echo; expect_code 0
    expect_in '==> 2 of 2: Dear diary, <==
Dear diary,' "$out"
    out=$("$hlg" run -f "$scratch/one" -f - -n 5 <"$scratch/two" 2>/dev/null)
    expect_in '==> 2 of 2: Dear diary, <==' "$out"
    run "$hlg" run -f - -f -; expect_code 2
    expect_in 'only once' "$err"
}

case_one_is_bad() {
    run "$hlg" run -p Once -p "$(printf 'so %.0s' {1..2000})" -n 5; expect_code 2
    expect_in 'prompt 2: the prompt is longer than the context' "$err"
    run "$hlg" run -p Once -p $'\xff' -m /no/such.gguf; expect_code 2
    expect_in 'not UTF-8' "$err"
}

# A long prompt, with a new line in it, in a header of 80 columns.
case_header() {
    run "$hlg" run -p "$(printf 'Ünder\n%.0s' {1..40})" -p Once -n 3; expect_code 0
    local header
    header=$(head -1 <<<"$out")
    expect_equal "${header:0:24}" '==> 1 of 2: Ünder Ünder '
    expect_equal "${header: -7}" '... <=='
    [ "$(LC_ALL=C.UTF-8 wc -m <<<"$header")" -le 81 ] || die "wider than 80 columns: $header"
}

case_interrupt() {
    "$hlg" run "${prompts[@]}" -n -1 --ctx-size 131072 --ignore-eos >"$scratch/out" 2>"$scratch/err" </dev/null &
    local pid=$!
    for _ in {1..200}; do
        [ "$(wc -c <"$scratch/out")" -gt 100 ] && break
        sleep 0.05
    done
    interrupt $pid
    expect_code 130
    expect_equal "$(grep -c 'finish: interrupted' "$scratch/err")" 3
    expect_equal "$(grep -c '^==>' "$scratch/out")" 3
}

run_case "$1"
