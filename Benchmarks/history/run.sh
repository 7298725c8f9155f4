#!/bin/sh
# Measures the history: how large 30 days of a full one are, what a commit and each range cost, and a snapshot of a busy host.
#   Benchmarks/history/run.sh DIR [SERIES]
# DIR is made and removed again. 76 series, one of which is a distribution, are as many as 38 MiB hold.
set -eu
cd "$(dirname "$0")/../.."
directory=${1:?usage: run.sh DIR [SERIES]}
swift build -c release --product history-benchmark >/dev/null
binary="$(swift build -c release --show-bin-path)/history-benchmark"
mkdir "$directory"
trap 'rm -rf "$directory"' EXIT
"$binary" fill "$directory/history.db" "${2:-76}"
"$binary" snapshot - 1000
