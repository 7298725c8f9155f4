#!/bin/sh
# Measures sockets: what the totals cost with no connection and with many, and a walk against sdiag.c on the same ones.
#   Benchmarks/procnet/sockets.sh [CONNECTIONS] [ROUNDS]
# Makes CONNECTIONS loopback connections (twice as many sockets) in a network namespace of its own: needs root. Prints, per
# round, the CPU time of both programs and their ratio; rounds alternate. At the end what the process holds in memory.
set -eu
cd "$(dirname "$0")/../.."
connections=${1:-100000}
rounds=${2:-5}
if [ "${SONDE_IN_NAMESPACE:-}" = "" ]; then
    SONDE_IN_NAMESPACE=1 exec unshare --net "$0" "$connections" "$rounds"
fi
ip link set lo up
work=$(mktemp -d)
holder=
trap 'rm -rf "$work"; [ -z "$holder" ] || kill "$holder"' EXIT
for tool in sdiag conns; do cc -O2 -o "$work/$tool" "Benchmarks/yardsticks/$tool.c"; done
[ -n "${SONDE_BENCHMARK:-}" ] || swift build -c release --product procnet-benchmark
ours=${SONDE_BENCHMARK:-"$(swift build -c release --show-bin-path)/procnet-benchmark"}

median() { sed -n 's/.* med=\([0-9.]*\).*/\1/p'; }
memory() { sed -n 's/.* rss_kb=\([0-9]*\).*/\1/p'; }
measure() {
    echo "$1 connections"
    round=0
    while [ "$round" -lt "$rounds" ]; do
        round=$((round + 1))
        totals=$(TABLES=sockstat,sockstat6,snmp SOCKETS=off "$ours" 300 | median)
        listeners=$(TABLES=sockstat SOCKETS=count "$ours" 300 | median)
        walk=$(TABLES=sockstat SOCKETS=count WALKS=1 "$ours" 30 | median)
        yardstick=$("$work/sdiag" 30 noestab | median)
        echo "$totals $listeners $walk $yardstick" | awk '{
            printf "  totals %6.1f us  totals and listeners %6.1f us  walk %9.1f us  sdiag %9.1f us  ratio %.2f\n",
                $1, $2, $3, $4, $3 / $4 }'
    done
    walk=$(TABLES=sockstat SOCKETS=detail WALKS=1 "$ours" 10)
    echo "  detail: walk $(echo "$walk" | median) us, resident $(echo "$walk" | memory) kB"
    echo "  count: resident $(TABLES=sockstat SOCKETS=count WALKS=1 "$ours" 30 | memory) kB"
}

measure 0
"$work/conns" "$connections" > "$work/ready" &
holder=$!
until grep -q READY "$work/ready"; do
    kill -0 "$holder"
    sleep 1
done
measure "$connections"
