#!/bin/sh
# Decoding every frame of a generated capture, beside a C loop that only touches its bytes.
#   Benchmarks/wire/run.sh [FILE] [ROUNDS]
# Without a file it makes one of 200,000 packets. Prints CPU time of alternating rounds, user-space instructions per frame
# (left out without valgrind), and what both that C decoder and ours count.
set -eu
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
file=${1:-}
rounds=${2:-5}

cc -O2 -o "$work/cfloor" Benchmarks/yardsticks/cfloor.c -lpcap
swift build -c release --product wire-benchmark
ours="$(swift build -c release --show-bin-path)/wire-benchmark"
if [ -z "$file" ]; then
    file="$work/mix.pcap"
    python3 Benchmarks/yardsticks/gen_capture.py --profile mix --packets 200000 --snaplen 256 --out "$file" >/dev/null
fi

"$work/cfloor" mflow "$file" | tail -n 1
"$ours" "$file" | tail -n 1
round=0
while [ "$round" -lt "$rounds" ]; do
    round=$((round + 1))
    # Both start anew each time, so both pay for mapping the file once.
    touch=$(bash -c 'TIMEFORMAT="%U %S"; time "$0" touch "$1" >/dev/null' "$work/cfloor" "$file" 2>&1)
    decode=$(bash -c 'TIMEFORMAT="%U %S"; time "$0" "$1" >/dev/null' "$ours" "$file" 2>&1)
    best=$("$ours" "$file" 10 | sed -n 's/.*ns_per_frame=\([0-9.]*\).*/\1/p')
    echo "$touch $decode" | awk -v best="$best" '{ printf "touch %.3f s  decode %.3f s  decode, file in memory: %s ns/frame\n", $1 + $2, $3 + $4, best }'
done

command -v valgrind >/dev/null || exit 0
instructions() {
    valgrind --tool=callgrind --callgrind-out-file="$work/callgrind.out" "$@" 2>&1 >/dev/null |
        sed -n 's/.*Collected : \([0-9]*\).*/\1/p'
}
frames=$("$ours" "$file" | sed -n 's/.*frames=\([0-9]*\).*/\1/p')
once=$(instructions "$ours" "$file" 1)
twice=$(instructions "$ours" "$file" 2)
echo "instructions per frame: decode $(((twice - once) / frames))"
for mode in touch mflow; do
    echo "instructions per frame: cfloor $mode $(($(instructions "$work/cfloor" $mode "$file") / frames))"
done
