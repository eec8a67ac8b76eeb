#!/bin/bash
# Prints the folder of the clients' packages that tests/clients uses, installing it into HLG_CACHE when it is not there yet: what
# package-lock.json says, each package checked against its sha512, no package's script run.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=cache.sh
. "$here/cache.sh"
readonly clients=$here/../tests/clients

key=$(cat "$clients/package.json" "$clients/package-lock.json" | sha256sum | cut -c1-16)
readonly root=$HLG_CACHE/clients/$key
if [ ! -d "$root" ]; then
    lock_cache
    if [ ! -d "$root" ]; then
        tmp=$(temporary_folder)
        cp "$clients/package.json" "$clients/package-lock.json" "$tmp/"
        say "fetching the clients that are tested against (npm ci)"
        (cd "$tmp" && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error >&2)
        mkdir -p "$HLG_CACHE/clients"
        mv "$tmp" "$root"
    fi
fi
echo "$root/node_modules"
