#!/bin/sh
# Encodes a batch in each format: Benchmarks/formats/run.sh [ROUNDS] [FORMAT] [TICKS]
set -eu
cd "$(dirname "$0")/../.."
swift build -c release --product formats-benchmark >/dev/null
exec "$(swift build -c release --show-bin-path)/formats-benchmark" "$@"
