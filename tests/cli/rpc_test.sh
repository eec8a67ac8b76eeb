#!/bin/bash
# --rpc: one model over several of llama.cpp's RPC servers. Usage: rpc_test.sh CASE PROGRAM [RPC_SERVER]
# Without RPC_SERVER, which only HLG_ENGINE=source builds, what is tested is that hlg says so.
. "$(dirname "$0")/../shell.sh"
readonly hlg=$2 rpc_server=${3:-}
readonly story=(run -p 'Once upon a time' --temp 0 -n 20)
servers=()
trap 'kill -9 "${servers[@]}" 2>/dev/null; rm -rf "$scratch"' EXIT

# free_port: in $port, one that nobody listens on now.
free_port() {
    for ((port = 20000 + RANDOM % 20000; ; port++)); do
        (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null || return 0
    done
}

# start: an RPC server on a free port, its address in $server.
start() {
    free_port
    server=127.0.0.1:$port
    "$rpc_server" -H 127.0.0.1 -p "$port" >"$scratch/rpc$port" 2>&1 </dev/null &
    servers+=($!)
    disown
    for ((i = 0; i < 500; i++)); do
        ! (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null || return 0
        sleep 0.02
    done
    die "no RPC server: $(cat "$scratch/rpc$port")"
}

case_refused() {
    if [ -z "$rpc_server" ]; then
        expect_refusal '--rpc needs a llama.cpp built with RPC, as HLG_ENGINE=source builds it' "$hlg" "${story[@]}" --rpc 127.0.0.1:50052
        return
    fi
    for word in '' nowhere 127.0.0.1 :50052 127.0.0.1:0 127.0.0.1:65536 127.0.0.1:x ::1:50052; do
        expect_refusal "it must be host:port" "$hlg" "${story[@]}" --rpc "$word"
    done
    free_port
    expect_refusal "--rpc can't use 127.0.0.1:$port: Connection refused" "$hlg" "${story[@]}" --rpc "127.0.0.1:$port"
    expect_refusal "--rpc can't use no.such.host.invalid:50052: " "$hlg" "${story[@]}" --rpc no.such.host.invalid:50052
}

# The layers lie with the two servers, and the text is what one machine tells.
case_two_servers() {
    [ -n "$rpc_server" ] || return 0
    run "$hlg" "${story[@]}"
    expect_code 0
    local here=$out
    start; local first=$server
    start; local second=$server
    run "$hlg" "${story[@]}" --rpc "$first,$second" --verbose
    expect_code 0
    expect_equal "$out" "$here"
    expect_in 'assigned to device RPC0' "$err"
    expect_in 'assigned to device RPC1' "$err"
}

run_case "$1"
