#!/bin/bash
# scripts/archive.sh: only the listed content gets into the cache. Usage: archive_test.sh CASE
. "$(dirname "$0")/../shell.sh"
. "$(dirname "$0")/fake_npm.sh"
readonly archive=$HLG_SOURCE/scripts/archive.sh

mkdir -p "$scratch/content/package"
head -c 5000 /dev/urandom >"$scratch/content/package/file"
offer @some/thing@1.2.3 "$scratch/content"
readonly good=$fake/good/some-thing-1.2.3.tgz

fetch() { run "$archive" @some/thing@1.2.3; }
expect_good() { expect_code 0; cmp "$out" "$good" || die "$out is not the archive"; }

case_fetches_once() {
    fetch; expect_good
    fetch; expect_good
    expect_equal "$(calls)" 1
    expect_equal "$err" ''
}

case_refuses_a_wrong_archive() {
    export FAKE_NPM_BAD=1
    fetch; expect_good
    expect_equal "$(calls)" 2
    expect_in refused "$err"
    expect_in 'wrong or half-downloaded' "$err"
    expect_in '40 bytes' "$err"
    expect_in --cache "$(tail -1 "$fake/calls")" # the second try must not get the same bad bytes from npm's own cache
}

case_refuses_a_half_archive_in_the_cache() {
    fetch; expect_good
    truncate -s 1000 "$out"
    fetch; expect_good
    expect_in refused "$err"
    expect_in '1000 bytes' "$err"
    expect_equal "$(calls)" 2
}

case_gives_up() {
    export FAKE_NPM_BAD=99
    fetch; expect_code 1
    expect_equal "$(calls)" 3
    expect_in 'gave up on @some/thing@1.2.3 after 3 tries' "$err"
    expect_equal "$(find "$HLG_CACHE" -name '*.tgz')" ''
    expect_equal "$(find "$HLG_CACHE" -name 'tmp.*')" ''
}

case_unlisted_is_refused() {
    run "$archive" left-pad@1.0.0; expect_code 1
    expect_in 'not in scripts/archives.sha512' "$err"
    expect_equal "$(calls)" 0
}

case_npm_fails() {
    export FAKE_NPM_FAILS=1
    fetch; expect_code 1
    expect_in 'npm pack @some/thing@1.2.3 failed' "$err"
}

case_no_npm() {
    mkdir "$scratch/few"
    for tool in bash dirname awk mkdir sha512sum cut stat flock rm uname; do ln -s "$(command -v $tool)" "$scratch/few/$tool"; done
    run env PATH="$scratch/few" "$archive" @some/thing@1.2.3; expect_code 1
    expect_in 'npm is needed' "$err"
}

run_case "$1"
