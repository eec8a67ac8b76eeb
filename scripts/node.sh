#!/bin/bash
# Prints the folder of a `node` of version 20 or newer: the system's, else one that npm brings into HLG_CACHE.
# Client tests need it; Debian 12's own is 18.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=cache.sh
. "$here/cache.sh"

readonly needed=20 version=20.20.2
if command -v node >/dev/null; then
    have=$(node --version)
    have=${have#v}
    if [ "${have%%.*}" -ge "$needed" ]; then
        dirname "$(command -v node)"
        exit 0
    fi
fi

platform=$(npm_platform)
readonly root=$HLG_CACHE/node/$version-$platform
if [ ! -d "$root" ]; then
    lock_cache
    if [ ! -d "$root" ]; then
        archive=$("$here/archive.sh" "node-$platform@$version")
        tmp=$(temporary_folder)
        tar -xzf "$archive" -C "$tmp" package/bin/node package/LICENSE
        mkdir -p "$HLG_CACHE/node"
        mv "$tmp/package" "$root"
        rm -rf "$tmp"
    fi
fi
echo "$root/bin"
