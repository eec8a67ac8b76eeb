#!/bin/bash
# scripts/packages.sh: what it installs, and what it says when it can't. Usage: packages_test.sh CASE
. "$(dirname "$0")/../shell.sh"
readonly packages=$HLG_SOURCE/scripts/packages.sh
readonly list=$HLG_SOURCE/scripts/packages.list

# A machine with apt-get and dpkg-query on which nothing is installed, and whose user is not root.
mkdir "$scratch/bin"
tool() { printf '#!/bin/bash\n%s\n' "$2" >"$scratch/bin/$1"; chmod +x "$scratch/bin/$1"; }
tool apt-get "echo \"apt-get \$*\" >>$scratch/installed"
tool dpkg-query 'exit 1'
tool id 'echo 1000'
tool sudo 'exit 1'
export PATH=$scratch/bin:$PATH

case_nothing_missing() {
    tool dpkg-query 'printf installed'
    printf 'libfoo-dev demo pkg it is there\ncoreutils test cmd:ls it is there, too\n' >"$scratch/list"
    HLG_PACKAGES_LIST=$scratch/list run "$packages" test; expect_code 0
    expect_equal "$out$err" ''
    [ ! -e "$scratch/installed" ] || die 'apt-get was called'
}

case_prints_the_command_without_root() {
    printf 'libfoo-dev demo pkg missing\ncoreutils demo cmd:ls there\nlibbar-dev demo pkg missing\n' >"$scratch/list"
    HLG_PACKAGES_LIST=$scratch/list run "$packages" demo; expect_code 1
    expect_in 'apt-get update && apt-get install -y --no-install-recommends libfoo-dev libbar-dev' "$err"
    [ ! -e "$scratch/installed" ] || die 'apt-get was called'
}

case_goals_bring_the_demo_along() {
    tool id 'echo 0'
    printf 'a demo pkg .\ng eval pkg .\nb test pkg .\nc bench pkg .\nd lint pkg .\ne source pkg .\nf fuzz pkg .\nh lint,fuzz pkg .\n' >"$scratch/list"
    for goal in demo:a eval:'a g' test:'a g b' bench:'a c' lint:'a d h' source:'a e' fuzz:'a f h'; do
        rm -f "$scratch/installed"
        HLG_PACKAGES_LIST=$scratch/list run "$packages" "${goal%%:*}"; expect_code 0
        expect_equal "$(tail -1 "$scratch/installed")" "apt-get install -y --no-install-recommends ${goal#*:}"
    done
}

case_every_package_has_a_reason() {
    while read -r package goals check reason; do
        case $package in '' | '#'*) continue ;; esac
        for goal in ${goals//,/ }; do
            case $goal in demo | eval | test | lint | bench | fuzz | pictures | source) ;; *) die "$package: unknown goal $goal" ;; esac
        done
        case $check in pkg | cmd:?*) ;; *) die "$package: unknown check $check" ;; esac
        [ ${#reason} -gt 3 ] || die "$package has no reason"
    done <"$list"
    expect_equal "$(grep -v '^#' "$list" | awk 'NF { print $1 }' | sort | uniq -d)" ''
}

run_case "$1"
