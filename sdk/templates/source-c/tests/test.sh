#!/bin/sh
# Runs the plugin in the agent.
set -eu
sonde=${SONDE:-/usr/bin/sonde}
here=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() {
    echo "FAILED: $1" >&2
    cat "$work/output" >&2
    exit 1
}

# Runs sonde with the words given and keeps what it prints.
agent() {
    "$sonde" "$@" --plugin-dir "$here" >"$work/output" 2>&1
}

agent plugins describe newthing || fail 'the plugin is not loaded'
agent check -c "$here/sample.yaml" || fail 'the sample is not right'

agent once -c "$here/sample.yaml" --format json || fail 'it reads nothing'
grep -q '"name":"newthing.uptime","kind":"gauge","unit":"s","value":[0-9]' "$work/output" || fail 'the metric is missing'

sed 's|/proc/uptime|/nowhere|' "$here/sample.yaml" >"$work/nowhere.yaml"
agent once -c "$work/nowhere.yaml" --format json || true
grep -q 'error\[NEWTHING-001\]' "$work/output" || fail 'a file that is not there is no error'

sed 's|/proc/uptime|uptime|' "$here/sample.yaml" >"$work/relative.yaml"
! agent check -c "$work/relative.yaml" || fail 'a relative path is accepted'
grep -q 'relative.yaml:6:.*error\[NEWTHING-001\]' "$work/output" || fail 'the error has no place'
echo 'passed'
