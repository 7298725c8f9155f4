#!/bin/bash
# test-reproducible.sh DIST [OTHER]: packs the staged tree DIST twice, the second time with another time zone, locale, mask, folder
# and order of files, and compares the bytes; or DIST and OTHER, which was built elsewhere of the same commit.
set -euo pipefail
packaging=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
dist=$(realpath "$1")
other=${2:+$(realpath "$2")}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
pack() {
    local kind
    mkdir -p "$2"
    for kind in deb rpm tarball; do
        "$packaging/build-$kind.sh" "$1" "$2" >>"$work/log" 2>&1 || {
            tail "$work/log" >&2
            exit 1
        }
    done
}

pack "$dist" "$work/first"
if [[ ! $other ]]; then
    # In reverse order, so that folders list their files in another one.
    mkdir -p "$work/elsewhere/copy"
    (cd "$dist" && find . -type d -exec mkdir -p "$work/elsewhere/copy/{}" \; &&
        find . ! -type d | sort -r | cpio --quiet -pdu "$work/elsewhere/copy")
    other=$work/elsewhere/copy
fi
(
    umask 077
    export TZ=Asia/Kolkata LC_ALL=C.UTF-8 HOME=$work/home
    pack "$other" "$work/second"
)

for file in "$work"/first/*; do
    cmp "$file" "$work/second/${file##*/}" || {
        echo "test-reproducible: FAILED: two packagings of ${file##*/} differ" >&2
        exit 1
    }
    sha256sum "$file" | sed "s|$work/first/||"
done
echo "test-reproducible: passed"
