#!/bin/bash
# hlg eval capability as a user meets it, on the demo model and made-up datasets. Usage: capability_test.sh CASE PROGRAM
. "$(dirname "$0")/../shell.sh"
readonly hlg=$2
readonly data=$scratch/data out_folder=$scratch/out_folder
mkdir -p "$data"/{gsm8k,mmlu/test,ifeval,bfcl/possible_answer,humaneval}
cat >"$data/gsm8k/test.jsonl" <<'TEXT'
{"question": "A hen lays 2 eggs a day. How many in 3 days?", "answer": "2 * 3 = 6\n#### 6"}
{"question": "A cat eats 4 mice a day. How many in 5 days?", "answer": "4 * 5 = 20\n#### 20"}
{"question": "Ten ducks swim and 3 fly off. How many are left?", "answer": "10 - 3 = 7\n#### 7"}
TEXT
printf 'Which bird quacks?,a crow,a duck,a wren,an owl,B\nWhich bird hoots?,a crow,a duck,a wren,an owl,D\n' >"$data/mmlu/test/birds_test.csv"
cat >"$data/ifeval/input_data.jsonl" <<'TEXT'
{"prompt": "Tell a story without commas.", "instruction_id_list": ["punctuation:no_comma"], "kwargs": [{}]}
{"prompt": "Say mill twice.", "instruction_id_list": ["keywords:frequency"], "kwargs": [{"keyword": "mill", "relation": "at least", "frequency": 2}]}
TEXT
readonly function='"function": [{"name": "mill.grind", "description": "Grinds.", "parameters": {"type": "dict", "properties": {"kilos": {"type": "integer"}}, "required": ["kilos"]}}]'
for name in simple multiple parallel irrelevance; do
    echo "{\"id\": \"${name}_0\", \"question\": [[{\"role\": \"user\", \"content\": \"Grind 5 kilos.\"}]], $function}" >"$data/bfcl/BFCL_v4_$name.json"
    echo "{\"id\": \"${name}_0\", \"ground_truth\": [{\"mill.grind\": {\"kilos\": [5]}}]}" >"$data/bfcl/possible_answer/BFCL_v4_$name.json"
done
for i in 0 1; do
    echo '{"task_id": "Own/'$i'", "prompt": "def twice(x):\n    \"\"\" Twice. \"\"\"\n", "entry_point": "twice", "test": "def check(candidate):\n    assert candidate(4) == 8\n"}'
done >"$data/humaneval/HumanEval.jsonl"
readonly quick=(--data "$data" --samples 2 --tokens 6 --resamples 20 -t 1 -o "$out_folder")
readonly sums=("${quick[@]}" --task gsm8k)

# What a report holds but for how it was made.
numbers() { grep -vE '"(date|seconds|machine)"' "$out_folder/report.json"; }

case_all_tasks() {
    local tasks=(--task gsm8k --task mmlu --task ifeval --task bfcl --task hashhop --shots 0 --hash-questions 2 --chains 2 --hops 2)
    local questions=15
    run "$hlg" eval capability "${quick[@]}" "${tasks[@]}" --task humaneval
    # Containers often forbid what the sandbox needs.
    if [[ $code = 2 && $err = *"can't be shut in here"* ]]; then
        questions=13
        run "$hlg" eval capability "${quick[@]}" "${tasks[@]}"
    fi
    expect_code 0
    expect_in 'instructions, loose' "$out"
    expect_in 'GSM8K: non-informative' "$out"
    expect_in 'HashHop' "$out"
    expect_in 'report.html' "$err"
    expect_in '"kind": "capability"' "$(cat "$out_folder/report.json")"
    [ -s "$out_folder/report.html" ] || die 'no report.html'
    # Two answers of two arms to each question.
    expect_equal "$(wc -l <"$out_folder/texts.jsonl")" $((4 * questions))
}

case_goes_on() {
    run "$hlg" eval capability "${sums[@]}"; expect_code 0
    local first
    first=$(numbers)
    # Half of the texts and half a line are lost: the rest is written again, and nothing else.
    head -n 6 "$out_folder/texts.jsonl" >"$scratch/half"
    head -c 40 "$out_folder/texts.jsonl" >>"$scratch/half"
    cp "$scratch/half" "$out_folder/texts.jsonl"
    run "$hlg" eval capability "${sums[@]}"; expect_code 0
    expect_in '6 texts are there from an earlier run' "$err"
    expect_equal "$(numbers)" "$first"
}

case_interrupt() {
    "$hlg" eval capability --data "$data" --task gsm8k --samples 4000 --tokens 40 -t 1 -o "$out_folder" >"$scratch/out" 2>"$scratch/err" </dev/null &
    local waited=0
    until [ -s "$out_folder/texts.jsonl" ] || [ $((waited += 1)) -gt 300 ]; do sleep 0.1; done
    interrupt $!
    expect_code 130
    expect_in 'goes on from here' "$err"
    [ ! -e "$out_folder/report.json" ] || die 'a report of half a run'
}

case_arms() {
    run "$hlg" eval capability "${sums[@]}" --arm 'cold={"temperature": 0.2}' --arm 'bold={"hlg": {"preset": "bold"}}' \
        --arm 'cut={"top_p": 0.9, "top_k": 40}'
    expect_code 0
    expect_in 'cold' "$out"
    expect_lines 3 "$(grep '^task\|^GSM8K  ' <<<"$out")"
    expect_in '"preset": "bold"' "$(cat "$out_folder/report.json")"
    expect_equal "$(wc -l <"$out_folder/texts.jsonl")" 18
}

case_missing_data() {
    expect_refusal '--data DIR is needed for gsm8k' "$hlg" eval capability --task gsm8k -o "$out_folder"
    rm "$data/gsm8k/test.jsonl"
    expect_refusal "gsm8k: can't read $data/gsm8k/test.jsonl: No such file or directory" "$hlg" eval capability "${sums[@]}"
    echo '{"question": "?", "answer": "none"}' >"$data/gsm8k/test.jsonl"
    expect_refusal 'test.jsonl:1: answer has no number behind ####' "$hlg" eval capability "${sums[@]}"
    echo '{"question": "?", "answer": "#### 1"}' >"$data/gsm8k/test.jsonl"
    expect_refusal 'gsm8k has one question' "$hlg" eval capability "${sums[@]}"
    [ ! -e "$out_folder" ] || die 'a folder for nothing'
}

case_no_sandbox() {
    local program
    program=$(realpath "$hlg")
    run env PATH=/nowhere "$program" eval capability "${quick[@]}" --task humaneval
    expect_code 2
    expect_in "they can't be shut in here: bwrap is not there" "$err"
}

case_usage_errors() {
    expect_refusal '--task must be one of gsm8k, mmlu' "$hlg" eval capability --task gsm8q
    expect_refusal '--arm must be NAME=' "$hlg" eval capability "${sums[@]}" --arm '{"temperature": 1}'
    expect_refusal '--arm must be given twice' "$hlg" eval capability "${sums[@]}" --arm 'a={}'
    expect_refusal 'two arms are called a' "$hlg" eval capability "${sums[@]}" --arm 'a={}' --arm 'a={}'
    expect_refusal 'temperature' "$hlg" eval capability "${sums[@]}" --arm 'a={"temperature": -1}' --arm 'b={}'
    expect_refusal 'no setting is called topp' "$hlg" eval capability "${sums[@]}" --arm 'a={"topp": 1}' --arm 'b={}'
    expect_refusal '--arm a' "$hlg" eval capability "${sums[@]}" --arm 'a={' --arm 'b={}'
    expect_refusal '--questions' "$hlg" eval capability "${sums[@]}" --questions 1
    expect_refusal 'hashhop' "$hlg" eval capability "${quick[@]}" --task hashhop --chains 500000 --hops 100
}

case_help() {
    run "$hlg" eval capability --help; expect_code 0
    expect_in '--arm' "$out"
    run "$hlg" eval --help; expect_code 0
    expect_in 'capability' "$out"
}

run_case "$1"
