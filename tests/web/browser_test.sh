#!/bin/bash
# The pages in Debian's chromium, by Playwright. Usage: browser_test.sh CASE PROGRAM; CASE.mjs lies beside this file.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
readonly case=${1:?usage: browser_test.sh CASE PROGRAM} program=${2:?usage: browser_test.sh CASE PROGRAM}
PATH=$("$here/../../scripts/node.sh"):$PATH
"$here/../../scripts/web.sh" modules
# Node looks for packages beside the real file: the tests are copied to where the packages are.
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cp "$here"/*.mjs "$here/made_up_report.json" "$here"/../clients/{server.mjs,tools.jinja} "$scratch/"
ln -s "$(readlink "$here/../../web/node_modules")" "$scratch/node_modules"
HLG_PROGRAM=$program node --test --test-reporter=spec "$scratch/$case.mjs"
