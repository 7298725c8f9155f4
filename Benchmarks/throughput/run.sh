#!/bin/sh
# Measures a file of lines → spool on disk → JSON over HTTP on loopback, in samples per CPU second of the agent.
#   Benchmarks/throughput/run.sh [--lines N] [--series N] [--commit N] [--rounds N]
# Needs cc and python3. The figure is of the whole process: reading, parsing, the log with its syncs, JSON, libcurl.
set -eu
cd "$(dirname "$0")/../.."
swift build -c release >/dev/null
exec python3 -B Benchmarks/throughput/measure.py --build "$(swift build -c release --show-bin-path)" "$@"
