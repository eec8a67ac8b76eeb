#!/bin/bash
# tools/models.sh with a tool that only pretends. Usage: models_test.sh CASE
. "$(dirname "$0")/../shell.sh"
readonly models=$HLG_SOURCE/tools/models.sh
export HLG_CACHE=$scratch/cache
mkdir -p "$scratch/llama/models/templates"
touch "$scratch/llama/models/ggml-vocab-gemma-4.gguf" "$scratch/llama/models/templates/openbmb-MiniCPM5-1B.jinja"

# make_tool NAME VERSION: writes an empty file for each model; fails at the one that $scratch/fail names.
make_tool() {
    cat >"$scratch/$1" <<EOF
#!/bin/bash
[ "\$1" = --version ] && { echo '$2'; exit 0; }
echo "\$*" >>"$scratch/calls"
while [ "\$1" != -o ]; do [ "\$1" != "\$(cat "$scratch/fail" 2>/dev/null)" ] || exit 1; name=\${name:-\$1}; shift; done
touch "\$2/\$name.gguf"
EOF
    chmod +x "$scratch/$1"
}
make_tool tool 'tool 1'

make_set() { run "$models" "$scratch/${1:-tool}" "$scratch/link" "$scratch/llama"; }
calls() { wc -l <"$scratch/calls"; }
sets() { find "$HLG_CACHE/models" -mindepth 1 -maxdepth 1 | wc -l; }

case_makes_once() {
    make_set; expect_code 0
    expect_equal "$(ls "$scratch/link/" | tr '\n' ' ')" 'gemma4.gguf llama-88m.gguf minicpm5.gguf '
    make_set; expect_code 0
    expect_equal "$(calls)" 3
    expect_equal "$(find "$HLG_CACHE" -name 'tmp.*')" ''
}

case_other_tool_other_set() {
    make_set; expect_code 0
    local first
    first=$(readlink "$scratch/link")
    make_tool newer 'tool 2'
    make_set newer; expect_code 0
    expect_equal "$(calls)" 6
    [ "$first" != "$(readlink "$scratch/link")" ] || die 'the link still leads to the old set'
    expect_equal "$(sets)" 2
}

case_failure_leaves_nothing() {
    echo minicpm5 >"$scratch/fail"
    make_set; expect_code 1
    [ ! -e "$scratch/link" ] && [ ! -e "$HLG_CACHE/models" ] || die 'half a set is in place'
    rm "$scratch/fail"
    make_set; expect_code 0
    expect_equal "$(find "$HLG_CACHE" -name 'tmp.*')" ''
}

case_old_sets_go() {
    mkdir -p "$HLG_CACHE/models/old" "$HLG_CACHE/models/recent"
    touch -d '9 days ago' "$HLG_CACHE/models/old"
    make_set; expect_code 0
    [ ! -e "$HLG_CACHE/models/old" ] && [ -e "$HLG_CACHE/models/recent" ] || die 'the wrong sets were removed'
    touch -d '9 days ago' "$(readlink "$scratch/link")" # in use again, so it stays
    make_set; expect_code 0
    [ -f "$scratch/link/gemma4.gguf" ] || die 'a set in use was removed'
}

run_case "$1"
