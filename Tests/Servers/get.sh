#!/bin/bash
# Unpacks the central servers that tests send to into a folder of its own: nothing is installed, no service starts. Does
# nothing when they are there.
# usage: get.sh FOLDER [SUITE]    SUITE: the Debian suite that they are taken from; Debian 12 has older ones
set -euo pipefail

folder=$(mkdir -p "$1" && readlink -f "$1")
here=$(dirname "$0")
programs=("$folder"/programs/usr/bin/{prometheus,victoria-metrics,vmagent})
for program in "${programs[@]}"; do [[ -x $program ]] || missing=yes; done
[[ -z ${missing:-} ]] || "$here/unpack.sh" "$folder/programs" "${2:-forky}" prometheus victoria-metrics

# The newer suite's package has no promtool: that of the machine's own, and its node_exporter; nothing else of them.
promtool=$folder/programs/usr/bin/promtool
exporter=$folder/programs/usr/bin/prometheus-node-exporter
if ! [[ -x $promtool && -x $exporter ]]; then
    own=$(mktemp -d "$folder/.own.XXXXXX")
    trap 'rm -rf "$own"' EXIT
    "$here/unpack.sh" "$own" "$(. /etc/os-release && echo "$VERSION_CODENAME")" prometheus prometheus-node-exporter
    mv "$own"/usr/bin/{promtool,prometheus-node-exporter} "$folder/programs/usr/bin/"
fi
