#!/bin/bash
# test-operate.sh FOLDER: types what the pages in docs/operate show, word for word, in a fresh Debian 12 that systemd boots in a
# container, with the package in FOLDER. Root only; needs debootstrap and systemd-nspawn.
set -euo pipefail
if [[ ${SONDE_TEST_OPERATE_INSIDE:-} != yes ]]; then
    ((EUID == 0)) || {
        echo "test-operate: run as root (debootstrap and systemd-nspawn need it)" >&2
        exit 77
    }
    exec env SONDE_TEST_OPERATE_INSIDE=yes unshare --mount --pid --mount-proc --fork --kill-child "${BASH_SOURCE[0]}" "$@"
fi
folder=$(realpath "$1")
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
work=$(mktemp -d)
trap 'rm -rf --one-file-system "$work"' EXIT
root=$work/debian
# In the order in which an operator reads them; the last one removes the package.
pages=(install first-five-minutes configure operate size troubleshoot security upgrade)

fail() {
    echo "test-operate: FAILED: $*" >&2
    exit 1
}
[[ $(find "$here/../docs/operate" -name '*.md' | wc -l) == "${#pages[@]}" ]] || fail "a page in docs/operate is not typed"

mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Codename: bookworm' | sed -n 1p)
echo "test-operate: making a Debian bookworm"
# The libraries that the package depends on, and what a page installs: the container has no network.
debootstrap --variant=minbase \
    --include=systemd,systemd-sysv,dbus,curl,python3,procps,iproute2,prometheus,ca-certificates,libcurl4,libmicrohttpd12,libpcap0.8,librdkafka1,libsnappy1v5,libsqlite3-0,libyaml-0-2,libstdc++6 \
    bookworm "$root" "${mirror:-http://deb.debian.org/debian}" >"$work/debootstrap.log" 2>&1 ||
    fail "debootstrap: $(tail -n 5 "$work/debootstrap.log")"
mkdir "$root/pages"
cp "$folder"/sonde_*.deb "$root/pages/"
cp "$here/transcript.py" "$here"/../docs/operate/*.md "$root/pages/"
# A server of the distribution's starts by itself: here it is the page that starts it.
rm -f "$root/etc/systemd/system/multi-user.target.wants/"prometheus*
{
    echo '#!/bin/bash'
    echo 'set -uo pipefail; cd /pages; failed=0'
    printf 'python3 -B transcript.py --page %s.md sonde_*.deb || failed=1\n' "${pages[@]}"
    echo '((failed)) || echo passed'
} >"$root/test-operate"
chmod 755 "$root/test-operate"
cat >"$root/etc/systemd/system/test-operate.service" <<'UNIT'
[Unit]
Description=The test of the pages for operators
[Service]
Type=oneshot
StandardOutput=append:/test-operate.log
StandardError=inherit
ExecStart=/test-operate
ExecStopPost=/bin/sh -c 'systemctl --no-block poweroff --force 2>/dev/null'
UNIT
mkdir -p "$root/etc/systemd/system/multi-user.target.wants"
ln -sf ../test-operate.service "$root/etc/systemd/system/multi-user.target.wants/test-operate.service"

# The container's own directory must not be a disk's: systemd-nspawn refuses to clean it up then.
mkdir -p /run/systemd/nspawn
[[ $(stat -f -c %T /run/systemd/nspawn) == tmpfs ]] || mount -t tmpfs tmpfs /run/systemd/nspawn
timeout --foreground 400 systemd-nspawn -q -D "$root" --register=no --keep-unit --private-network --boot --console=pipe \
    --system-call-filter="landlock_create_ruleset landlock_add_rule landlock_restrict_self" </dev/null >"$work/boot.log" 2>&1 || true
[[ -s $root/test-operate.log ]] || {
    tail -n 30 "$work/boot.log" >&2
    fail "the container did not run the test"
}
cat "$root/test-operate.log"
[[ $(tail -n 1 "$root/test-operate.log") == passed ]] || fail "see above"
