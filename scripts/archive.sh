#!/bin/bash
# Prints the path of an npm archive whose sha512 is the one in archives.sha512, fetching it with `npm pack` when the cache
# has none. The registry is whichever the user's npm is set up for. Usage: archive.sh PACKAGE@VERSION
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=cache.sh
. "$here/cache.sh"

readonly spec=${1:?usage: archive.sh PACKAGE@VERSION}
readonly attempts=3
expected=$(awk -v spec="$spec" '$2 == spec { print $1 }' "${HLG_ARCHIVES_LIST:-$here/archives.sha512}")
[ -n "$expected" ] || { say "$spec is not in scripts/archives.sha512, so it can't be checked: refused"; exit 1; }
flat=${spec#@}
readonly archive=$HLG_CACHE/archives/${flat//[\/@]/-}.tgz

# Whether the file is the archive that the list names; says so when it is not.
check() {
    local got
    got=$(sha512sum <"$1" | cut -d' ' -f1)
    [ "$got" = "$expected" ] && return 0
    say "refused $1 ($(stat -c %s "$1") bytes) for $spec: wrong or half-downloaded"
    say "  its sha512 is ${got:0:16}..., expected ${expected:0:16}..."
    return 1
}

# One `npm pack`; from the second try on with an empty npm cache, lest npm hands out the same bad bytes again.
fetch() {
    local try=$1 into=$2 cache=()
    [ "$try" = 1 ] || cache=(--cache "$into/npm-cache")
    mkdir "$into/pack"
    (cd "$into/pack" && npm pack "$spec" --silent "${cache[@]}" >/dev/null </dev/null) || { say "npm pack $spec failed"; return 1; }
    find "$into/pack" -name '*.tgz' -print -quit
}

lock_cache
if [ -f "$archive" ]; then
    check "$archive" && { echo "$archive"; exit 0; }
    rm -f "$archive"
fi
command -v npm >/dev/null || { say "npm is needed to fetch $spec (make demo installs it)"; exit 1; }
mkdir -p "$HLG_CACHE/archives"
for ((try = 1; try <= attempts; ++try)); do
    say "fetching $spec"
    tmp=$(temporary_folder)
    if got=$(fetch "$try" "$tmp") && [ -n "$got" ] && check "$got"; then
        mv "$got" "$archive"
        rm -rf "$tmp"
        echo "$archive"
        exit 0
    fi
    rm -rf "$tmp"
done
say "gave up on $spec after $attempts tries; is the network there, and does \`npm ping\` work?"
exit 1
