#!/bin/bash
# hlg eval as a user meets it, on the demo model and a small text. Usage: eval_test.sh CASE PROGRAM
. "$(dirname "$0")/../shell.sh"
readonly hlg=$2
cat >"$scratch/story.txt" <<'TEXT'
Once upon a time there was a miller who had three sons and one old cat. When the miller died, the eldest took the mill, the
second took the horse, and the youngest was left with nothing but the cat, who sat by the fire and looked at him.
TEXT
readonly quick=(--text "$scratch/story.txt" --resamples 20 -t 1)

case_kl() {
    run "$hlg" eval kl "${quick[@]}" -o "$scratch/report"; expect_code 0
    expect_in 'balanced' "$out"
    expect_in 'storyteller: 1 prompt' "$out"
    expect_in "report.html" "$err"
    expect_in '"kind": "kl"' "$(cat "$scratch/report/report.json")"
    expect_in '"engine": "llama.cpp ' "$(cat "$scratch/report/report.json")"
    # The command in the report is one to run again; other people's folders are not in it.
    expect_in '"command": "hlg eval kl --text story.txt --resamples 20' "$(cat "$scratch/report/report.json")"
    [ -s "$scratch/report/report.html" ] || die 'no report.html'
    [ ! -e "$scratch/report/unfinished" ] || die 'a finished run left its notes behind'
}

case_reach() {
    run "$hlg" eval reach "${quick[@]}" --every 8 -o "$scratch/report"; expect_code 0
    expect_in 'quadratic smoothing' "$out"
    expect_in '"kind": "reach"' "$(cat "$scratch/report/report.json")"
}

case_match() {
    run "$hlg" eval match "${quick[@]}" --sampler top_p --sampler hlg-fade-entropy --evaluations 4 --budget 0.1 -o "$scratch/report"
    expect_code 0
    expect_in 'top_p + T' "$out"
    expect_in 'Tuning: each' "$out"
    expect_in '"kind": "match"' "$(cat "$scratch/report/report.json")"
}

case_calibrate() {
    run "$hlg" eval calibrate "${quick[@]}" --sampler hlg-fade-entropy --evaluations 4 --budget 0.1 -o "$scratch/report"
    expect_code 0
    expect_in 'balanced' "$out"
    expect_in 'bars' "$out"
    expect_in '"kind": "calibrate"' "$(cat "$scratch/report/report.json")"
}

case_perf() {
    run "$hlg" eval perf --pairs 2 --tokens 4 --words 8 --requests 1 --requests 3 -t 1 -o "$scratch/report"; expect_code 0
    expect_equal "$(grep -c '^Decoding ' <<<"$out")" 2
    expect_in '3 at a time: hlg decodes at ' "$out"
    expect_in '"kind": "perf"' "$(cat "$scratch/report/report.json")"
    run "$hlg" eval perf --requests 0 -o "$scratch/report"; expect_code 2
    expect_in 'requests must be 1 to 1024, got 0' "$err"
    for word in '' 1x -1 1025 99999999999999999999; do
        run "$hlg" eval perf "--requests=$word" -o "$scratch/report"; expect_code 2
        expect_lines 1 "$err"
    done
    run "$hlg" eval perf --words 5000 --pairs 2 -t 1 -o "$scratch/report"; expect_code 2
}

case_usage_errors() {
    expect_refusal 'no subcommand' "$hlg" eval kll
    expect_refusal 'an evaluation is needed' "$hlg" eval
    expect_refusal '--logits DIR or --text FILE is needed' "$hlg" eval kl
    expect_refusal "can't read" "$hlg" eval kl --logits "$scratch/none"
    expect_refusal "can't read" "$hlg" eval kl --text "$scratch/none"
    expect_refusal 'no sampler is called top_q' "$hlg" eval match "${quick[@]}" --sampler top_q -o "$scratch/report"
    expect_refusal '--budget must be a price' "$hlg" eval match "${quick[@]}" --budget 0
    expect_refusal '--hlg-width' "$hlg" eval kl "${quick[@]}" --hlg-width -1 -o "$scratch/report"
    expect_refusal 'too few tokens' "$hlg" eval kl "${quick[@]}" --tokens 2 -o "$scratch/report"
}

case_help() {
    run "$hlg" eval --help; expect_code 0
    expect_in 'kl' "$out"
    expect_in 'match' "$out"
    expect_in 'calibrate' "$out"
    run "$hlg" eval match --help; expect_code 0
    expect_in '--held-out' "$out"
}

"case_$1"
