# Sourced by the set-up tests: an npm that packs what the test tells it to, and an archive list to go with it.
# $fake/good/SPEC is what a registry would deliver; FAKE_NPM_BAD counts how many deliveries are spoilt first.

fake=$scratch/fake
mkdir -p "$fake/bin" "$fake/good"
export fake HLG_CACHE=$scratch/cache HLG_ARCHIVES_LIST=$fake/archives.sha512
touch "$HLG_ARCHIVES_LIST" "$fake/calls"

cat >"$fake/bin/npm" <<'NPM'
#!/bin/bash
[ "$1" = pack ] || exit 9
echo "$*" >>"$fake/calls"
[ -z "${FAKE_NPM_FAILS:-}" ] || { echo 'npm ERR! no network' >&2; exit 1; }
[ -z "${FAKE_NPM_SLEEP:-}" ] || sleep "$FAKE_NPM_SLEEP"
name=${2#@}
name=${name//[\/@]/-}
calls=$(wc -l <"$fake/calls")
if [ "$calls" -le "${FAKE_NPM_BAD:-0}" ]; then head -c 40 "$fake/good/$name.tgz" >"$name.tgz"; else cp "$fake/good/$name.tgz" .; fi
echo "$name.tgz"
NPM
chmod +x "$fake/bin/npm"
PATH=$fake/bin:$PATH

# offer SPEC FOLDER: the registry now has FOLDER's content as SPEC, and the list knows its sum.
offer() {
    local name=${1#@}
    name=${name//[\/@]/-}
    tar -czf "$fake/good/$name.tgz" -C "$2" package
    echo "$(sha512sum <"$fake/good/$name.tgz" | cut -d' ' -f1) $1" >>"$HLG_ARCHIVES_LIST"
}

calls() { wc -l <"$fake/calls"; }
