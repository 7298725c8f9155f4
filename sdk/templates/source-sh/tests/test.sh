#!/bin/sh
# Runs the program as the agent does.
set -eu
sonde=${SONDE:-/usr/bin/sonde}
here=$(cd "$(dirname "$0")/.." && pwd)

fail() {
    echo "FAILED: $1" >&2
    exit 1
}

time='[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}Z'
"$here/newthing.sh" |
    grep -qEx "\{\"time\":\"$time\",\"name\":\"newthing.uptime\",\"kind\":\"gauge\",\"unit\":\"s\",\"value\":[0-9]+\.[0-9]+\}" ||
    fail 'it does not print a point'
for path in /nowhere /proc/version /dev/null; do
    ! output=$("$here/newthing.sh" "$path" 2>&1) || fail "$path is no error"
    [ "${output#"cannot read $path: "}" != "$output" ] || fail "$path: it says '$output'"
done
# Where Sonde is installed: the rules that every program is held to.
if [ -x "$sonde" ]; then
    report=$("$sonde" plugins test "$here/newthing.sh" 2>&1) || fail "$report"
fi
echo 'passed'
