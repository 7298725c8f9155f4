#!/bin/sh
# The plugin's reader and analysis over a capture file, beside a C program that does as much, and other flow and DNS tools.
#   Benchmarks/pcap/run.sh [FILE] [ROUNDS]
# Without a file it makes one of 500,000 packets. Prints the least CPU time of alternating rounds and its ratio to ours,
# user-space instructions per packet (left out without valgrind), and what the plugin takes of memory.
set -eu
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
file=${1:-}
rounds=${2:-5}

cc -O2 -o "$work/cfloor" Benchmarks/yardsticks/cfloor.c -lpcap
swift build -c release --product pcap-benchmark
ours="$(swift build -c release --show-bin-path)/pcap-benchmark"
if [ -z "$file" ]; then
    file="$work/mix.pcap"
    python3 Benchmarks/yardsticks/gen_capture.py --profile mix --packets 500000 --snaplen 256 --out "$file" >/dev/null
fi
mkdir "$work/flows"

# What a name stands for; each reads the file once.
command_of() {
    case $1 in
        ours-*) echo "$ours ${1#ours-} $file" ;;
        cfloor-*) echo "$work/cfloor ${1#cfloor-} $file" ;;
        softflowd) echo "softflowd -r $file -m 1000000 -d -p $work/pid -c none" ;;
        nfpcapd) echo "nfpcapd -r $file -w $work/flows -t 3600" ;;
        argus) echo "argus -r $file -w $work/argus.out" ;;
        dnstop) echo "dnstop -4 -6 -Q -R $file" ;;
        dnscap) echo "dnscap -T -r $file -P $rssm -w $work/rssm" ;;
    esac
}
names="cfloor-flow ours-flow cfloor-dns ours-dns cfloor-odns ours-odns"
# dnscap's plugin that counts.
rssm=$(find /usr/lib -path '*/dnscap/rssm.so' 2>/dev/null | head -n 1)
for tool in softflowd nfpcapd argus dnstop dnscap; do
    if command -v $tool >/dev/null; then names="$names $tool"; else echo "$tool is not installed: left out"; fi
done

round=0
while [ "$round" -lt "$rounds" ]; do
    round=$((round + 1))
    for name in $names; do
        rm -f "$work/argus.out"
        # shellcheck disable=SC2046
        bash -c 'TIMEFORMAT="%U %S"; { time "$@" >/dev/null 2>&1 </dev/null; } 2>&1' time $(command_of "$name") |
            awk -v name="$name" 'NF == 2 { print name, $1 + $2 }' >>"$work/times"
    done
done
packets=$("$ours" flow "$file" | awk '{ print $2 }')
awk -v packets="$packets" '
    !($1 in least) || $2 < least[$1] { least[$1] = $2 }
    !($1 in seen) { seen[$1] = 1; order[++count] = $1 }
    END {
        printf "%-14s %10s %12s %s\n", "", "CPU s", "ns/packet", "times our flow, flow + DNS, DNS alone"
        for (number = 1; number <= count; number++) {
            name = order[number]
            printf "%-14s %10.3f %12.1f %8.2f %8.2f %8.2f\n", name, least[name], least[name] / packets * 1e9,
                least[name] / least["ours-flow"], least[name] / least["ours-dns"], least[name] / least["ours-odns"]
        }
    }' "$work/times"
"$ours" flow "$file"

command -v valgrind >/dev/null || exit 0
instructions() {
    valgrind --tool=callgrind --callgrind-out-file="$work/callgrind.out" "$@" 2>&1 >/dev/null |
        sed -n 's/.*Collected : \([0-9]*\).*/\1/p'
}
for mode in flow dns odns; do
    theirs=$(instructions "$work/cfloor" $mode "$file")
    mine=$(instructions "$ours" $mode "$file")
    echo "$mode $theirs $mine $packets" |
        awk '{ printf "%s: instructions per packet: cfloor %d, ours %d, ratio %.2f\n", $1, $2 / $4, $3 / $4, $3 / $2 }'
done
