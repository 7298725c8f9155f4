#!/bin/sh
# Compares what a sample costs with 1,000, 10,000 and 100,000 series at the same rate; fails where the dearest is 20 % above.
#   Benchmarks/throughput/series.sh [--rate N] [--seconds N] [--series N...] [--version 1|2] [--batch N] [--per-batch N]
# Needs cc and python3. The figure is of the whole process; the receiver drops what it gets.
set -eu
cd "$(dirname "$0")/../.."
swift build -c release >/dev/null
exec python3 -B Benchmarks/throughput/series.py --build "$(swift build -c release --show-bin-path)" "$@"
