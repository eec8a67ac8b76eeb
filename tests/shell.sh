# Sourced by the script tests: a scratch folder, and assertions that say what they saw.
set -uo pipefail

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

die() { echo "FAILED: $*" >&2; exit 1; }

# run COMMAND...: keeps its stdout, stderr and exit code in $out, $err and $code.
run() {
    "$@" >"$scratch/out" 2>"$scratch/err" </dev/null
    code=$?
    out=$(cat "$scratch/out") err=$(cat "$scratch/err")
}

# interrupt PID: Ctrl-C for a program in the background that writes to $scratch/out and $scratch/err; then as after `run`.
interrupt() {
    kill -INT "$1"
    wait "$1"
    code=$?
    out=$(cat "$scratch/out") err=$(cat "$scratch/err")
}

expect_code() { [ "$code" = "$1" ] || die "exit code $code, expected $1; stdout: $out; stderr: $err"; }
expect_in() { case $2 in *"$1"*) ;; *) die "'$1' is not in: $2" ;; esac }
expect_not_in() { case $2 in *"$1"*) die "'$1' is in: $2" ;; esac }
expect_equal() { [ "$1" = "$2" ] || die "not equal: '$1' and '$2'"; }
expect_lines() { [ "$(printf '%s\n' "$2" | wc -l)" = "$1" ] || die "not $1 line(s): $2"; }

# expect_refusal WORDS COMMAND...: exit 2, nothing on stdout, one line that holds the words.
expect_refusal() {
    run "${@:2}"
    expect_code 2
    expect_equal "$out" ''
    expect_lines 1 "$err"
    expect_in "$1" "$err"
}

# One value of a flat-enough JSON line, without needing a JSON tool: what follows "KEY": up to a comma or brace.
value() { grep -o "\"$2\":[^,}]*" <<<"$1" | head -1 | cut -d: -f2-; }

# The test script's case: the function named by its first argument.
run_case() { declare -F "case_$1" >/dev/null || die "no such case: $1"; "case_$1"; }
