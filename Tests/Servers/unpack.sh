#!/bin/bash
# Unpacks Debian packages into a folder: nothing is installed, and the package lists of the machine stay as they are.
# usage: unpack.sh FOLDER SUITE PACKAGE...
set -euo pipefail

folder=$(mkdir -p "$1" && readlink -f "$1")
suite=$2
shift 2
mirror=$({ cat /etc/apt/sources.list.d/*.sources /etc/apt/sources.list 2>/dev/null || true; } |
    sed -n 's/^URIs: *\([^ ]*\/debian\)\/* *$/\1/p; s/^deb  *\([^ ]*\/debian\)\/* .*/\1/p' | head -n 1)
[[ $mirror ]] || { echo "no Debian mirror is configured here" >&2; exit 1; }

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work"/apt/lists/partial "$work"/debs
echo "deb $mirror $suite main" >"$work/apt/sources.list"
# The folder is this user's alone: the user of apt cannot write there.
options=(-o Acquire::Retries=3 -o APT::Sandbox::User=root -o Dir::Etc::sourcelist="$work/apt/sources.list"
    -o Dir::Etc::sourceparts=- -o Dir::State::lists="$work/apt/lists" -o Dir::Cache::pkgcache= -o Dir::Cache::srcpkgcache=)
apt-get "${options[@]}" update -qq
cd "$work/debs"
for package in "$@"; do
    apt-get "${options[@]}" download -qq "$package"
    dpkg -x "$(ls -t "$package"_*.deb | head -n 1)" "$folder"
done
