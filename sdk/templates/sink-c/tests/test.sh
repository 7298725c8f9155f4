#!/bin/sh
# Runs the plugin in the agent.
set -eu
sonde=${SONDE:-/usr/bin/sonde}
here=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
agent=
trap 'test -z "$agent" || kill "$agent" 2>/dev/null || true; rm -rf "$work"' EXIT

fail() {
    echo "FAILED: $1" >&2
    cat "$work/output" >&2
    exit 1
}

"$sonde" plugins describe newthing --plugin-dir "$here" >"$work/output" 2>&1 || fail 'the plugin is not loaded'
"$sonde" check -c "$here/sample.yaml" --plugin-dir "$here" >"$work/output" 2>&1 || fail 'the sample is not right'

sed 's|path: /tmp/newthing.txt|path: points|' "$here/sample.yaml" >"$work/relative.yaml"
! "$sonde" check -c "$work/relative.yaml" --plugin-dir "$here" >"$work/output" 2>&1 || fail 'a relative path is accepted'
grep -q 'relative.yaml:7:.*error\[NEWTHING-001\]' "$work/output" || fail 'the error has no place'

cat >"$work/sonde.yaml" <<END
version: 1
agent: { interval: 1s, control_socket: none }
sources: [{ id: kernel, plugin: procnet }]
sinks: [{ id: newthing, plugin: newthing, path: "$work/points", batch: { wait: 100ms } }]
END
"$sonde" run -c "$work/sonde.yaml" --plugin-dir "$here" >"$work/output" 2>&1 &
agent=$!
tries=0
until grep -q ' system.network.io ' "$work/points" 2>/dev/null; do
    kill -0 "$agent" 2>/dev/null || fail 'the agent has ended'
    tries=$((tries + 1))
    [ "$tries" -lt 300 ] || fail 'no points within 30 seconds'
    sleep 0.1
done
kill "$agent"
wait "$agent" || fail 'the agent did not stop well'
agent=
echo 'passed'
