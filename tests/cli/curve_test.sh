#!/bin/bash
# hlg curve as a user meets it. Usage: curve_test.sh CASE PROGRAM
. "$(dirname "$0")/../shell.sh"
readonly hlg=$2
unset LC_ALL LC_CTYPE NO_COLOR
export LANG=C.UTF-8

refused() { expect_refusal "$1" "$hlg" curve "${@:2}"; }

case_default() {
    run "$hlg" curve; expect_code 0
    expect_equal "$err" ''
    expect_in 'entropy pivot less 1.7, width 1.6, shoulder 0.6, toe 2 (fade)' "$out"
    expect_in 'HLG is off by default' "$out"
    expect_not_in '▲ top token' "$out" # its place is known under the top pivot alone
    [ "$(wc -L <<<"$out")" -le 80 ] || die "wider than 80 columns: $(wc -L <<<"$out")"
}

case_top_token() {
    run "$hlg" curve --hlg-preset note; expect_code 0
    expect_in 'top pivot less 6, width 4, shoulder 4, toe 6 (log)' "$out"
    expect_in '▲ top token' "$out"
}

case_preset_and_knobs() {
    run "$hlg" curve --hlg-preset balanced --hlg-shoulder 1.5 -T 0.8; expect_code 0
    expect_in 'HLG curve, preset balanced, T = 0.8' "$out"
    expect_in 'entropy pivot less 1.7, width 1.6, shoulder 1.5, toe 2 (fade)' "$out"
    expect_not_in 'off by default' "$out"
    # A sampler's flags can be pasted.
    run "$hlg" curve --hlg-sampling on --hlg-preset balanced; expect_code 0
    run "$hlg" curve --hlg-sampling off --hlg-preset balanced; expect_code 0
    expect_in 'plain temperature' "$out"
    run "$hlg" curve --hlg-width off; expect_code 0
    expect_in 'straight line' "$out"
}

case_locale() {
    run "$hlg" curve --hlg-preset note
    expect_in '●' "$out"
    LANG=C run "$hlg" curve --hlg-preset note
    expect_equal "$(LC_ALL=C tr -d '\n -~' <<<"$out")" ''
    local ascii=$out
    run "$hlg" curve --hlg-preset note --ascii
    expect_equal "$out" "$ascii"
    LC_ALL=POSIX run "$hlg" curve --hlg-preset note
    expect_equal "$out" "$ascii"
    LANG=de_DE.utf8 run "$hlg" curve --hlg-preset note
    expect_in '●' "$out"
}

case_colour() {
    run "$hlg" curve
    expect_not_in $'\e' "$out"
    command -v script >/dev/null || { echo 'no script(1) here, nothing to see'; return 0; }
    export TERM=xterm
    run script -qec "'$hlg' curve" /dev/null
    expect_in $'\e[' "$out"
    NO_COLOR=1 run script -qec "'$hlg' curve" /dev/null
    expect_not_in $'\e[' "$out"
}

# Escapes take no column, and a character one.
widest() { sed 's/\x1b\[[0-9;]*m//g; s/\r$//' <<<"$1" | LC_ALL=C.UTF-8 wc -L; }

case_terminal_size() {
    command -v script >/dev/null || { echo 'no script(1) here, nothing to see'; return 0; }
    local sizes='80x24 60x30 120x40' size flags
    for flags in '' '--hlg-preset balanced' '--hlg-preset balanced --hlg-pivot median --ascii'; do
        for size in $sizes; do
            run script -qec "stty cols ${size%x*} rows ${size#*x} && '$hlg' curve $flags" /dev/null; expect_code 0
            [ "$(widest "$out")" -lt "${size%x*}" ] || die "a line of $(widest "$out") columns in $size: $out"
        done
        # A terminal that does not know its size.
        COLUMNS=70 LINES=40 run script -qec "'$hlg' curve $flags" /dev/null; expect_code 0
        [ "$(widest "$out")" -lt 70 ] || die "a line of $(widest "$out") columns in 70"
    done
    run script -qec "stty cols 80 rows 24 && '$hlg' curve --hlg-preset balanced" /dev/null
    [ "$(wc -l <<<"$out")" -lt 24 ] || die "more than a screen: $(wc -l <<<"$out") lines"
    # Not a terminal: nothing changes.
    run "$hlg" curve
    local plain=$out
    COLUMNS=60 LINES=24 run "$hlg" curve
    expect_equal "$out" "$plain"
}

case_json() {
    run "$hlg" curve --json --hlg-preset note -T 0.5 --from -8 --to 8 --points 3; expect_code 0
    expect_lines 1 "$out"
    expect_in '"hlg":{"enabled":true,"preset":"note","pivot":"top","pivot_offset":6.0,"width":4.0,"shoulder":4.0,"toe":6.0' "$out"
    expect_in '"temperature":0.5,"from":-8.0,"to":8.0,"knots":[-4.0,4.0],"top_token":6.0' "$out"
    expect_in '{"z":0.0,"h":0.0,"slope":1.0,"shaped":0.0}' "$out"
    expect_in '{"z":8.0,"h":6.77258872223978' "$out" # 4 + 4 ln 2
    expect_in '"slope":0.5,"shaped":13.5451774444795' "$out"
    run "$hlg" curve --json
    expect_equal "$(grep -o '"z":' <<<"$out" | wc -l)" 201
    run "$hlg" curve --json --hlg-width off --hlg-toe off
    expect_in '"toe":"off"' "$out"
    expect_in '"knots":[],"top_token":null' "$out"
}

case_svg() {
    run "$hlg" curve --svg "$scratch/a.svg" --hlg-preset bold --json; expect_code 0
    expect_lines 1 "$out"
    expect_in "<metadata>hlg curve --svg a.svg --hlg-preset bold</metadata>" "$(cat "$scratch/a.svg")"
    run "$hlg" curve --svg - --hlg-preset bold; expect_code 0
    expect_in '</svg>' "$out"
    refused "can't write" --svg /no/such/a.svg
    command -v xmllint >/dev/null || { echo 'no xmllint(1) here'; return 0; }
    for knobs in '' '--hlg-preset note' '--hlg-width off' '--hlg-width 0 --hlg-toe 1e-9' '-T 100 --from 1 --to 10000' '-T 0.00002'; do
        # shellcheck disable=SC2086
        "$hlg" curve $knobs --svg "$scratch/b.svg" || die "no picture for: $knobs"
        xmllint --noout "$scratch/b.svg" || die "not XML: $knobs"
        expect_not_in 'nan' "$(cat "$scratch/b.svg")"
    done
}

# The picture in the repository is the one that its own command makes, byte for byte.
case_picture() {
    local picture=docs/images/curve.svg command
    command=$(sed -n 's:^<metadata>hlg \(.*\)</metadata>$:\1:p' "$HLG_SOURCE/$picture")
    expect_in "curve --hlg-preset balanced --svg $picture" "$command"
    mkdir -p "$scratch/docs/images"
    cd "$scratch" || exit 1
    # shellcheck disable=SC2086
    run "$hlg" $command; expect_code 0
    cmp "$picture" "$HLG_SOURCE/$picture" || die "make it again: hlg $command"
}

case_usage_errors() {
    refused '--from must be from -10000 to 10000, got x' --from x
    refused '--from must be from -10000 to 10000' --from -10001
    refused '--to must be from -10000 to 10000' --to inf
    refused '--from must be at least 0.1 below --to, got 3 and 3' --from 3 --to 3
    refused '--points must be a whole number from 2' --points 1
    refused 'the sampler is greedy' -T 0
    refused '--temperature must be between 0 and 100' -T 101
    refused '--hlg-width must be >= 0 or off, got -1' --hlg-width -1
    refused '--hlg-preset must be note|gentle|balanced|bold|cheap, got loud' --hlg-preset loud
    refused 'not expected' --top-p 0.5
}

case_help() {
    run "$hlg" curve --help; expect_code 0
    for flag in --from --to --svg --json --points --ascii --temperature --hlg-preset --hlg-toe-shape; do expect_in "$flag" "$out"; done
    expect_not_in --seed "$out"
}

run_case "$1"
