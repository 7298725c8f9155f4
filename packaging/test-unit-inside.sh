#!/bin/bash
# test-unit-inside.sh: what packaging/test-unit.sh runs in its container, where systemd is the first process.
set -euo pipefail

step() { echo "unit: $*"; }
fail() {
    echo "unit: FAILED: $*"
    journalctl -b -u sonde -u sonde-web --no-pager -o short-precise | grep -v refused | tail -n 40
    exit 1
}
# What is waited for: a name, then a command.
wait_for() {
    local what=$1
    shift
    for ((round = 0; round < 150; round++)); do
        "$@" >/dev/null 2>&1 && return
        sleep 0.1
    done
    fail "waited in vain for $what; packets: $(count va) on va, $(count vc) on vc"
}
# All of the log is read: a pipe that grep closes early would be a failure.
logged() { (($(journalctl -b -u sonde --no-pager -o cat | grep -c -- "$1" || true) >= ${2:-1})); }
child() { pgrep -f "^/[^ ]*sonded plugin-child $1 $2\$"; }
field() { sed -n "s/^$2:[[:space:]]*//p" "/proc/$1/status"; }
count() {
    grep "\"sonde.capture.packet.count\".*\"$1\"" /var/lib/sonde/points | tail -n 1 | sed 's/.*"value":\([0-9]*\).*/\1/'
}
counted() { [[ $(count "$1") == "$2" ]]; }
send() {
    python3 -c 'import socket, sys
out = socket.socket(socket.AF_PACKET, socket.SOCK_RAW)
out.bind((sys.argv[1], 0))
for _ in range(int(sys.argv[2])): out.send(bytes.fromhex("ffffffffffff02000000000188b5") + bytes(46))' "$1" "$2"
}
add_pair() {
    ip link add "$1" type veth peer name "$2"
    ip link set "$1" up
    ip link set "$2" up
}

step "making two pairs of interfaces"
add_pair va vb
add_pair vc vd

step "starting the unit with what the README of pcap says, and with plugins that attempt what they must not"
mkdir -p /etc/systemd/system/sonde.service.d
cat >/etc/systemd/system/sonde.service.d/override.conf <<'UNIT'
[Service]
CapabilityBoundingSet=CAP_NET_RAW
AmbientCapabilities=CAP_NET_RAW
RestrictAddressFamilies=AF_PACKET
WatchdogSec=4
UNIT
attempts=(open stat remove socket capture exec fork trace signal code)
{
    printf 'version: 1\nagent: { interval: 1s, state_dir: /var/lib/sonde }\nsources:\n'
    printf '  - { id: wire, plugin: pcap, interfaces: [va, vc], filter: ether proto 0x88b5, buffer_size: 2MiB }\n'
    for attempt in nothing "${attempts[@]}"; do
        printf '  - { id: %s, plugin: confined, attempt: %s, labels: { part: %s } }\n' "$attempt" "$attempt" "$attempt"
    done
    printf 'sinks: [{ id: local, plugin: file, path: /var/lib/sonde/points, batch: { wait: 100ms } }]\n'
} >/etc/sonde/sonde.yaml
systemctl daemon-reload
systemctl start sonde || fail "the unit does not start"
wait_for "the capture" logged "info wire: capturing on .va."

step "looking at the sets of both processes"
agent=$(systemctl show -P MainPID sonde)
pid=$(child pcap wire) || fail "there is no process of pcap"
filtered() { (($(field "$1" Seccomp_filters) > $(field "$agent" Seccomp_filters))); }
wait_for "a filter of the process of pcap" filtered "$pid"
for name in CapInh CapPrm CapEff CapAmb; do
    [[ $(field "$pid" $name) == 0000000000000000 ]] || fail "the process of pcap has $name $(field "$pid" $name)"
done
[[ $(field "$pid" CapBnd) =~ ^000000000000[02]000$ ]] || fail "the process of pcap has CapBnd $(field "$pid" CapBnd)"
[[ $(field "$pid" NoNewPrivs) == 1 && $(field "$pid" Seccomp) == 2 ]] || fail "the process of pcap is not confined"
[[ $(field "$agent" CapEff) == 0000000000000000 ]] || fail "the agent uses $(field "$agent" CapEff)"
[[ $(field "$agent" CapPrm) == 0000000000002000 ]] || fail "the agent may use $(field "$agent" CapPrm)"
other=$(child confined nothing) || fail "there is no process that attempts nothing"
[[ $(field "$other" CapPrm) == 0000000000000000 ]] || fail "a process that needs no capability has $(field "$other" CapPrm)"

step "looking at what was refused from inside of such processes"
for attempt in "${attempts[@]}"; do
    wait_for "the end of '$attempt'" logged "] $attempt: its process was ended by its sandbox"
    wait_for "what was refused to '$attempt'" logged "$attempt: standard error: sonded: was refused system call"
done
journalctl -b -u sonde --no-pager -o cat | sed -n 's/.* \([a-z]*\): standard error: sonded: \(was refused system call [0-9]*\).*/unit: \1 \2/p' | sort -u

step "capturing across an interface that vanishes and returns"
send vb 30
send vd 20
wait_for "30 packets on va" counted va 30
wait_for "20 packets on vc" counted vc 20
ip link del va
wait_for "the loss of va" logged "SND-PCP00[34]"
add_pair va vb
wait_for "capturing again" logged "capturing on 'va'" 2
send vb 12
send vd 5
wait_for "42 packets on va" counted va 42
wait_for "25 packets on vc" counted vc 25
[[ $(child pcap wire) == "$pid" ]] || fail "it is another process now"

step "standing still"
status=$(systemctl show -P StatusText sonde)
[[ $status == *" sources and sinks work; failing: "* ]] || fail "the status is '$status'"
kill -STOP "$agent"
restarted() { [[ $(systemctl show -P NRestarts sonde) == 1 && $(systemctl is-active sonde) == active ]]; }
wait_for "a restart by the watchdog" restarted
wait_for "the capture after it" logged "info wire: capturing on .va." 2
# What systemd ended by SIGABRT is told apart from a kill, with the time that nothing was collected; and it is sent.
gap() { sonde status --format json | grep -o '{[^{}]*"agent_aborted"[^{}]*}'; }
wait_for "the gap of the restart in the ledger" gap
echo "unit: $(gap)"
[[ $(gap) == *'"component":"agent"'*'"from":'*'"to":'* ]] || fail "the gap has no times"
wait_for "the gap as a point" grep '"sonde.loss.report.count".*"agent_aborted"' /var/lib/sonde/points

step "stopping"
systemctl stop sonde
[[ $(systemctl show -P Result sonde) == success ]] || fail "the unit ended with $(systemctl show -P Result sonde)"

# Of what the README of drops has one line is left out each time: what then stands in the way has to be named, and procnet goes on.
readme=/usr/share/doc/sonde/plugins/sources/drops/README.md
drop_in() { sed -n '/^```ini$/,/^```$/ { /^```/d; p }' $readme | grep -v "^$1"; }
start_without() {
    systemctl stop sonde
    drop_in "$1" >/etc/systemd/system/sonde.service.d/override.conf
    rm -f /var/lib/sonde/points
    systemctl daemon-reload
    since=$(date +%s.%N)
    systemctl start sonde || fail "the unit does not start without $1"
}
said() { (($(journalctl -u sonde --no-pager -o cat --since "@$since" | grep -c -- "$1" || true) >= 1)); }
reported() { grep -q "\"$1\"" /var/lib/sonde/points; }
dropped() {
    awk -v least="$1" 'match($0, /"sonde.drop.packet.count".*"ipv6".*"no_socket"/) {
        sub(/.*"value":/, ""); sub(/,.*/, ""); last = $0 } END { exit !(last >= least) }' /var/lib/sonde/points
}
{
    printf 'version: 1\nagent: { interval: 1s, state_dir: /var/lib/sonde }\n'
    printf 'sources: [{ id: why, plugin: drops }, { id: kernel, plugin: procnet }]\n'
    printf 'sinks: [{ id: local, plugin: file, path: /var/lib/sonde/points, batch: { wait: 100ms } }]\n'
} >/etc/sonde/sonde.yaml
# What systemd-nspawn has in /sys is without it.
mountpoint -q /sys/kernel/tracing || mount -t tracefs nodev /sys/kernel/tracing
(($(drop_in nothing | wc -l) == 5)) || fail "$readme has not the five lines of the unit"
for case in ExecStartPre=SND-DRP003 SystemCallFilter=SND-DRP005 AmbientCapabilities=SND-DRP005; do
    step "counting drops without ${case%=*} of what the README says"
    mount -o remount,gid=0,mode=0700 /sys/kernel/tracing
    start_without "${case%=*}"
    wait_for "${case#*=}" said "error\[${case#*=}\]"
    wait_for "procnet" reported sonde.tcp.segment.count
    ! reported sonde.trace.tcp.handshake.count || fail "drops counts without ${case%=*}"
done

step "counting drops with what the README says"
start_without nothing
wait_for "the tracepoints" said "info why: counting at skb:kfree_skb"
wait_for "a reading" reported sonde.trace.tcp.handshake.count
agent=$(systemctl show -P MainPID sonde)
pid=$(child drops why) || fail "there is no process of drops"
for name in CapInh CapPrm CapEff CapAmb; do
    [[ $(field "$pid" $name) == 0000000000000000 ]] || fail "the process of drops has $name $(field "$pid" $name)"
done
wait_for "a filter of the process of drops" filtered "$pid"
[[ $(field "$agent" CapEff) == 0000000000000000 ]] || fail "the agent uses $(field "$agent" CapEff)"
[[ $(field "$agent" CapPrm) == 000000c000000000 ]] || fail "the agent may use $(field "$agent" CapPrm)"
python3 -c 'import socket
out = socket.socket(socket.AF_INET6, socket.SOCK_DGRAM)
for _ in range(100): out.sendto(b"x", ("::1", 9))'
wait_for "100 datagrams to a closed port" dropped 100

step "serving the page as its guide says"
systemctl enable --now sonde-web 2>/dev/null || fail "the page's unit does not start"
# What the page's server answers on PATH to who has TOKEN: the status, and on /events what comes until the agent is on the page.
page() {
    python3 -c 'import sys, urllib.error, urllib.request
request = urllib.request.Request("http://127.0.0.1:8787" + sys.argv[1], headers={"Authorization": "Bearer " + sys.argv[2]})
try:
    with urllib.request.urlopen(request, timeout=5) as answer:
        print(answer.status)
        while sys.argv[1] == "/events":
            line = answer.readline()
            print(line)
            if b"tcp connections" in line: break
except urllib.error.HTTPError as error: print(error.code)' "$1" "$2"
}
serves() { [[ $(page / none) == 200* ]]; }
wait_for "the page" serves
[[ $(stat -c '%a %U' /var/lib/sonde-web/token) == '600 sonde' ]] || fail "the token is not the user's alone"
[[ $(page /events 0123456789012345678901) == 401* ]] || fail "a wrong token sees the agent"
shows() { [[ $(page /events "$(cat /var/lib/sonde-web/token)") == *"tcp connections"* ]]; }
wait_for "the agent on the page" shows
pid=$(systemctl show -P MainPID sonde-web)
[[ $(field "$pid" CapPrm) == 0000000000000000 && $(field "$pid" CapBnd) == 0000000000000000 ]] || fail "the page may use $(field "$pid" CapPrm)"
[[ $(ps -o user= "$pid") == sonde ]] || fail "the page runs as $(ps -o user= "$pid")"

step "stopping"
systemctl stop sonde-web
[[ $(systemctl show -P Result sonde-web) == success ]] || fail "the page's unit ended with $(systemctl show -P Result sonde-web)"
systemctl stop sonde
[[ $(systemctl show -P Result sonde) == success ]] || fail "the unit ended with $(systemctl show -P Result sonde)"

step "purging the page"
dpkg --purge sonde-web >/dev/null || fail "purging the page"
left=$(find / -xdev -iname '*sonde-web*' -not -path '/proc/*' -not -path '/packages/*')
[[ -z $left ]] || fail "purging the page left: $left"
echo passed
