#!/bin/bash
# split.sh DIST OUTPUT: lays out the staged tree DIST as the packages install it, a folder for each:
#
#   OUTPUT/sonde                 the agent, the command, the unit, the manual: what a host needs
#   OUTPUT/sonde-web             the server of 'sonde web': for hosts whose pages are looked at
#   OUTPUT/sonde-dev             header, kit and templates: what makers of plugins need
#   OUTPUT/sonde-swift-runtime   the libraries of Swift, for plugins in Swift that are not Sonde's own
#
# docs/decisions/0105 says why so. Debian's packages and those of rpm are made from the same folders.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
dist=$(realpath "$1")
mkdir -p "$2"
output=$(realpath "$2")

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

agent=$output/sonde
web=$output/sonde-web
kit=$output/sonde-dev
runtime=$output/sonde-swift-runtime
mkdir -p "$agent/usr" "$web/usr/share/doc/sonde-web" "$kit/usr/lib" "$kit/usr/share/"{sonde,doc/sonde} "$runtime/usr/lib/sonde"

# Moves paths below /usr out of the agent's package.
move() {
    local package=$1 path
    shift
    for path in "$@"; do
        mkdir -p "$package/usr/$(dirname "$path")"
        mv "$agent/usr/$path" "$package/usr/$path"
    done
}

cp -r "$dist"/{bin,include,lib,share} "$agent/usr/"
cp -r "$dist/etc" "$agent/etc"
move "$runtime" lib/sonde/runtime
move "$web" bin/sonde-web
move "$kit" include lib/pkgconfig share/sonde/{swift,templates} \
    share/doc/sonde/{plugins/examples,Sources,ARCHITECTURE.md,CONTRIBUTING.md,docs/decisions,docs/reference,docs/release.md} \
    share/doc/sonde/docs/guide/{a-sink,a-source,contract-versions,simulation,testing-a-plugin,where-to-change,writing-a-plugin}.md

"$packaging/make-man-pages.py" "$dist/bin/sonde" "$work"
for page in "$work"/*; do
    install -D -m 644 "$page" "$agent/usr/share/man/man${page##*.}/${page##*/}"
done
"$packaging/make-sbom.py" "$dist" "$(version_of "$dist")" "$(machine_of "$dist")" "$agent/usr/share/doc/sonde/sonde.spdx.json"
install -D -m 644 "$packaging/sonde.service" "$agent/usr/lib/systemd/system/sonde.service"
install -D -m 644 "$packaging/sonde-web.service" "$web/usr/lib/systemd/system/sonde-web.service"
install -D -m 644 "$packaging/sonde.sysusers" "$agent/usr/lib/sysusers.d/sonde.conf"
install -D -m 644 "$packaging/sonde.tmpfiles" "$agent/usr/lib/tmpfiles.d/sonde.conf"

for package in "$agent" "$web" "$kit" "$runtime"; do
    rm -f "$package/usr/share/doc/sonde/LICENSE"
    # Gone with what was moved.
    find "$package" -type d -empty -not -path '*/lib/sonde/plugins' -delete
    settle_times "$package"
done
