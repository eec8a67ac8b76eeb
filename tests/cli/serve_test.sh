#!/bin/bash
# hlg serve, as a process: its flags, what it says, signals. Usage: serve_test.sh CASE PROGRAM
. "$(dirname "$0")/../shell.sh"
readonly hlg=$2
server=

# start FLAG...: a server on any free port, once it says that it is ready; its pid in $server, its port in $port.
start() {
    : >"$scratch/log"
    "$hlg" serve --port 0 "$@" >"$scratch/out" 2>"$scratch/log" </dev/null &
    server=$!
    until_in 'ready; try' "$scratch/log"
    port=$(sed -n 's|.*listening on http://127.0.0.1:||p' "$scratch/log")
}
trap '[ -z "$server" ] || kill -9 "$server" 2>/dev/null; rm -rf "$scratch"' EXIT

# until_in WORDS FILE: waits until the file has them.
until_in() {
    for ((i = 0; i < 1000; i++)); do
        ! grep -q -- "$1" "$2" || return 0
        sleep 0.02
    done
    die "'$1' does not come: $(cat "$2")"
}

# http METHOD PATH [HEADER]...: status line, headers and body, over a connection that the server closes.
http() {
    exec 3<>"/dev/tcp/127.0.0.1/$port"
    printf '%s %s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n' "$1" "$2" >&3
    [ $# -lt 3 ] || printf '%s\r\n' "${@:3}" >&3
    printf '\r\n' >&3
    cat <&3
    exec 3>&-
}

# ended CODE: the server ends by itself with this code.
ended() {
    wait "$server"
    code=$?
    server=
    expect_equal "$code" "$1"
}

case_answers() {
    start
    expect_in "curl http://127.0.0.1:$port/v1/" "$(cat "$scratch/log")"
    expect_in '{"status":"ok"}' "$(http GET /health)"
    expect_in '"id":"storyteller"' "$(http GET /v1/models)"
    until_in 'path="/v1/models" status=200' "$scratch/log"
    kill -TERM "$server"
    ended 0
    expect_equal "$(cat "$scratch/out")" ''
}

case_json_log_and_alias() {
    start --log-format json --alias some/model
    expect_in '"id":"some/model"' "$(http GET /v1/models/some%2Fmodel 'X-Request-Id: mine')"
    until_in '"id":"mine","client":"127.0.0.1:[0-9]*","method":"GET","path":"/v1/models/some/model","status":200' "$scratch/log"
    kill -INT "$server"
    ended 0
}

case_keys() {
    printf '# ours\nfirst\n\nsecond  \r\n' >"$scratch/keys"
    start --api-key-file "$scratch/keys" --api-key third --log-format none
    expect_in 'Authorization: Bearer $KEY' "$(cat "$scratch/log")"
    expect_in ' 200 ' "$(http GET /health)"
    expect_in ' 401 ' "$(http GET /v1/models)"
    for key in first second third; do expect_in ' 200 ' "$(http GET /v1/models "x-api-key: $key")"; done
    expect_not_in '/health' "$(cat "$scratch/log")"
}

# A stream is under way: the first signal lets it end, and health tells of it; the second ends all at once.
case_signals() {
    start --drain-timeout 600
    local body='{"messages":[{"role":"user","content":"x"}],"stream":true,"logit_bias":{"0":-100}}'
    # Who does not read holds its answer up: it can't end before it is looked at.
    exec 4<>"/dev/tcp/127.0.0.1/$port"
    printf 'POST /v1/chat/completions HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n%s' ${#body} "$body" >&4
    read -r line <&4
    expect_in '200 OK' "$line"
    kill -TERM "$server"
    until_in draining "$scratch/log"
    if kill -0 "$server" 2>/dev/null; then expect_in draining "$(http GET /health 2>/dev/null || echo draining)"; fi
    cat <&4 >"$scratch/stream" &
    ended 0
    wait
    expect_in '[DONE]' "$(cat "$scratch/stream")"
    start
    kill -TERM "$server"
    kill -TERM "$server"
    wait "$server"
    code=$?
    server=
    [ "$code" = 0 ] || [ "$code" = 143 ] || die "exit code $code"
}

case_port_is_free_at_once() {
    start
    http GET /health >/dev/null
    expect_refusal "can't listen on 127.0.0.1 port $port" "$hlg" serve --port "$port"
    kill -9 "$server"
    wait "$server" 2>/dev/null
    "$hlg" serve --port "$port" 2>"$scratch/log" &
    server=$!
    until_in "listening on http://127.0.0.1:$port" "$scratch/log"
}

case_usage_errors() {
    expect_refusal 'set --api-key or --api-key-file, or say --allow-no-key' "$hlg" serve --port 0 --host 0.0.0.0
    expect_refusal '--port must be a whole number from 0 to 65535' "$hlg" serve --port 65536
    expect_refusal 'there is no address no.such.host.invalid' "$hlg" serve --port 0 --host no.such.host.invalid
    expect_refusal '--api-key must be printable ASCII' "$hlg" serve --port 0 --api-key 'a b'
    expect_refusal '--api-key must be printable ASCII' "$hlg" serve --port 0 --api-key ''
    : >"$scratch/keys"
    expect_refusal "there is no key in $scratch/keys" "$hlg" serve --port 0 --api-key-file "$scratch/keys"
    expect_refusal "$scratch/none" "$hlg" serve --port 0 --api-key-file "$scratch/none"
    expect_refusal '--cors-origin must be an origin such as' "$hlg" serve --port 0 --cors-origin example.com
    expect_refusal '--log-format must be text|json|none' "$hlg" serve --port 0 --log-format xml
    expect_refusal '--max-queue must be' "$hlg" serve --port 0 --max-queue -1
    expect_refusal '--hlg-width must be' "$hlg" serve --port 0 --hlg-width -1
    run "$hlg" serve --port 0 -m "$scratch/none.gguf"; expect_code 2
    expect_in 'hlg serve: ' "$err"
    expect_in "$scratch/none.gguf" "$err"
}

case_help() {
    run "$hlg" serve --help; expect_code 0
    for flag in --host --port --api-key --api-key-file --allow-no-key --cors-origin --max-queue --timeout --drain-timeout --batch \
        --log-format --hlg-preset --temperature; do
        expect_in "$flag" "$out"
    done
    expect_in '(8)' "$(grep -A1 -- --batch <<<"$out")"
}

run_case "$1"
