#!/bin/bash
# build-rpm.sh DIST OUTPUT: makes OUTPUT/{sonde,sonde-web,sonde-devel,sonde-swift-runtime}-<version>-1.<machine>.rpm from the staged
# tree DIST, with rpm's tools of any distribution.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
dist=$(realpath "$1")
output=$(realpath "$2")
version=$(version_of "$dist")
machine=$(machine_of "$dist")

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$packaging/split.sh" "$dist" "$work/trees"

# What a package owns: files, and the folders that are its own rather than the system's.
files() {
    local tree=$work/trees/$1
    echo '%defattr(-,root,root,-)'
    (cd "$tree" && find . -path '*sonde*' -type d -printf '%%dir "/%P"\n' && find . ! -type d -printf '"/%P"\n') | sort |
        sed 's|^"\(/etc/.*\)"$|%config(noreplace) "\1"|; s|^\("/usr/share/man/.*\)"$|\1*"|'
}
for package in sonde sonde-web sonde-dev sonde-swift-runtime; do
    files "$package" >"$work/trees/$package.files"
done

# A release of a version of Debian's form; rpm has no '-' in one.
rpmbuild -bb --quiet --target "$machine-linux" \
    --define "_topdir $work/rpm" --define "_rpmdir $output" --define "_rpmfilename %%{NAME}-%%{VERSION}-%%{RELEASE}.%%{ARCH}.rpm" \
    --define "sonde_version ${version//-/\~}" --define "sonde_trees $work/trees" \
    --define "_buildhost sonde" --define "use_source_date_epoch_as_buildtime 1" \
    --define "clamp_mtime_to_source_date_epoch 1" --define "_binary_payload w9.xzdio" \
    "$packaging/rpm/sonde.spec"
