#!/bin/bash
# test-tarball.sh FOLDER: unpacks the tarball in FOLDER where only its owner may look, and runs it there with an empty environment.
set -euo pipefail
fail() {
    echo "test-tarball: FAILED: $*" >&2
    exit 1
}
files=("$(realpath "$1")"/sonde-*-linux-*.tar.gz)
((${#files[@]} == 1)) && [[ -e ${files[0]} ]] || fail "$1 does not have one tarball"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

name=$(basename "${files[0]}" .tar.gz)
[[ $(tar -tzf "${files[0]}" | grep -vc "^$name/") == 0 ]] || fail "it unpacks beside its own folder"
[[ $(tar --numeric-owner -tvzf "${files[0]}" | awk '{ print $2 }' | sort -u) == 0/0 ]] || fail "owners"
tar -xzf "${files[0]}" -C "$work" --no-same-owner
tree=$work/$name
[[ -z $(find -L "$tree" -type l) ]] || fail "a symbolic link leads nowhere: $(find -L "$tree" -type l)"
# What its README types.
cd "$tree"
for words in version "plugins list" "check -c etc/sonde/sonde.yaml" "once --format json"; do
    # shellcheck disable=SC2086 # the words are the arguments
    env -i bin/sonde $words >"$work/output" || fail "sonde $words: $(cat "$work/output")"
done
grep -q '"name":"system.network.io"' "$work/output" || fail "no metric"
env -i bin/sonde plugins new tried --kind source --lang c --dir "$work/tried" >"$work/output" || fail "plugins new"
PKG_CONFIG_PATH=$tree/lib/pkgconfig make -s -C "$work/tried" >"$work/output" 2>&1 || fail "a plugin: $(cat "$work/output")"
for page in share/man/man*/*; do
    man -l --warnings -E ascii "$page" 2>"$work/output" | grep -q . || fail "man -l $page"
    [[ ! -s $work/output ]] || fail "man -l $page: $(cat "$work/output")"
done
echo "test-tarball: passed"
