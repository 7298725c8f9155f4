#!/bin/sh
# Appends points to a file; put in its place how you deliver.
#
# Sonde's plugin exec keeps this running and writes batches to its standard input: a line of JSON that says how many lines
# follow, then these, one for each point. One line answers a batch: ok, or an object that says what failed.
set -u
[ $# -eq 1 ] || {
    echo "usage: $0 FILE" >&2
    exit 2
}
batch=$(mktemp) || exit 1
trap 'rm -f "$batch"' EXIT
trap 'exit 0' TERM INT HUP

# Delivers the lines in $batch whole. After a failure the agent offers the same batch again.
deliver() {
    cat "$batch" >>"$1"
}

while IFS= read -r header; do
    lines=${header##*\"lines\":}
    lines=${lines%%[!0-9]*}
    kept=yes
    : >"$batch" || kept=
    while [ "${lines:-0}" -gt 0 ]; do
        # The agent is gone in the middle of a batch: another program will be given all of it.
        IFS= read -r line || exit 0
        printf '%s\n' "$line" >>"$batch" || kept=
        lines=$((lines - 1))
    done
    if [ "$kept" ] && deliver "$1"; then
        echo ok
    else
        # What this program writes to standard error is in the agent's log.
        echo '{"error":{"class":"resource","message":"cannot append to the file"}}'
    fi
done
