#!/bin/bash
# Runs `cmake --preset PRESET` with the given VAR=VALUE settings, unless the build folder has them already: a second run of
# make should do nothing at all. HLG_ENGINE and HLG_LLAMA_SOURCE from the environment count as settings.
# Usage: configure.sh PRESET [VAR=VALUE]...
set -euo pipefail
cd "$(dirname "$0")/.."

readonly preset=${1:?usage: configure.sh PRESET [VAR=VALUE]...}
shift
wanted=("$@")
for name in HLG_ENGINE HLG_LLAMA_SOURCE; do
    [ -z "${!name:-}" ] || wanted+=("$name=${!name}")
done

readonly cache=build/$preset/CMakeCache.txt
todo=no
[ -f "$cache" ] && [ -f "build/$preset/build.ninja" ] || todo=yes
for setting in "${wanted[@]}"; do
    [ "$todo" = yes ] || grep -q "^${setting%%=*}:[A-Z]*=${setting#*=}\$" "$cache" || todo=yes
done
[ "$todo" = no ] || cmake --preset "$preset" --log-level=NOTICE "${wanted[@]/#/-D}" >/dev/null
