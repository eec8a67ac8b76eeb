#!/bin/bash
# Every evaluation whose numbers stand in benchmarks/RESULTS.md and docs/investigations/; a report each in OUT.
# Usage: evaluate.sh HLG OUT [LOGITS_DIR]. Without a folder of logits only the demo model's own contexts are looked at; more
# models for the same texts: HLG_EVAL_MODELS="A.gguf B.gguf".
set -euo pipefail
hlg=$(realpath "${1:?usage: evaluate.sh HLG OUT [LOGITS_DIR]}")
out=$(realpath -m "${2:?usage: evaluate.sh HLG OUT [LOGITS_DIR]}")
logits=()
[ -z "${3:-}" ] || logits=(--logits "$(realpath "$3")")
cd "$(dirname "$0")/.."

models=()
for model in ${HLG_EVAL_MODELS:-}; do models+=(--also "$model"); done
texts=()
for text in benchmarks/texts/*.txt; do texts+=(--text "$text"); done
both=("${logits[@]}" "${texts[@]}" "${models[@]}" --every 12)
[ ${#logits[@]} -gt 0 ] || logits=("${both[@]}")

"$hlg" eval kl "${logits[@]}" -o "$out/kl"
"$hlg" eval reach "${logits[@]}" -o "$out/reach"
"$hlg" eval match "${logits[@]}" -o "$out/match"
budgets=()
for budget in 0.02 0.03 0.05 0.07 0.1 0.14; do budgets+=(--budget "$budget"); done
"$hlg" eval calibrate "${both[@]}" "${budgets[@]}" --evaluations 96 -o "$out/calibrate"

real=()
for text in benchmarks/texts/*.txt; do real+=(--real "$text"); done
"$hlg" eval diversity "${real[@]}" -o "$out/diversity"
