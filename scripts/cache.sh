# Sourced by the other scripts: where downloads live, and how two set-ups at once stay out of each other's way.
# HLG_CACHE outlives every build folder; deleting it is always safe.

HLG_CACHE=${HLG_CACHE:-${XDG_CACHE_HOME:-${HOME:-/tmp}/.cache}/hlg}
mkdir -p "$HLG_CACHE"
HLG_CACHE=$(cd "$HLG_CACHE" && pwd)
export HLG_CACHE

say() { echo "hlg: $*" >&2; }

# Waits until no other set-up works in the cache; held until this process ends.
lock_cache() {
    [ -z "${HLG_CACHE_LOCKED:-}" ] || return 0
    exec 9>"$HLG_CACHE/lock"
    flock -n 9 || { say "another set-up is filling $HLG_CACHE, waiting for it"; flock 9; }
    export HLG_CACHE_LOCKED=1
    rm -rf "$HLG_CACHE"/tmp.* # left by a set-up that was killed
}

# A fresh folder on the cache's own file system, so that a rename puts its content in place at once or not at all.
temporary_folder() { mktemp -d "$HLG_CACHE/tmp.XXXXXX"; }

# The machine as npm packages spell it: linux-x64, linux-arm64.
npm_platform() {
    case $(uname -sm) in
        'Linux x86_64') echo linux-x64 ;;
        'Linux aarch64') echo linux-arm64 ;;
        *) say "no prebuilt llama.cpp for $(uname -sm); use HLG_ENGINE=source or system"; return 1 ;;
    esac
}
