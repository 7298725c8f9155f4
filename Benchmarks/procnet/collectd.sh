#!/bin/sh
# Measures the whole source in the agent against Debian's collectd with interface, protocols and tcpconns: both once a second,
# in the same SECONDS.
#   Benchmarks/procnet/collectd.sh [SECONDS] [ROUNDS]
# Needs collectd-core and `make build`. collectd writes nowhere; the agent runs all defaults of procnet with a file sink. What is compared is the processor
# time of all threads by the scheduler's own count, start left out.
set -eu
cd "$(dirname "$0")/../.."
seconds=${1:-60}
rounds=${2:-1}
command -v collectd >/dev/null || { echo "collectd-core is missing" >&2; exit 69; }
dist=${SONDE_DIST:-dist}
plugins=${SONDE_PLUGINS:-$dist/lib/sonde/plugins}
work=$(mktemp -d)
pids=
trap 'for pid in $pids; do kill "$pid" 2>/dev/null || true; done; wait; rm -rf "$work"' EXIT
cat > "$work/collectd.conf" <<END
Hostname "host"
FQDNLookup false
Interval 1
BaseDir "$work"
PIDFile "$work/collectd.pid"
LoadPlugin interface
LoadPlugin protocols
LoadPlugin tcpconns
<Plugin tcpconns>
  ListeningPorts true
  AllPortsSummary true
</Plugin>
END
cat > "$work/sonde.yaml" <<END
version: 1
agent: { interval: 1s, state_dir: $work/state, control_socket: $work/control, plugin_dirs: [$plugins], spool: { sync: none } }
sources: [{ id: kernel, plugin: procnet }]
sinks: [{ id: out, plugin: file, path: $work/out.jsonl }]
END
# Nanoseconds of all threads.
processor() { cat /proc/"$1"/task/*/schedstat | awk '{ sum += $1 } END { printf "%.0f\n", sum }'; }
collectd -f -C "$work/collectd.conf" >/dev/null 2>&1 &
theirs=$!
"$dist/bin/sonded" run --config "$work/sonde.yaml" --quiet > "$work/log" 2>&1 &
ours=$!
pids="$theirs $ours"
sleep 5
round=0
while [ "$round" -lt "$rounds" ]; do
    round=$((round + 1))
    a=$(processor "$ours") b=$(processor "$theirs")
    sleep "$seconds"
    c=$(processor "$ours") d=$(processor "$theirs")
    echo "$a $b $c $d $seconds" | awk '{
        printf "per second: sonded %.3f ms  collectd %.3f ms  ratio %.2f\n",
            ($3 - $1) / 1e6 / $5, ($4 - $2) / 1e6 / $5, ($3 - $1) / ($4 - $2) }'
done
grep VmRSS "/proc/$ours/status" "/proc/$theirs/status" | sed "s,/proc/$ours/status,sonded,;s,/proc/$theirs/status,collectd,"
