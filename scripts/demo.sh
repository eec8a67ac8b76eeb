#!/bin/bash
# What `make demo` shows: the demo model tells one story under temperature and one under HLG, from the same seed.
# Usage: demo.sh PROGRAM
set -euo pipefail

readonly hlg=${1:?usage: demo.sh PROGRAM}
readonly prompt='Once upon a time there was a little girl who lived at the edge of the forest, and'
readonly common=(run --prompt "$prompt" --tokens 160 --seed 7 --temperature 1)

tell() {
    printf '\n\033[1m%s\033[0m\n\n%s' "$1" "$prompt"
    "$hlg" "${common[@]}" "${@:2}"
}

tell 'Temperature 1'
tell 'HLG, preset balanced, same seed' --hlg-sampling on --hlg-preset balanced

cat <<END

Try next:
  echo 'The king had three sons, and' | $hlg run --hlg-sampling on --hlg-preset bold
  $hlg run -m YOUR-MODEL.gguf -p 'Dear diary,' --hlg-sampling on --hlg-preset gentle
  $hlg run --help
END
