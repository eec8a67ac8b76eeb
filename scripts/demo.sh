#!/bin/bash
# What `make demo` shows: the demo model tells one story under temperature and one under HLG, from the same seed.
# Usage: demo.sh PROGRAM
set -euo pipefail

readonly hlg=${1:?usage: demo.sh PROGRAM}
readonly prompt='Once upon a time there was a little girl who lived at the edge of the forest, and'
readonly common=(run --prompt "$prompt" --echo --tokens 160 --seed 7 --temperature 0.6)

bold='' plain=''
if [ -t 1 ]; then bold=$'\033[1m' plain=$'\033[0m'; fi

# tell TITLE FLAGS...: one story; hlg itself reports tokens/s.
tell() {
    printf '\n%s%s%s\n\n' "$bold" "$1" "$plain"
    "$hlg" "${common[@]}" "${@:2}"
}

tell 'Temperature 0.6'
tell 'HLG, preset balanced, same temperature, same seed' --hlg-sampling on --hlg-preset balanced

cat <<END

The curve changes the entropy too: at the same T the two are not equally random.

Try next:
  hlg=$hlg
  \$hlg run -p 'The king had' -T 0.6 --hlg-sampling on --hlg-preset bold
  \$hlg run -m MODEL.gguf -p 'Dear diary,' --hlg-sampling on --hlg-preset gentle
  \$hlg help run
END
