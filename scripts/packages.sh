#!/bin/bash
# Installs the Debian packages of scripts/packages.list that GOAL (demo, eval, test, lint, bench, fuzz, pictures or source) needs and that
# are missing.
# Without root and sudo it prints the command to run and fails. With nothing missing it touches neither apt nor the network.
set -euo pipefail

readonly goal=${1:?usage: packages.sh demo|eval|test|lint|bench|fuzz|pictures|source}
wanted=,demo,$goal,
[ "$goal" != test ] || wanted=,demo,eval,test, # everything is tested
readonly wanted
readonly list=${HLG_PACKAGES_LIST:-$(dirname "$0")/packages.list}

# The packages of the goal that are not there, one a line.
missing() {
    local package goals one check reason
    while read -r package goals check reason; do
        case $package in '' | '#'*) continue ;; esac
        for one in ${goals//,/ } ''; do
            case $wanted in *",$one,"*) break ;; esac
        done
        [ -n "$one" ] || continue
        case $check in
            cmd:*) command -v "${check#cmd:}" >/dev/null || echo "$package" ;;
            *) [ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || echo "$package" ;;
        esac
    done <"$list"
}

if ! command -v apt-get >/dev/null; then
    echo "hlg: no apt-get here, so nothing is installed for you; $list tells what the build needs" >&2
    exit 0
fi

mapfile -t packages < <(missing)
[ ${#packages[@]} -gt 0 ] || exit 0

readonly install=(apt-get install -y --no-install-recommends "${packages[@]}")
as_root=()
if [ "$(id -u)" != 0 ]; then
    # -n: never wait for a password that nobody may be there to type.
    if command -v sudo >/dev/null && { sudo -n true 2>/dev/null || { [ -t 0 ] && sudo true; }; }; then
        as_root=(sudo)
    else
        {
            echo "hlg: these packages are missing, and installing them needs root. Please run:"
            echo
            echo "    apt-get update && ${install[*]}"
            echo
        } >&2
        exit 1
    fi
fi

echo "hlg: installing ${packages[*]}" >&2
log=$(mktemp)
trap 'rm -f "$log"' EXIT
quiet() { "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive "$@" >"$log" 2>&1 </dev/null || { cat "$log" >&2; exit 1; }; }
quiet apt-get update
quiet "${install[@]}"
