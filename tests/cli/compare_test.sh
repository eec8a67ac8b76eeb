#!/bin/bash
# hlg compare as a user meets it, on the demo model. Usage: compare_test.sh CASE PROGRAM
. "$(dirname "$0")/../shell.sh"
readonly hlg=$2
readonly quick=(compare -n 12 -t 1)

case_arms() {
    run "$hlg" "${quick[@]}" -p 'Once upon a time' -o "$scratch/report"; expect_code 0
    expect_in 'Once upon a time' "$out"
    grep -qE '^off +hlg$' <<<"$out" || die "no two columns: $out"
    grep -qE '^hlg +[0-9]' <<<"$out" || die "no table: $out"
    expect_not_in $'\033' "$out"
    expect_in 'report.html' "$err"
    expect_in '"kind": "compare"' "$(cat "$scratch/report/report.json")"
    # What the report says is a line to paste.
    expect_in "hlg compare --tokens 12 --threads 1 --prompt 'Once upon a time'" "$(cat "$scratch/report/report.json")"
    first=$out
    run "$hlg" "${quick[@]}" -p 'Once upon a time' -o "$scratch/report"
    expect_equal "$out" "$first"
}

case_own_arms() {
    run "$hlg" "${quick[@]}" -p 'Once upon a time' -o "$scratch/report" --arm 'greedy={"temperature": 0}' \
        --arm 'cut={"top_p": 0.5}' --arm 'bold={"hlg": {"preset": "bold"}}'
    expect_code 0
    grep -qE '^greedy +cut +bold$' <<<"$out" || die "no three columns: $out"
    grep -qE '^greedy +12.0 +0.000 ' <<<"$out" || die "greedy is not certain: $out"
}

case_prompts_of_a_file() {
    printf 'Once upon a time\n\nThe king\r\n' >"$scratch/prompts"
    run "$hlg" "${quick[@]}" --prompts "$scratch/prompts" -o "$scratch/report"; expect_code 0
    expect_equal "$(grep -cE '^off +hlg$' <<<"$out")" 2
    run "$hlg" "${quick[@]}" --prompts "$scratch/prompts" -p x -o "$scratch/report"; expect_code 2
    : >"$scratch/empty"
    run "$hlg" "${quick[@]}" --prompts "$scratch/empty" -o "$scratch/report"; expect_code 2
    expect_in 'no prompt' "$err"
}

case_usage_errors() {
    run "$hlg" "${quick[@]}" -p x --arm 'one={}'; expect_code 2
    expect_in 'twice or more' "$err"
    run "$hlg" "${quick[@]}" -p x --arm 'a={"temperature": -1}' --arm 'b={}'; expect_code 2
    expect_in 'temperature' "$err"
    run "$hlg" "${quick[@]}" -p x --arm 'a={"colour": 1}' --arm 'b={}'; expect_code 2
    expect_in 'colour' "$err"
    [ ! -e hlg-compare ] || die 'a folder was made for nothing'
}

case_help() {
    run "$hlg" compare --help; expect_code 0
    expect_in '--arm NAME=JSON' "$out"
    expect_in '--prompts FILE' "$out"
}

run_case "$1"
