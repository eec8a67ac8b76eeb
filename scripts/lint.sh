#!/bin/bash
# clang-format and clang-tidy over our own sources; any finding fails. Usage: lint.sh BUILD_FOLDER
# What clang-tidy found clean is remembered in HLG_CACHE by content, so another clone does not pay again: a file is looked at
# again only when it, a header that it includes, its flags, the checks or clang-tidy change. HLG_LINT_SECONDS (2700) bounds the run.
set -uo pipefail
cd "$(dirname "$0")/.."
. scripts/cache.sh

readonly build=${1:?usage: lint.sh BUILD_FOLDER}
readonly limit=${HLG_LINT_SECONDS:-2700}
readonly clean=$HLG_CACHE/lint
export build clean
mkdir -p "$clean"
find "$clean" -type f -mtime +30 -delete
cmake "$build" --log-level=NOTICE >/dev/null || exit 1 # the list of sources and flags, as of now

mapfile -t formatted < <(git ls-files --cached --others --exclude-standard '*.cpp' '*.hpp' '*.h' '*.c')
# A file that is not formatted does not hide what clang-tidy says: one run tells everything.
shape="${#formatted[@]} files formatted as they should be"
clang-format --dry-run -Werror "${formatted[@]}" || shape=

# "source <tab> file that it includes, or itself", as the compiler told ninja; none for what was never built. Where ccache writes
# paths from the build folder (CCACHE_BASEDIR), they are made whole.
included() {
    ninja -C "$build" -t deps 2>/dev/null | awk -v build="$PWD/$build/" '
        function whole(path) {
            if (path !~ /^\//) path = build path
            while (sub(/[^\/]+\/\.\.\//, "", path)) continue
            return path
        }
        /^[^ ]/ { source = "" }
        /^ / { sub(/^ +/, ""); file = whole($0); if (source == "") source = file; print source "\t" file }' | sort -u
}

# "key source" for each source. Paths count from here, so that every clone has the same keys.
keys() {
    local work
    work=$(mktemp -d)
    included >"$work/included"
    # What was never built may include any header of ours.
    git ls-files --cached --others --exclude-standard '*.hpp' '*.h' | xargs cat | sha256sum >"$work/headers"
    { cut -f2 "$work/included"; printf '%s\n' "${sources[@]}"; } | sort -u | xargs -d '\n' sha256sum >"$work/sums" 2>/dev/null
    { clang-tidy --version; cat .clang-tidy tests/.clang-tidy; } >"$work/common"
    awk -v here="$PWD/" -v work="$work" '
        FILENAME == ARGV[1] { sum[substr($0, 67)] = substr($0, 1, 64); next }
        FILENAME == ARGV[2] { split($0, pair, "\t"); list[pair[1]] = list[pair[1]] sum[pair[2]] "\n"; next }
        FILENAME == ARGV[3] { headers = $1; next }
        /"command": /       { command = $0; gsub(here, "", command) }
        /"file": /          { split($0, part, "\""); flags[part[4]] = flags[part[4]] command "\n" }
        END {
            for (source in flags) {
                name = work "/key" ++count
                printf "%s%s\n%s", flags[source], sum[source], source in list ? list[source] : headers >name
                close(name)
                print name "\t" source
            }
        }' "$work/sums" "$work/included" "$work/headers" "$build/compile_commands.json" >"$work/named"
    while IFS=$'\t' read -r name source; do
        echo "$(cat "$work/common" "$name" | sha256sum | cut -c1-32) $source"
    done <"$work/named" | grep -F " $PWD/" | grep -vF " $PWD/build/" | sort -k2
    rm -rf "$work"
}

mapfile -t sources < <(grep -o '"file": "[^"]*"' "$build/compile_commands.json" | cut -d'"' -f4 | sort -u)
todo=()
total=0
while read -r key source; do
    total=$((total + 1))
    [ -f "$clean/$key" ] && touch "$clean/$key" || todo+=("$key $source")
done < <(keys)
echo "lint: ${shape:+$shape; }clang-tidy on ${#todo[@]} of $total sources"
[ "$total" -gt 0 ] || { echo "lint: no sources in $build/compile_commands.json" >&2; exit 1; }

tidy() {
    local said
    said=$(clang-tidy --quiet -p "$build" "$2" 2>&1) && touch "$clean/$1" && return 0
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
[ -n "$shape" ] || { echo "lint: clang-format would change the files named first; make format does it" >&2; exit 1; }
echo "lint: clean"
