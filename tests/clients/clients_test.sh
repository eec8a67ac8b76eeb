#!/bin/bash
# A client's tests, by Node, against the built program. Usage: clients_test.sh CASE PROGRAM; CASE.mjs lies beside this file.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
readonly case=${1:?usage: clients_test.sh CASE PROGRAM} program=${2:?usage: clients_test.sh CASE PROGRAM}
PATH=$("$here/../../scripts/node.sh"):$PATH
modules=$("$here/../../scripts/clients.sh")
# Node looks for packages beside the real file: the tests are copied to where the packages are.
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cp "$here"/*.mjs "$here/tools.jinja" "$scratch/"
ln -s "$modules" "$scratch/node_modules"
HLG_PROGRAM=$program node --test --test-reporter=spec "$scratch/$case.mjs"
