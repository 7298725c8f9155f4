#!/bin/sh
# Reads one number from a file; put in its place what you measure.
#
# Sonde's plugin exec runs this once per interval and takes a line of JSON for each point.
set -eu
path=${1:-/proc/uptime}

# point NAME UNIT VALUE: one reading, as docs/spec/json-line.schema.json has it.
point() {
    printf '{"time":"%s","name":"%s","kind":"gauge","unit":"%s","value":%s}\n' \
        "$(date -u +%Y-%m-%dT%H:%M:%S.%3NZ)" "$1" "$2" "$3"
}

# Standard error goes into the agent's log; another exit code than 0 is a failed collection.
fail() {
    echo "cannot read $path: $1" >&2
    exit 1
}

[ -r "$path" ] || fail 'it is not there, or not for this user'
value=
read -r value rest <"$path" || true
case $value in
'' | *[!0-9.]* | *.*.* | .* | *.) fail 'it holds no number' ;;
esac
point newthing.uptime s "$value"
