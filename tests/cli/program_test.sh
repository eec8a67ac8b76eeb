#!/bin/bash
# hlg without its subcommands. Usage: program_test.sh CASE PROGRAM
. "$(dirname "$0")/../shell.sh"
readonly hlg=$2

# Asked for by nobody, help is an error; but the whole of it, as nothing else would help more.
case_bare() {
    run "$hlg"; expect_code 2
    expect_equal "$out" ''
    expect_equal "$err" "$("$hlg" --help)"
}

# hlg eval is another program beside it.
case_elsewhere() {
    run "$hlg" eval --help; expect_code 0
    expect_in 'hlg eval' "$out"
    expect_equal "$("$hlg" help eval)" "$out"
    run "$hlg" eval kl --bogus; expect_code 2
    expect_in 'hlg eval kl: ' "$err"
    cp "$hlg" "$scratch/hlg"
    run "$scratch/hlg" eval kl; expect_code 2
    expect_lines 1 "$err"
    expect_in 'make eval' "$err"
    printf '#!/no/such/interpreter\n' >"$scratch/hlg-eval"
    run "$scratch/hlg" eval kl; expect_code 1
    expect_in "can't start $scratch/hlg-eval" "$err"
}

case_unknown_subcommand() {
    run "$hlg" bogus -p x; expect_code 2
    expect_lines 1 "$err"
    expect_in "no subcommand 'bogus'; there are run, serve, draw, curve" "$err"
    run "$hlg" rnu; expect_code 2
    expect_in 'did you mean run?' "$err"
    run "$hlg" curves
    expect_in 'did you mean curve?' "$err"
    run "$hlg" help bogus; expect_code 2
    expect_in "no subcommand 'bogus'" "$err"
    run "$hlg" ''; expect_code 2
    expect_lines 1 "$err"
    run "$hlg" --bogus; expect_code 2
    expect_in 'not expected: --bogus' "$err"
    run "$hlg" run draw; expect_code 2
    expect_lines 1 "$err"
}

case_help() {
    run "$hlg" help; expect_code 0
    expect_equal "$err" ''
    for word in run serve draw curve 'hlg help SUBCOMMAND'; do expect_in "$word" "$out"; done
    expect_equal "$out" "$("$hlg" --help)"
    for subcommand in run serve draw curve; do
        run "$hlg" help "$subcommand"; expect_code 0
        expect_equal "$out" "$("$hlg" "$subcommand" --help)"
        expect_in "Usage: hlg $subcommand" "$out"
    done
}

case_version() {
    for flag in -v -V --version; do
        run "$hlg" $flag; expect_code 0
        expect_lines 1 "$out"
        expect_in 'hlg 0.' "$out"
    done
}

run_case "$1"
