#!/bin/sh
# Live capture over a veth pair between two network namespaces: what is sent, what the plugin reads, what the kernel drops.
#   Benchmarks/live/run.sh [PACKETS_PER_SECOND] [SECONDS] [FILE]
# Needs root, cc, libpcap and a staged daemon (DIST, else dist); SOURCE_KEYS are more keys of the source, as
# "isolation: in_process, sandbox: off". Without a file it makes a mixed capture of 200,000 packets.
set -eu
cd "$(dirname "$0")/../.."
rate=${1:-200000}
seconds=${2:-20}
file=${3:-}
dist=${DIST:-dist}
work=$(mktemp -d)
sender=sonde-bench-s$$
receiver=sonde-bench-r$$
daemon=
cleanup() {
    [ -z "$daemon" ] || kill "$daemon" 2>/dev/null || true
    ip netns del "$sender" 2>/dev/null || true
    ip netns del "$receiver" 2>/dev/null || true
    rm -rf "$work"
}
trap cleanup EXIT

cc -O2 -o "$work/afsend" Benchmarks/yardsticks/afsend.c -lpcap
if [ -z "$file" ]; then
    file="$work/mix.pcap"
    python3 Benchmarks/yardsticks/gen_capture.py --profile mix --packets 200000 --out "$file" >/dev/null
fi
ip netns add "$sender"
ip netns add "$receiver"
for name in "$sender" "$receiver"; do
    # Neighbour discovery would send packets of its own.
    ip netns exec "$name" sh -c 'for f in all default; do echo 1 >/proc/sys/net/ipv6/conf/$f/disable_ipv6; done'
done
ip link add ve0 netns "$sender" type veth peer name ve1 netns "$receiver"
ip -n "$sender" link set ve0 up
ip -n "$receiver" link set ve1 up
cat >"$work/sonde.yaml" <<YAML
version: 1
agent: { interval: 2s, state_dir: $work/state, control_socket: $work/control${PLUGIN_DIR:+, plugin_dirs: [$PLUGIN_DIR]} }
sources: [{ id: wire, plugin: pcap, interface: ve1${SOURCE_KEYS:+, $SOURCE_KEYS} }]
sinks: [{ id: out, plugin: file, path: $work/out.jsonl }]
YAML
ip netns exec "$receiver" "$dist/bin/sonded" run --config "$work/sonde.yaml" --quiet >"$work/log" 2>&1 &
daemon=$!
while [ ! -s "$work/out.jsonl" ]; do
    kill -0 "$daemon" 2>/dev/null || { cat "$work/log"; exit 1; }
    sleep 0.1
done

# A process and its descendants: packets are captured in one of them.
family() {
    echo "$1"
    for child in $(cat /proc/"$1"/task/*/children); do family "$child"; done
}
# Nanoseconds that all threads of these processes have run, sched-stats.rst.
cpu() { for process in $(family "$1"); do cat /proc/"$process"/task/*/schedstat; done | awk '{ s += $1 } END { printf "%.0f\n", s }'; }
packets() { ip netns exec "$receiver" cat /sys/class/net/ve1/statistics/rx_packets; }
last() { grep "\"name\":\"$1\"" "$work/out.jsonl" | tail -n "${2:-1}" | sed 's/.*"value":\([0-9]*\).*/\1/' | awk '{ s += $1 } END { print s + 0 }'; }

load=$(cut -d' ' -f1 /proc/loadavg)
before=$(cpu "$daemon")
arrived=$(packets)
ip netns exec "$sender" "$work/afsend" ve0 "$file" "$rate" "$seconds"
after=$(cpu "$daemon")
arrived=$(($(packets) - arrived))
memory=$(for process in $(family "$daemon"); do cat /proc/"$process"/status; done | awk '/VmHWM/ { s += $2 } END { print s }')
sleep 5
kill "$daemon"
wait "$daemon" || true
daemon=
echo "arrived $arrived  read $(last sonde.capture.packet.count)  dropped $(last sonde.capture.packet.dropped)" \
    "flows started $(last sonde.flow.started)"
awk -v t=$((after - before)) -v n="$arrived" -v s="$seconds" -v m="$memory" -v l="$load" 'BEGIN {
    printf "CPU of the agent %.0f %% of one core, %.0f ns per packet; at most %.0f MB resident; load before %s\n", t / 1e7 / s, t / n, m / 1024, l }'
