#!/bin/bash
# Unpacks the central servers that tests send to into a folder of its own: nothing is installed, no service starts, and the
# package lists of the machine stay as they are. Does nothing when they are there.
# usage: get.sh FOLDER [SUITE]    SUITE: the Debian suite that they are taken from; Debian 12 has older ones
set -euo pipefail

folder=$(mkdir -p "$1" && readlink -f "$1")
suite=${2:-forky}
programs=("$folder"/programs/usr/bin/{prometheus,victoria-metrics,vmagent})
for program in "${programs[@]}"; do [[ -x $program ]] || missing=yes; done
[[ ${missing:-} ]] || exit 0

mirror=$({ cat /etc/apt/sources.list.d/*.sources /etc/apt/sources.list 2>/dev/null || true; } |
    sed -n 's/^URIs: *\([^ ]*\/debian\)\/* *$/\1/p; s/^deb  *\([^ ]*\/debian\)\/* .*/\1/p' | head -n 1)
[[ $mirror ]] || { echo "no Debian mirror is configured here" >&2; exit 1; }

mkdir -p "$folder"/apt/lists/partial "$folder"/debs "$folder"/programs
echo "deb $mirror $suite main" >"$folder/apt/sources.list"
options=(-o Acquire::Retries=3 -o Dir::Etc::sourcelist="$folder/apt/sources.list" -o Dir::Etc::sourceparts=-
    -o Dir::State::lists="$folder/apt/lists" -o Dir::Cache::pkgcache= -o Dir::Cache::srcpkgcache=)
apt-get "${options[@]}" update -qq
cd "$folder/debs"
for package in prometheus victoria-metrics; do
    apt-get "${options[@]}" download -qq "$package"
    dpkg -x "$(ls -t "$package"_*.deb | head -n 1)" "$folder/programs"
done
rm -rf "$folder/apt" "$folder/debs"
