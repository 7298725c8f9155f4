#!/bin/sh
# Sends a steady rate of samples to a local VictoriaMetrics; fails where one is lost, or memory grows.
#   Benchmarks/throughput/sustain.sh [--rate N] [--series N] [--seconds N]
# Needs cc, python3 and the servers of `make servers`.
set -eu
cd "$(dirname "$0")/../.."
swift build -c release >/dev/null
exec python3 -B Benchmarks/throughput/sustain.py --build "$(swift build -c release --show-bin-path)" "$@"
