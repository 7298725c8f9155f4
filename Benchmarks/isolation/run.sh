#!/bin/sh
# Measures what a collection costs in the agent's process and in a process of its own, the memory of an idle child, and whether
# 190 instances keep their schedule beside ten that misbehave. Fails where one is above its bound.
#   Benchmarks/isolation/run.sh [SECONDS] [INSTANCES] [DIST]
# Needs cc and python3.
set -eu
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cc -O2 -shared -fPIC -I Sources/CSondePlugin/include -o "$work/load.so" Benchmarks/isolation/load.c
cc -O2 -o "$work/wake" Benchmarks/isolation/wake.c
python3 -B Benchmarks/isolation/measure.py --dist "${3:-dist}" --folder "$work" --seconds "${1:-20}" --instances "${2:-200}"
