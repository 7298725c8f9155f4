#!/bin/sh
# Measures one collection through the whole engine against merely reading the same files.
#   Benchmarks/pipeline/run.sh [ROUNDS] [ITERATIONS]
# Needs the plugins and the runtime of `make build`.
set -eu
cd "$(dirname "$0")/../.."
rounds=${1:-3}
iterations=${2:-2000}
make -s build >/dev/null
binary="$(swift build -c release --show-bin-path)/pipeline-benchmark"
round=0
while [ "$round" -lt "$rounds" ]; do
    round=$((round + 1))
    LD_LIBRARY_PATH=dist/lib/sonde/runtime "$binary" "${binary%/*}" "$iterations"
done
