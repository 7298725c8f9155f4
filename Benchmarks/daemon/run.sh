#!/bin/sh
# Measures a staged daemon with procnet at 1 s and the file sink: resident memory, CPU against merely reading the files,
# poll returns, and what the start costs. Fails where resident memory is above its bound.
#   Benchmarks/daemon/run.sh [SECONDS] [DIST]
# Needs cc and python3; the poll returns need strace and are left out without it.
set -eu
cd "$(dirname "$0")/../.."
seconds=${1:-60}
# kB; 14,800 to 15,400 were measured, decision 0073.
most_resident=10240
dist=${2:-dist}
work=$(mktemp -d)
daemon=
trap '[ -z "$daemon" ] || { kill "$daemon" 2>/dev/null; wait "$daemon" || true; }; rm -rf "$work"' EXIT

cc -O2 -o "$work/readproc" Benchmarks/yardsticks/readproc.c
cat >"$work/sonde.yaml" <<YAML
version: 1
agent: { interval: 1s, state_dir: $work/state }
sources: [{ id: kernel, plugin: procnet }]
sinks: [{ id: out, plugin: file, path: $work/out.jsonl }]
YAML

# Nanoseconds that all threads of a process have run, sched-stats.rst.
cpu() { cat /proc/"$1"/task/*/schedstat | awk '{ s += $1 } END { printf "%.0f\n", s }'; }

echo "start: CPU from exec to the first sample written"
for round in 1 2 3 4 5; do
    rm -f "$work/out.jsonl"
    "$dist/bin/sonded" run --config "$work/sonde.yaml" --quiet &
    daemon=$!
    while [ ! -s "$work/out.jsonl" ]; do sleep 0.01; done
    cpu "$daemon" | awk -v round="$round" '{ printf "  round %d  %.1f ms\n", round, $1 / 1e6 }'
    kill "$daemon"
    wait "$daemon" || true
    daemon=
done

# Freshly copied files have larger pages in the cache, of which more is mapped around each one that is touched.
sync
find "$dist" -type f -exec python3 -c 'import os, sys
for name in sys.argv[1:]:
    os.posix_fadvise(os.open(name, os.O_RDONLY), 0, 0, os.POSIX_FADV_DONTNEED)' {} +
"$dist/bin/sonded" run --config "$work/sonde.yaml" --quiet &
daemon=$!
sleep 5
before=$(cpu "$daemon")
read=$(SLEEP_US=1000000 "$work/readproc" "$seconds" 65536 /proc/net/dev /proc/net/snmp /proc/net/snmp6 \
    /proc/net/netstat /proc/net/sockstat /proc/net/sockstat6 | sed -n 's/.* med=\([0-9.]*\).*/\1/p')
after=$(cpu "$daemon")
echo "running for $seconds s at a 1 s interval"
echo "$before $after $read $seconds" | awk '{
    ours = ($2 - $1) / 1e9 / $4 * 3600; floor = $3 / 1e6 * 3600
    printf "  CPU seconds per hour: %.2f, reading the files in C %.2f, beyond that %.2f\n", ours, floor, ours - floor }'
grep -E 'VmRSS|VmHWM' /proc/"$daemon"/status | sed 's/^/  /'
resident=$(awk '/VmRSS/ { print $2 }' /proc/"$daemon"/status)
if [ "$resident" -gt "$most_resident" ]; then
    echo "  resident memory is above $most_resident kB" >&2
    exit 1
fi
command -v strace >/dev/null || exit 0
timeout 30 strace -f -c -e trace=poll,epoll_wait,restart_syscall -o "$work/strace" -p "$daemon" 2>/dev/null || true
awk '$4 ~ /^[0-9]+$/ && $NF != "total" { n += $4 } END { printf "  poll returns per second: %.2f\n", n / 30 }' "$work/strace"
