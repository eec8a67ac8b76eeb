#!/bin/bash
# hlg eval diversity as a user meets it, on the demo model, much too small to say anything. Usage: eval_diversity_test.sh CASE PROGRAM
. "$(dirname "$0")/../shell.sh"
readonly hlg=$2
server=
trap '[ -z "$server" ] || kill -9 "$server" 2>/dev/null; rm -rf "$scratch"' EXIT
printf 'the\nand\na\nof\nto\nwas\nhe\nin\nit\n' >"$scratch/words"
printf 'And then they all went home.\n' >"$scratch/more.txt"
printf 'The miller went to the town and the cat went with him.\n' >"$scratch/real.txt"
readonly few=(--samples 3 --search-samples 2 --tokens 6)
readonly small=(eval diversity --prompts 2 --resamples 20 --words "$scratch/words")
readonly model=(-t 1 --batch 4)

case_report() {
    run "$hlg" "${small[@]}" "${few[@]}" "${model[@]}" --real "$scratch/real.txt" --real "$scratch/more.txt" -o "$scratch/report"; expect_code 0
    expect_in 'HLG balanced, T ' "$out"
    expect_in 'temperature 1' "$out"
    expect_in 'Held out: dissimilarity' "$out"
    expect_in 'Replication: dissimilarity' "$out"
    expect_in 'report.html' "$err"
    json=$(cat "$scratch/report/report.json")
    expect_in '"kind": "diversity"' "$json"
    expect_in '"perplexity_low"' "$json"
    expect_in '--real real.txt --real more.txt' "$json"
    expect_in "$(sha256sum "$scratch/report/frozen.json" | cut -c-64)" "$json"
    expect_in '"log_probabilities":[' "$(head -1 "$scratch/report/texts.jsonl")"
    [ -s "$scratch/report/report.html" ] || die 'no report.html'
    # The same command again draws nothing: what is there says the same.
    lines=$(wc -l <"$scratch/report/texts.jsonl")
    first=$out
    run "$hlg" "${small[@]}" "${few[@]}" "${model[@]}" --real "$scratch/real.txt" --real "$scratch/more.txt" -o "$scratch/report"; expect_code 0
    expect_equal "$out" "$first"
    expect_in "$lines texts are there" "$err"
    expect_equal "$(grep -c . "$scratch/report/texts.jsonl")" "$lines"
    # Other settings would be tuned and drawn beside what was frozen.
    run "$hlg" "${small[@]}" "${few[@]}" "${model[@]}" --seed 2 -o "$scratch/report"; expect_code 1
    expect_in 'take another folder' "$err"
}

case_interrupt() {
    "$hlg" "${small[@]}" "${model[@]}" --samples 200 -o "$scratch/report" >"$scratch/out" 2>"$scratch/err" </dev/null &
    for ((i = 0; i < 1000; i++)); do
        [ ! -s "$scratch/report/texts.jsonl" ] || break
        sleep 0.02
    done
    interrupt $!
    expect_code 130
    expect_in 'goes on from here' "$err"
    [ ! -e "$scratch/report/report.json" ] || die 'a report of half a run'
}

case_endpoint() {
    "$hlg" serve --port 0 "${model[@]}" --log-format none --api-key sesame >"$scratch/log" 2>&1 </dev/null &
    server=$!
    for ((i = 0; i < 1000; i++)); do
        ! grep -q 'ready; try' "$scratch/log" || break
        sleep 0.02
    done
    port=$(sed -n 's|.*listening on http://127.0.0.1:||p' "$scratch/log")
    echo sesame >"$scratch/key"
    run "$hlg" "${small[@]}" "${few[@]}" --endpoint "http://127.0.0.1:$port" --api-key-file "$scratch/key" --concurrency 4 -o "$scratch/report"
    expect_code 0
    expect_in 'One model, storyteller' "$out"
    expect_in '"source": "endpoint"' "$(cat "$scratch/report/report.json")"
    expect_refusal '401' "$hlg" "${small[@]}" "${few[@]}" --endpoint "http://127.0.0.1:$port" -o "$scratch/report"
    expect_refusal 'has no model other' "$hlg" "${small[@]}" "${few[@]}" --endpoint "http://127.0.0.1:$port" --api-key-file "$scratch/key" -m other
}

case_usage_errors() {
    expect_refusal 'wamerican' "$hlg" eval diversity --words "$scratch/none"
    expect_refusal "can't read" "$hlg" "${small[@]}" --real "$scratch/none"
    expect_refusal '--samples' "$hlg" eval diversity --samples 1
    expect_refusal 'are for an --endpoint' "$hlg" "${small[@]}" --concurrency 4
    expect_refusal '--endpoint' "$hlg" "${small[@]}" "${few[@]}" --endpoint localhost:1
}

run_case "$1"
