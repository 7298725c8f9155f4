#!/bin/bash
# test-unit.sh ROOT: boots the Debian in ROOT, where the package is installed, in a container, and proves there that the
# shipped unit captures packets and counts drops in confined processes. Root only; needs systemd-nspawn. ROOT is changed.
set -euo pipefail

root=$(realpath "$1")
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
fixtures=$here/../Tests/EndToEndTests/Fixtures

fail() {
    echo "test-unit: FAILED: $*" >&2
    exit 1
}
((EUID == 0)) || fail "run as root"
command -v systemd-nspawn >/dev/null || fail "systemd-nspawn is missing: install systemd-container"

# A plugin that attempts what a process that was taken over would; it has to be root's, where the agent's own are.
cc -std=c11 -D_GNU_SOURCE -shared -fPIC -I "$here/../Sources/CSondePlugin/include" "$fixtures/confined.c" \
    -o "$root/usr/lib/sonde/plugins/confined.so"
install -m 755 "$here/test-unit-inside.sh" "$root/test-unit-inside.sh"
cat >"$root/etc/systemd/system/test-unit.service" <<'UNIT'
[Unit]
Description=The test of the unit
After=basic.target
[Service]
Type=oneshot
StandardOutput=append:/test-unit.log
StandardError=inherit
ExecStart=/test-unit-inside.sh
ExecStopPost=/bin/sh -c 'systemctl --no-block poweroff 2>/dev/null'
UNIT
mkdir -p "$root/etc/systemd/system/basic.target.wants"
# The test starts it, when the configuration is there.
rm -f "$root/etc/systemd/system/multi-user.target.wants/sonde.service"
ln -sf ../test-unit.service "$root/etc/systemd/system/basic.target.wants/test-unit.service"
rm -f "$root/test-unit.log"

# The container's own directory must not be a disk's: systemd-nspawn refuses to clean it up then.
mkdir -p /run/systemd/nspawn
[[ $(stat -f -c %T /run/systemd/nspawn) == tmpfs ]] || mount -t tmpfs tmpfs /run/systemd/nspawn
# tracefs is the host's: who may read it is changed there, and put back.
trap 'mountpoint -q /sys/kernel/tracing && mount -o remount,gid=0,mode=0700 /sys/kernel/tracing || true' EXIT
# The calls of drops, and what it needs, are not among those that a container has by itself.
timeout --foreground 240 systemd-nspawn -q -D "$root" --register=no --keep-unit --private-network --boot --console=pipe \
    --capability=CAP_BPF,CAP_PERFMON \
    --system-call-filter="landlock_create_ruleset landlock_add_rule landlock_restrict_self bpf perf_event_open" \
    </dev/null >"$root/boot.log" 2>&1 || true
[[ -s $root/test-unit.log ]] || {
    tail -n 30 "$root/boot.log" >&2
    fail "the container did not run the test"
}
cat "$root/test-unit.log"
[[ $(tail -n 1 "$root/test-unit.log") == passed ]] || fail "see above"
