#!/bin/bash
# test-container.sh FOLDER: makes the root of the image as the Containerfile does, from the package in FOLDER, and starts it without an
# engine: as its user, with a root that is read-only, without capabilities, in namespaces of its own. Root only.
set -euo pipefail
if [[ ${SONDE_TEST_CONTAINER_INSIDE:-} != yes ]]; then
    ((EUID == 0)) || {
        echo "test-container: run as root (debootstrap and chroot need it)" >&2
        exit 77
    }
    exec env SONDE_TEST_CONTAINER_INSIDE=yes unshare --mount --pid --mount-proc --fork --kill-child "${BASH_SOURCE[0]}" "$@"
fi
folder=$(realpath "$1")
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
containerfile=$here/container/Containerfile
work=$(mktemp -d)
trap 'umount -lR "$work/image" 2>/dev/null || true; umount -l "$work/debian/proc" 2>/dev/null || true; rm -rf --one-file-system "$work"' EXIT
debian=$work/debian image=$work/image

step() { echo "test-container: $*"; }
fail() {
    echo "test-container: FAILED: $*" >&2
    [[ ! -s $work/log ]] || tail -n 20 "$work/log" >&2
    exit 1
}
# The words of an instruction of the Containerfile in its JSON form.
words() { sed -n "s/^$1.* *\(\[.*\]\)\$/\1/p" "$containerfile" | tr -d '[]",'; }

mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Codename: bookworm' | sed -n 1p)
step "the first stage, in a Debian 12"
# shellcheck disable=SC2016 # what the Containerfile installs, but for the package
extra=$(sed -n '/apt-get install/,/deb/p' "$containerfile" | grep -oE '\b(systemd-standalone-[a-z]+|ca-certificates|lib[a-z0-9]+)\b' | paste -sd,)
debootstrap --variant=minbase --include="$extra" --exclude=systemd bookworm "$debian" "${mirror:-http://deb.debian.org/debian}" \
    >"$work/log" 2>&1 || fail "debootstrap"
mount -t proc proc "$debian/proc"
cp /etc/resolv.conf /etc/hosts "$debian/etc/"
mkdir "$debian/build"
cp "$folder"/sonde_*.deb "$here"/container/{make-root.sh,sonde.yaml} "$debian/build/"
chroot "$debian" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive bash -ec '
    apt-get update
    apt-get install -q -y --no-install-recommends /build/sonde_*.deb
    /build/make-root.sh /root-of-image' </dev/null >"$work/log" 2>&1 || fail "the first stage"
cp -a "$debian/root-of-image" "$image"
step "the image has $(find "$image" -type f | wc -l) files, $(du -sk --apparent-size "$image" | cut -f 1) KiB"

step "what is in it"
[[ -z $(find "$image" \( -name '*sh' -o -name busybox -o -name 'apt*' -o -name 'dpkg*' \) -type f) ]] || fail "a shell or a package manager"
[[ -z $(find "$image" -perm /6000) ]] || fail "a program that changes its user"
writable=$(find "$image" \( -user 65532 -o -perm -o=w ! -type l \) | sed "s|^$image||" | sort | paste -sd' ')
[[ $writable == "/run/sonde /tmp /var/lib/sonde" ]] || fail "the agent's user may write to: $writable"

step "starting it"
read -r user group < <(sed -n 's/^USER \([0-9]*\):\([0-9]*\)$/\1 \2/p' "$containerfile")
((user > 0 && group > 0)) || fail "the user is root, or has a name that an orchestrator cannot judge"
mount --bind "$image" "$image"
mount -o remount,ro,bind "$image"
mount -t proc proc "$image/proc"
for path in run/sonde var/lib/sonde; do
    mount -t tmpfs -o "mode=0750,uid=$user,gid=$group,nosuid,nodev,noexec" tmpfs "$image/$path"
done
in_image() {
    python3 -B "$here/container/enter.py" "$image" "$user" "$group" "$@" </dev/null
}
read -ra entry <<<"$(words ENTRYPOINT)"
read -ra arguments <<<"$(words CMD)"
read -ra health <<<"$(words HEALTHCHECK)"
in_image "${health[@]}" >/dev/null 2>&1 && fail "healthy before it runs"
(exec python3 -B "$here/container/enter.py" "$image" "$user" "$group" "${entry[@]}" "${arguments[@]}" </dev/null >"$work/log" 2>&1) &
agent=$!
for ((tries = 0; tries < 60; tries++)); do
    in_image "${health[@]}" >"$work/status" 2>&1 && break
    kill -0 $agent 2>/dev/null || fail "the agent has ended"
    sleep 0.5
done
((tries < 60)) || fail "the health check fails: $(cat "$work/status")"
grep -q kernel "$work/status" || fail "the status has no source"
grep -q 'CapEff:.*0000000000000000' "/proc/$agent/status" || fail "the agent has capabilities"
[[ $(awk '/^Uid:/ { print $2 }' "/proc/$agent/status") == "$user" ]] || fail "the agent's user"
for ((tries = 0; tries < 90; tries++)); do
    curl -sf http://127.0.0.1:9469/metrics 2>/dev/null | grep -q '^system_network_io_bytes_total' && break
    sleep 0.5
done
((tries < 90)) || fail "no metrics"
for plugin in http kafka pcap scrape; do
    in_image /usr/bin/sonde plugins describe $plugin >"$work/plugin" 2>&1 || fail "plugin $plugin: $(cat "$work/plugin")"
done

step "stopping it"
kill -TERM $agent
code=0
wait $agent || code=$?
((code == 0)) || fail "it ended with $code"
[[ -n $(find "$image/var/lib/sonde" -type f -size +0) ]] || fail "nothing in the volume"
step "passed"
