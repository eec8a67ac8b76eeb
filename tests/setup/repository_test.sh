#!/bin/bash
# What must never be in the repository. Usage: repository_test.sh CASE
. "$(dirname "$0")/../shell.sh"
cd "$HLG_SOURCE" || exit 1
git rev-parse --git-dir >/dev/null 2>&1 || { echo 'not a git checkout, nothing to look at'; exit 0; }

# The user's npm and apt configuration decide where packages come from.
case_no_addresses() {
    local found
    found=$(git grep -nIE 'registry\.[a-z]+|npmjs\.(org|com)|(deb|security|snapshot)\.debian\.org' -- ':!tests/setup/repository_test.sh')
    expect_equal "$found" ''
}

case_no_machine_paths() {
    local found
    found=$(git grep -nIE '(^|[^a-zA-Z.])/(home|root|work|Users)/[a-z]' -- ':!tests/setup/repository_test.sh')
    expect_equal "$found" ''
}

case_model_stored_once() {
    expect_equal "$(git ls-files '*.gguf')" models/storyteller.gguf
    expect_in "$(sha256sum <models/storyteller.gguf | cut -d' ' -f1)" "$(cat models/README.md)"
}

run_case "$1"
