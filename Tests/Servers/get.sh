#!/bin/bash
# Unpacks the central servers that tests send to into a folder of its own: nothing is installed, no service starts. Does
# nothing when they are there.
# usage: get.sh FOLDER [SUITE]    SUITE: the Debian suite that they are taken from; Debian 12 has older ones
set -euo pipefail

folder=$(mkdir -p "$1" && readlink -f "$1")
programs=("$folder"/programs/usr/bin/{prometheus,victoria-metrics,vmagent})
for program in "${programs[@]}"; do [[ -x $program ]] || missing=yes; done
[[ ${missing:-} ]] || exit 0

"$(dirname "$0")/unpack.sh" "$folder/programs" "${2:-forky}" prometheus victoria-metrics
