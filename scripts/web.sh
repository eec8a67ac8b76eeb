#!/bin/bash
# The pages in web/: `build` writes web/dist, `check` looks whether web/dist is current and the sources are clean, `test` runs the unit
# tests, `pictures PROGRAM` makes the README's, `modules` only brings the packages. Node and the packages come from HLG_CACHE; building hlg itself needs neither.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=cache.sh
. "$here/cache.sh"
readonly web=$here/../web
readonly names=(report playground)
PATH=$("$here/node.sh"):$PATH

# What package-lock.json says, each package checked against its sha512, no package's script run; Node finds it beside the sources.
modules() {
    local key root tmp
    key=$(cat "$web/package.json" "$web/package-lock.json" | sha256sum | cut -c1-16)
    root=$HLG_CACHE/web/$key
    if [ ! -d "$root" ]; then
        lock_cache
        if [ ! -d "$root" ]; then
            tmp=$(temporary_folder)
            cp "$web/package.json" "$web/package-lock.json" "$web/.npmrc" "$tmp/"
            say "fetching what the pages are made with (npm ci)"
            (cd "$tmp" && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error >&2)
            mkdir -p "$HLG_CACHE/web"
            mv "$tmp" "$root"
        fi
    fi
    [ "$(readlink "$web/node_modules" || true)" = "$root/node_modules" ] || ln -sfn "$root/node_modules" "$web/node_modules"
}

# Both pages into a folder.
pages() {
    for page in "${names[@]}"; do
        HLG_WEB_OUT=$1 node_modules/.bin/vite build --mode "$page" --logLevel warn
    done
}

check() {
    local fresh page
    node_modules/.bin/tsc
    node_modules/.bin/biome check --error-on-warnings .
    fresh=$(mktemp -d)
    pages "$fresh"
    for page in "${names[@]}"; do
        # The text is compared, not its compression, which is another with another zlib.
        cmp <(gzip -dc "$fresh/$page.html.gz") <(gzip -dc "dist/$page.html.gz") && cmp "$fresh/$page.csp" "dist/$page.csp" || {
            say "web/dist is not what web/src says: run make web and commit"
            exit 1
        }
    done
    rm -rf "$fresh"
    say 'the pages are current'
}

# In a copy beside the packages, as tests/web/browser_test.sh does.
pictures() {
    local scratch
    "$here/packages.sh" test
    "$here/packages.sh" pictures
    scratch=$(mktemp -d)
    cp "$here"/../tests/web/*.mjs "$here"/../tests/clients/{server.mjs,tools.jinja} "$scratch/"
    ln -s "$(readlink "$web/node_modules")" "$scratch/node_modules"
    HLG_PROGRAM=$1 node "$scratch/pictures.mjs" "$here/../docs/images"
    rm -rf "$scratch"
}

[ $# -lt 2 ] || program=$(realpath "$2")
modules
cd "$web"
case ${1:?usage: web.sh build|check|test|pictures|modules} in
    build) pages dist ;;
    check) check ;;
    test) node_modules/.bin/vitest run ;;
    pictures) pictures "${program:?usage: web.sh pictures PROGRAM}" ;;
    modules) ;;
    *) say "usage: web.sh build|check|test|pictures|modules"; exit 2 ;;
esac
