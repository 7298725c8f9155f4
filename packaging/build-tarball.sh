#!/bin/bash
# build-tarball.sh DIST OUTPUT: makes OUTPUT/sonde-<version>-linux-<machine>.tar.gz, which holds what all packages do and runs
# from wherever it is unpacked, with the bill of materials beside it.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
dist=$(realpath "$1")
output=$(realpath "$2")
version=$(version_of "$dist")
name=sonde-$version-linux-$(machine_of "$dist")

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$packaging/split.sh" "$dist" "$work/trees"
mkdir "$work/$name"
for package in sonde sonde-web sonde-dev sonde-swift-runtime; do
    cp -a "$work/trees/$package/usr/." "$work/$name/"
done
cp -a "$work/trees/sonde/etc" "$work/$name/etc"
install -m 644 "$packaging/tarball/README" "$packaging/../LICENSE" "$work/$name/"
settle_times "$work/$name"
cp "$work/$name/share/doc/sonde/sonde.spdx.json" "$output/$name.spdx.json"
# --format: the default differs between versions of tar; the PAX one would hold the times of this machine.
tar --create --directory "$work" --sort=name --owner=0 --group=0 --numeric-owner --format=gnu --mode='u+rw,go=rX' \
    --mtime="@$SOURCE_DATE_EPOCH" "$name" | gzip -9n >"$output/$name.tar.gz"
