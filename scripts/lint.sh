#!/bin/bash
# clang-format and clang-tidy over our own sources; any finding fails. Usage: lint.sh BUILD_FOLDER
# Findings of clang-tidy are remembered by content: a file is looked at again only when it, a header of ours, the
# checks or its flags change. HLG_LINT_SECONDS (1500) bounds the whole run.
set -uo pipefail
cd "$(dirname "$0")/.."

readonly build=${1:?usage: lint.sh BUILD_FOLDER}
readonly limit=${HLG_LINT_SECONDS:-1500}
readonly clean=$build/lint
export build
mkdir -p "$clean"
cmake "$build" --log-level=NOTICE >/dev/null || exit 1 # the list of sources and flags, as of now

mapfile -t formatted < <(git ls-files --cached --others --exclude-standard '*.cpp' '*.hpp' '*.h' '*.c')
if ! clang-format --dry-run -Werror "${formatted[@]}"; then
    echo "lint: clang-format would change the files above; make format does it" >&2
    exit 1
fi

# One key for everything that a finding may depend on besides the file itself.
context=$( (cat .clang-tidy tests/.clang-tidy "$build/compile_commands.json"; git ls-files --cached --others --exclude-standard '*.hpp' '*.h' | xargs cat) | sha256sum | cut -c1-16)
mapfile -t sources < <(grep -o '"file": "[^"]*"' "$build/compile_commands.json" | cut -d'"' -f4 | sort -u | grep "^$PWD/" | grep -v "^$PWD/build/")

todo=()
for source in "${sources[@]}"; do
    key=$( (echo "$context"; cat "$source") | sha256sum | cut -c1-32)
    [ -f "$clean/$key" ] || todo+=("$key $source")
done
echo "lint: ${#formatted[@]} files formatted as they should be; clang-tidy on ${#todo[@]} of ${#sources[@]} sources"

tidy() {
    local said
    said=$(clang-tidy --quiet -p "$build" "$2" 2>&1) && touch "$build/lint/$1" && return 0
    printf '%s\n' "$said"
    return 1
}
export -f tidy
if [ ${#todo[@]} -gt 0 ]; then
    printf '%s\n' "${todo[@]}" | timeout "$limit" xargs -P "$(nproc)" -L 1 bash -c 'tidy "$0" "$1"'
    status=$?
    [ $status -ne 124 ] || echo "lint: stopped after $limit seconds; what was clean is remembered, run it again" >&2
    [ $status -eq 0 ] || { echo "lint: clang-tidy found something" >&2; exit 1; }
fi
echo "lint: clean"
