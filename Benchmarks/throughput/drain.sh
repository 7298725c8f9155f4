#!/bin/sh
# Measures spool on disk → remote write → a server that drops it, in samples per CPU second of the agent.
#   Benchmarks/throughput/drain.sh [--lines N] [--series N] [--rounds N] [--version 1|2]
# Needs cc and python3.
set -eu
cd "$(dirname "$0")/../.."
swift build -c release >/dev/null
exec python3 -B Benchmarks/throughput/drain.py --build "$(swift build -c release --show-bin-path)" "$@"
