#!/bin/sh
# The plugin over a log of dnsmasq, as `sonde inspect` and as the running agent reads it, beside a C program that looks for
# the same words with memchr; and over the fixtures of other resolvers, many times over, beside the C program over the same
# file, where it finds next to nothing and so does little more than find the lines.
#   Benchmarks/dnslog/run.sh [BYTES] [ROUNDS]
# Makes a log of BYTES (1 GB by default) in TMPDIR. Prints the least CPU time of alternating rounds, lines per CPU second,
# what share that is of the C program's over the same file and over the dnsmasq log, and instructions per line (left out
# without valgrind).
set -eu
cd "$(dirname "$0")/../.."
bytes=${1:-1000000000}
rounds=${2:-5}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cc -O2 -o "$work/genlog" Benchmarks/yardsticks/genlog.c
cc -O2 -o "$work/dnsparse" Benchmarks/yardsticks/dnsparse.c
swift build -c release --product dnslog-benchmark
ours="$(swift build -c release --show-bin-path)/dnslog-benchmark"
"$work/genlog" "$bytes" >"$work/dnsmasq.log"
# Three hundred times over: long enough for a clock.
for name in unbound bind-queries dnsmasq-extra powerdns-structured powerdns-classic kresd; do
    for _ in 1 2 3 4 5 6 7 8 9 10; do
        for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30; do
            gzip -dc "plugins/sources/dnslog/Tests/Fixtures/$name.log.gz"
        done
    done >"$work/$name.log"
done

measure() {
    # shellcheck disable=SC2016
    bash -c 'TIMEFORMAT="%U %S"; { time "$@" >/dev/null 2>&1 </dev/null; } 2>&1' time "$@" | awk '{ print $1 + $2 }'
}
round=0
while [ "$round" -lt "$rounds" ]; do
    round=$((round + 1))
    for name in dnsmasq unbound bind-queries dnsmasq-extra powerdns-structured powerdns-classic kresd; do
        echo "dnsparse $name $(measure "$work/dnsparse" "$work/$name.log")"
    done
    for mode in inspect metrics; do
        echo "$mode dnsmasq $(measure "$ours" $mode "$work/dnsmasq.log")"
        for name in unbound bind-queries dnsmasq-extra powerdns-structured powerdns-classic kresd; do
            echo "$mode $name $(measure "$ours" $mode "$work/$name.log")"
        done
    done
done >"$work/times"
for file in "$work"/*.log; do echo "$(basename "$file" .log) $(wc -l <"$file")"; done >"$work/lines"
awk '
    FILENAME ~ /lines$/ { lines[$1] = $2; next }
    { key = $1 " " $2; if (!(key in least) || $3 < least[key]) least[key] = $3; if (!(key in seen)) { seen[key] = 1; order[++count] = key } }
    END {
        floor = lines["dnsmasq"] / least["dnsparse dnsmasq"]
        printf "%-28s %8s %10s %12s %10s %10s\n", "", "CPU s", "ns/line", "lines/CPU s", "same file", "dnsmasq"
        for (number = 1; number <= count; number++) {
            key = order[number]; split(key, part, " "); rate = lines[part[2]] / (least[key] > 0 ? least[key] : 0.001)
            same = lines[part[2]] / least["dnsparse " part[2]]
            printf "%-28s %8.3f %10.1f %12d %10.2f %10.2f\n", key, least[key], 1e9 / rate, rate, rate / same, rate / floor
        }
    }' "$work/lines" "$work/times"
"$ours" metrics "$work/dnsmasq.log"

command -v valgrind >/dev/null || exit 0
head -c 20000000 "$work/dnsmasq.log" >"$work/short.log"
for command in "$work/dnsparse" "$ours inspect" "$ours metrics"; do
    # shellcheck disable=SC2086
    valgrind --tool=callgrind --callgrind-out-file="$work/callgrind.out" $command "$work/short.log" 2>&1 >/dev/null |
        sed -n 's/.*Collected : \([0-9]*\).*/\1/p' |
        awk -v command="$command" -v lines="$(wc -l <"$work/short.log")" '{
            sub(/.*\//, "", command); printf "%s: %d instructions per line\n", command, $1 / lines }'
done
