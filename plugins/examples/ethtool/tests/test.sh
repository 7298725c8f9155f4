#!/bin/sh
# Reads a pair of virtual interfaces in a network namespace of its own; as root, or where users may make namespaces.
set -eu
if [ -z "${INSIDE:-}" ]; then
    user=
    [ "$(id -u)" = 0 ] || user=--map-root-user
    # shellcheck disable=SC2086 # empty or one word
    unshare $user --net true 2>/dev/null || {
        echo 'skipped: no namespace can be made here'
        exit 0
    }
    # shellcheck disable=SC2086
    exec env INSIDE=yes unshare $user --net sh "$0"
fi
sonde=${SONDE:-/usr/bin/sonde}
here=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
agent=
trap 'test -z "$agent" || kill "$agent" 2>/dev/null || true; rm -rf "$work"' EXIT

fail() {
    echo "FAILED: $1" >&2
    cat "$work"/* >&2
    exit 1
}

# within 30 seconds: the words succeed.
eventually() {
    tries=0
    until eval "$1"; do
        kill -0 "$agent" 2>/dev/null || fail "the agent has ended before: $1"
        tries=$((tries + 1))
        [ "$tries" -lt 300 ] || fail "not within 30 seconds: $1"
        sleep 0.1
    done
}

ip link set lo up
ip link add left type veth peer name right
ip addr add 192.0.2.1/24 dev left
ip link set left up
ip link set right up

"$sonde" check -c "$here/sample.yaml" --plugin-dir "$here" >"$work/check" 2>&1 || fail 'the sample is not right'
cat >"$work/sonde.yaml" <<END
version: 1
agent: { interval: 200ms, control_socket: none }
sources:
  - { id: all, plugin: ethtool, match: ['rx_queue_?_xdp_packets', 'peer_*'] }
  - { id: named, plugin: ethtool, interfaces: [left, nowhere], match: ['rx_queue_0_drops'] }
sinks: [{ id: file, plugin: file, path: "$work/points", batch: { wait: 50ms } }]
END
"$sonde" run -c "$work/sonde.yaml" --plugin-dir "$here" >"$work/log" 2>&1 &
agent=$!

point() { printf '"name":"ethtool.statistic","kind":"counter","unit":"{event}","value":[0-9]*,.*"attributes":{"ethtool.statistic.name":"%s","network.interface.name":"%s"}' "$1" "$2"; }
eventually "grep -q '$(point rx_queue_0_xdp_packets right)' '$work/points'"
eventually "grep -q '$(point peer_ifindex left)' '$work/points'"
eventually "grep -q '$(point rx_queue_0_drops left)' '$work/points'"
eventually "grep -q 'ETHTOOL-002.*named.*nowhere' '$work/log'"
! grep -q "$(point peer_ifindex lo)" "$work/points" || fail 'the loopback has no driver'
# An interface that goes is read no more; one that comes is.
ip link del left
ip link add nowhere type veth peer name other
eventually "grep -q '$(point rx_queue_0_drops nowhere)' '$work/points'"
kill "$agent"
wait "$agent" || fail 'the agent did not stop well'
agent=
echo 'passed'
