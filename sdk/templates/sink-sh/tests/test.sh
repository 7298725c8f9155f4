#!/bin/sh
# Gives batches to the program as the agent does.
set -eu
sonde=${SONDE:-/usr/bin/sonde}
here=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() {
    echo "FAILED: $1" >&2
    exit 1
}

point() { printf '{"time":"2026-01-01T00:00:10.000Z","name":"acme.level","kind":"gauge","value":%s}\n' "$1"; }
header() { printf '{"batch":"agent/epoch/1-2","attempt":0,"lines":%s}\n' "$1"; }

{
    header 2
    point 1
    point 2
    header 1
    point 3
} | "$here/newthing.sh" "$work/points" >"$work/answers"
[ "$(cat "$work/answers")" = "ok
ok" ] || fail 'it does not acknowledge each batch'
{
    point 1
    point 2
    point 3
} | cmp - "$work/points" || fail 'it writes something else than it was given'

{
    header 1
    point 1
} | "$here/newthing.sh" /nowhere/points >"$work/answers" 2>/dev/null
grep -qx '{"error":{"class":"resource",.*}}' "$work/answers" || fail 'it does not say that it failed'

{
    header 2
    point 1
} | "$here/newthing.sh" "$work/cut" >"$work/answers"
[ ! -s "$work/answers" ] && [ ! -e "$work/cut" ] || fail 'it acknowledges a batch that was cut'
# Where Sonde is installed: the rules that every program is held to.
if [ -x "$sonde" ]; then
    report=$("$sonde" plugins test "$here/newthing.sh" 2>&1) || fail "$report"
fi
echo 'passed'
