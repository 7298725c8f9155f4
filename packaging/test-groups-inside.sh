#!/bin/bash
# test-groups-inside.sh: what packaging/test-groups.sh runs in its machine, where systemd is the first process.
set -euo pipefail

step() { echo "groups: $*"; }
fail() {
    echo "groups: FAILED: $*"
    journalctl -b -u sonde --no-pager -o cat | tail -n 30 | sed 's/^/groups: /'
    exit 1
}
trap 'fail "line $LINENO"' ERR
# What is waited for: a name, then a command.
wait_for() {
    local what=$1
    shift
    for ((round = 0; round < 600; round++)); do
        "$@" >/dev/null 2>&1 && return
        sleep 0.1
    done
    fail "waited in vain for $what"
}
logged() { (($(journalctl -b -u sonde --no-pager -o cat | grep -c -- "$1" || true) >= ${2:-1})); }
main_pid() { systemctl show -P MainPID sonde; }
group_of() { cut -d : -f 3 "/proc/$1/cgroup"; }
status() { setpriv --reuid sonde --regid sonde --clear-groups sonde status --socket /run/sonde/sonde.sock; }

unit=/sys/fs/cgroup/system.slice/sonde.service

step "making three programs: one takes memory, one time, one makes processes"
cat >/opt/eat <<'PROGRAM'
#!/usr/bin/python3 -I
import time
print('{"name":"acme.eaten","value":1}', flush=True)
eaten = []
while True:
    eaten.append(bytearray(b"x" * (4 << 20)))
    time.sleep(0.05)
PROGRAM
cat >/opt/spin <<'PROGRAM'
#!/bin/sh
echo '{"name":"acme.spun","value":1}'
while :; do :; done
PROGRAM
cat >/opt/fork <<'PROGRAM'
#!/bin/sh
echo '{"name":"acme.forked","value":1}'
while :; do sleep 100 & done
PROGRAM
chmod 755 /opt/eat /opt/spin /opt/fork
cat >/etc/sonde/sonde.yaml <<'YAML'
version: 1
agent: { interval: 1s, state_dir: /var/lib/sonde, control_socket: /run/sonde/sonde.sock }
sources:
  - { id: eater, plugin: exec, command: [/opt/eat], mode: stream, limits: { memory: 48MiB } }
  - { id: spinner, plugin: exec, command: [/opt/spin], mode: stream, limits: { cpu_share: 0.2 } }
  - { id: forker, plugin: exec, command: [/opt/fork], mode: stream, limits: { processes: 4 } }
sinks: [{ id: local, plugin: file, path: /var/lib/sonde/points, batch: { wait: 100ms } }]
YAML
systemctl start sonde

step "looking at the groups"
pid=$(main_pid)
[[ $(group_of "$pid") == /system.slice/sonde.service/agent ]] || fail "the agent is in $(group_of "$pid")"
wait_for "the group of the spinner" grep -q . "$unit/plugin-spinner/cgroup.procs"
[[ $(cat "$unit/plugin-spinner/cpu.max") == "20000 100000" ]] || fail "cpu.max is $(cat "$unit/plugin-spinner/cpu.max")"
wait_for "what status says" bash -c "$(declare -f status); status | grep -q 'exec, in a control group'"

step "taking memory: the kernel kills it, and the agent knows why"
wait_for "the end of the eater" logged 'eater: its process was killed because it had more than 48.* of memory'
wait_for "its next start" logged 'killed by the OOM killer' 2

step "making processes: no more than the group allows, and then the agent ends them"
wait_for "the end of the forker" logged 'forker: its process was killed because it and what it started were more than 4 processes'

step "taking time: it is slowed, and goes on"
spinner=$(cat "$unit/plugin-spinner/cgroup.procs")
usage() { sed -n 's/^usage_usec //p' "$unit/plugin-spinner/cpu.stat"; }
before=$(usage)
sleep 10
used=$(($(usage) - before))
((used < 2600000)) || fail "it had $used us of ten seconds"
[[ $(cat "$unit/plugin-spinner/cgroup.procs") == "$spinner" ]] || fail "the spinner was started again"
! logged 'spinner: its process' || fail "the spinner has ended"

step "reloading and starting again"
systemctl reload sonde
[[ $(main_pid) == "$pid" && $(systemctl is-active sonde) == active ]] || fail "the unit has ended"
systemctl restart sonde
pid=$(main_pid)
[[ $(group_of "$pid") == /system.slice/sonde.service/agent ]] || fail "after a restart the agent is in $(group_of "$pid")"
wait_for "the group of the spinner" grep -q . "$unit/plugin-spinner/cgroup.procs"
systemctl stop sonde
[[ $(systemctl show -P Result sonde) == success ]] || fail "the unit ended with $(systemctl show -P Result sonde)"
[[ ! -e $unit/plugin-spinner ]] || fail "a group is left"

step "without delegation the supervisor looks"
mkdir -p /etc/systemd/system/sonde.service.d
printf '[Service]\nDelegate=no\n' >/etc/systemd/system/sonde.service.d/override.conf
systemctl daemon-reload
killed=$(journalctl -b -u sonde --no-pager -o cat | grep -c 'eater: its process was killed')
systemctl start sonde
[[ $(group_of "$(main_pid)") == /system.slice/sonde.service ]] || fail "the agent has moved"
wait_for "what status says" bash -c "$(declare -f status); status | grep -q 'exec, limits sampled'"
wait_for "the end of the eater" logged 'eater: its process was killed because it had more than 48.* of memory' $((killed + 1))
systemctl stop sonde
step "passed"
