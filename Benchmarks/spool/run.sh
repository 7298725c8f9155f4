#!/bin/sh
# Measures the log on disk: append and read per point, and a start with a large backlog.
#   Benchmarks/spool/run.sh DIR [POINTS] [BACKLOG_MIB]
# DIR is made and removed again.
set -eu
cd "$(dirname "$0")/../.."
directory=${1:?usage: run.sh DIR [POINTS] [BACKLOG_MIB]}
swift build -c release --product spool-benchmark >/dev/null
binary="$(swift build -c release --show-bin-path)/spool-benchmark"
mkdir "$directory"
trap 'rm -rf "$directory"' EXIT
"$binary" throughput "$directory/throughput" "${2:-5000000}"
rm -rf "$directory/throughput"
"$binary" fill "$directory/backlog" "${3:-1024}"
"$binary" start "$directory/backlog" "${3:-1024}"
"$binary" drain "$directory/backlog" "${3:-1024}"
