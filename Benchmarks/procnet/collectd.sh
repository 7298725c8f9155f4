#!/bin/sh
# Measures the whole source in the agent against Debian's collectd with interface, protocols and tcpconns: all once a second,
# in the same SECONDS.
#   Benchmarks/procnet/collectd.sh [SECONDS] [OPTION...]
# OPTION is a line of procnet's configuration, `peak_rate: 0` for instance. Needs collectd-core and `make build`. The agent runs with a file sink; beside it the
# source alone does the same without an agent (procnet-benchmark, which is built, or SONDE_BENCHMARK). Three
# copies of collectd run: one drops each value as soon as it is read, one writes CSV files, and one has no writer and complains about each value. What is
# compared is the processor time of all threads, and of the source's thread alone, by the scheduler's own count, second by second, start left out: means
# over all seconds, and over those in which the processors were idle for at least QUIET percent (80) of the time.
set -eu
cd "$(dirname "$0")/../.."
seconds=${1:-60}
[ $# -eq 0 ] || shift
quiet=${QUIET:-80}
command -v collectd >/dev/null || { echo "collectd-core is missing" >&2; exit 69; }
dist=${SONDE_DIST:-dist}
# Those that are built in, unless the environment names others.
plugins=${SONDE_PLUGINS:-}
[ -n "${SONDE_BENCHMARK:-}" ] || swift build -c release --product procnet-benchmark
benchmark=${SONDE_BENCHMARK:-"$(swift build -c release --show-bin-path)/procnet-benchmark"}
work=$(mktemp -d)
pids=
trap 'for pid in $pids; do kill "$pid" 2>/dev/null || true; done; wait; rm -rf "$work"' EXIT

# collectd NAME [LINES]: starts one with these lines of configuration and sets `started`.
collect() {
    mkdir "$work/$1"
    cat > "$work/$1/collectd.conf" <<CONF
Hostname "host"
FQDNLookup false
Interval 1
BaseDir "$work/$1"
PIDFile "$work/$1/collectd.pid"
LoadPlugin interface
LoadPlugin protocols
LoadPlugin tcpconns
<Plugin tcpconns>
  ListeningPorts true
  AllPortsSummary true
</Plugin>
$2
CONF
    collectd -f -C "$work/$1/collectd.conf" >/dev/null 2>&1 &
    started=$!
    pids="$pids $started"
}

collect drop 'PreCacheChain "PreCache"
<Chain "PreCache">
  Target "stop"
</Chain>'
drop=$started
collect csv "LoadPlugin csv
<Plugin csv>
  DataDir \"$work/csv/data\"
</Plugin>"
csv=$started
collect none ''
none=$started

{
    cat <<YAML
version: 1
agent: { interval: 1s, state_dir: $work/state, control_socket: $work/control, plugin_dirs: [$plugins], spool: { sync: none } }
sources:
  - id: kernel
    plugin: procnet
YAML
    for option in "$@"; do echo "    $option"; done
    echo "sinks: [{ id: out, plugin: file, path: $work/out.jsonl }]"
} > "$work/sonde.yaml"
"$dist/bin/sonded" run --config "$work/sonde.yaml" --quiet > "$work/log" 2>&1 &
ours=$!
pids="$pids $ours"
LIVE=$((seconds + 60)) "$benchmark" 1 >/dev/null 2>&1 &
alone=$!
pids="$pids $alone"

# Nanoseconds of all threads, or of the one of that name.
processor() {
    for task in /proc/"$1"/task/*; do
        read -r name < "$task/comm"
        [ -z "${2:-}" ] || [ "$name" = "$2" ] || continue
        read -r spent rest < "$task/schedstat"
        echo "$spent"
    done | awk '{ sum += $1 } END { printf "%.0f", sum }'
}
sleep 5
i=0
while [ "$i" -le "$seconds" ]; do
    i=$((i + 1))
    echo "$(awk '/^cpu / { print $5 + $6, $2 + $3 + $4 + $5 + $6 + $7 + $8 + $9 }' /proc/stat) $(processor "$ours") \
$(processor "$ours" kernel) $(processor "$drop") $(processor "$csv") $(processor "$none") $(date +%s.%N) $(processor "$alone")"
    sleep 1
done > "$work/samples"
awk -v quiet="$quiet" '
    function add(k,   i) { n[k]++; for (i = 3; i <= 9; i++) if (i != 8) sum[k, i] += ($i - old[i]) / ($8 - old[8]) / 1e6 }
    function show(k, text) {
        if (!n[k]) { print text ": no second"; return }
        printf "%s (%d), ms/s: sonded %.3f, its source\047s thread %.3f, the source alone %.3f; collectd: values dropped %.3f, csv %.3f, no writer %.3f\n",
            text, n[k], sum[k, 3] / n[k], sum[k, 4] / n[k], sum[k, 9] / n[k], sum[k, 5] / n[k], sum[k, 6] / n[k], sum[k, 7] / n[k]
        for (i = 5; i <= 7; i++)
            printf "  against collectd, %s: sonded %.2f, thread %.2f, alone %.2f\n",
                i == 5 ? "values dropped" : i == 6 ? "csv" : "no writer", sum[k, 3] / sum[k, i], sum[k, 4] / sum[k, i], sum[k, 9] / sum[k, i]
    }
    NR > 1 { add("all"); if ($2 > old[2] && ($1 - old[1]) / ($2 - old[2]) * 100 >= quiet) add("quiet") }
    { for (i = 1; i <= 9; i++) old[i] = $i }
    END { show("all", "all seconds"); show("quiet", "quiet seconds") }' "$work/samples"
grep VmRSS "/proc/$ours/status" "/proc/$drop/status" | sed "s,/proc/$ours/status,sonded,;s,/proc/$drop/status,collectd,"
