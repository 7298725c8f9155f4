#!/bin/bash
# Line coverage of every target over the unit tests; Tests/coverage.py judges it. End-to-end tests are not counted.
#   Tests/coverage.sh                       runs all of them (ten minutes) and judges
#   Tests/coverage.sh FILTER                runs those that FILTER matches, and only shows
#   Tests/coverage.sh --lines TARGET ...    lists the lines of TARGET that the last run did not reach
set -euo pipefail
cd "$(dirname "$0")/.."
# Threads that count the same at once would lose some, and a line whose count is the difference of two others would have none.
COUNTED=(--enable-code-coverage -Xswiftc -Xllvm -Xswiftc -instrprof-atomic-counter-update-all)

judge() {
    python3 -B Tests/coverage.py "$(swift build --show-bin-path)" "$@"
}

run() {
    local counters log
    counters=$(dirname "$(swift test --show-codecov-path)")
    log=$(mktemp)
    swift build --build-tests "${COUNTED[@]}"
    # Counters of an earlier run would be added up.
    rm -rf "$counters"
    swift test --skip-build "${COUNTED[@]}" --skip EndToEndTests "$@" > "$log" || {
        grep '✘' "$log" || tail "$log"
        rm "$log"
        return 1
    }
    rm "$log"
}

case "${1:-}" in
    --lines) judge "$@" ;;
    "") run; judge ;;
    *) run --filter "$1"; judge --show ;;
esac
