#!/bin/sh
# Measures one collection of procnet against merely reading the same files in C.
#   Benchmarks/procnet/run.sh [ROUNDS] [ITERATIONS]
# Prints, per round, both CPU times and their ratio (rounds alternate between the two programs), and at the end the
# instructions per iteration in user space as callgrind counts them (left out when valgrind is missing).
set -eu
cd "$(dirname "$0")/../.."
rounds=${1:-7}
iterations=${2:-3000}
files="/proc/net/dev /proc/net/snmp /proc/net/snmp6 /proc/net/netstat /proc/net/sockstat /proc/net/sockstat6"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cc -O2 -o "$work/readproc" Benchmarks/yardsticks/readproc.c
swift build -c release --product procnet-benchmark
ours="$(swift build -c release --show-bin-path)/procnet-benchmark"

median() { sed -n 's/.* med=\([0-9.]*\).*/\1/p'; }
for sleep in "" 20000; do
    count=$iterations
    [ -z "$sleep" ] || count=100
    echo "CPU time per iteration in microseconds, ${sleep:-no} microseconds of pause between iterations"
    round=0
    while [ "$round" -lt "$rounds" ]; do
        round=$((round + 1))
        # shellcheck disable=SC2086
        read=$(env ${sleep:+SLEEP_US=$sleep} "$work/readproc" "$count" 65536 $files | median)
        collect=$(env ${sleep:+SLEEP_US=$sleep} "$ours" "$count" | median)
        echo "$read $collect" | awk '{ printf "  readproc %7.1f  procnet %7.1f  ratio %.2f\n", $1, $2, $2 / $1 }'
    done
done

command -v valgrind >/dev/null || exit 0
# Two runs of different length: the difference leaves out what happens once.
instructions() {
    valgrind --tool=callgrind --callgrind-out-file="$work/callgrind.out" "$@" 2>&1 >/dev/null |
        sed -n 's/.*Collected : \([0-9]*\).*/\1/p'
}
# shellcheck disable=SC2086
{
    short=$(instructions "$work/readproc" 100 65536 $files)
    long=$(instructions "$work/readproc" 300 65536 $files)
    echo "user-space instructions per iteration: readproc $(((long - short) / 200))"
}
short=$(instructions "$ours" 100)
long=$(instructions "$ours" 300)
echo "user-space instructions per iteration: procnet  $(((long - short) / 200))"
