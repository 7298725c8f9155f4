#!/bin/sh
# Bytes on the wire per sample by remote write, HTTP heads included, beside a Prometheus agent and vmagent that scrape the same
# series each 10 s:
#   Benchmarks/bytes/run.sh [--seconds N]
# Needs python3; the peers come from `make servers` and are left out without it. Fails where ours is above its bound.
set -eu
cd "$(dirname "$0")/../.."
swift build -c release >/dev/null
exec python3 -B Benchmarks/bytes/measure.py --build "$(swift build -c release --show-bin-path)" "$@"
