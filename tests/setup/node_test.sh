#!/bin/bash
# scripts/node.sh: a Node that is new enough. Usage: node_test.sh CASE
. "$(dirname "$0")/../shell.sh"
. "$(dirname "$0")/fake_npm.sh"
readonly node=$HLG_SOURCE/scripts/node.sh
case $(uname -m) in x86_64) platform=linux-x64 ;; aarch64) platform=linux-arm64 ;; *) exit 0 ;; esac

system_node() { printf '#!/bin/sh\necho %s\n' "$1" >"$fake/bin/node"; chmod +x "$fake/bin/node"; }

case_new_enough_is_taken() {
    system_node v20.0.0
    run "$node"; expect_code 0
    expect_equal "$out" "$fake/bin"
    expect_equal "$(calls)" 0
}

case_old_is_replaced() {
    system_node v18.20.4
    mkdir -p "$scratch/content/package/bin"
    printf '#!/bin/sh\necho v20.20.2\n' >"$scratch/content/package/bin/node"
    chmod +x "$scratch/content/package/bin/node"
    touch "$scratch/content/package/LICENSE"
    offer "node-$platform@20.20.2" "$scratch/content"
    run "$node"; expect_code 0
    expect_equal "$("$out/node" --version)" v20.20.2
    run "$node"; expect_code 0
    expect_equal "$(calls)" 1
}

run_case "$1"
