#!/bin/bash
# test-groups.sh ROOT: boots the Debian in ROOT, where the package and systemd are installed, in a virtual machine, and proves there that
# limits are kept by control groups: few containers have the controllers. Root only; needs qemu-system-x86. ROOT is changed.
set -euo pipefail

root=$(realpath "$1")
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

fail() {
    echo "test-groups: FAILED: $*" >&2
    exit 1
}
((EUID == 0)) || fail "run as root"
command -v qemu-system-x86_64 >/dev/null || fail "qemu-system-x86_64 is missing: install qemu-system-x86"

chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive \
    apt-get -q -y -o Dpkg::Use-Pty=0 --no-install-recommends install \
    linux-image-cloud-amd64 initramfs-tools </dev/null >"$root.kernel.log" 2>&1 ||
    fail "a kernel: $(tail -n 3 "$root.kernel.log")"
install -m 755 "$here/test-groups-inside.sh" "$root/test-groups-inside.sh"
cat >"$root/etc/systemd/system/test-groups.service" <<'UNIT'
[Unit]
Description=The test of control groups
After=basic.target
[Service]
Type=oneshot
StandardOutput=tty
StandardError=inherit
TTYPath=/dev/ttyS0
ExecStart=/test-groups-inside.sh
ExecStopPost=/bin/sh -c 'systemctl --no-block poweroff'
UNIT
mkdir -p "$root/etc/systemd/system/basic.target.wants"
# The test starts it, when the configuration is there.
rm -f "$root/etc/systemd/system/multi-user.target.wants/sonde.service"
ln -sf ../test-groups.service "$root/etc/systemd/system/basic.target.wants/test-groups.service"
echo '/dev/vda / ext4 defaults 0 0' >"$root/etc/fstab"
cp "$root"/boot/vmlinuz-* "$root.kernel"
cp "$root"/boot/initrd.img-* "$root.initrd"
truncate -s 3G "$root.image"
mkfs.ext4 -q -d "$root" "$root.image"

# Emulated: where the processor could help, it need not be allowed to, and it is half a minute.
timeout --foreground 600 qemu-system-x86_64 -accel tcg,thread=multi -cpu max -smp 2 -m 1024 -display none \
    -serial "file:$root.console" -monitor none -no-reboot -nic none -drive "file=$root.image,format=raw,if=virtio" \
    -kernel "$root.kernel" -initrd "$root.initrd" \
    -append "root=/dev/vda rw console=ttyS0 quiet loglevel=0 systemd.show_status=no systemd.unit=basic.target" || true
lines=$(tr -d '\r' <"$root.console" | grep -a '^groups: ') || {
    tail -n 30 "$root.console" >&2
    fail "the machine did not run the test"
}
echo "$lines"
[[ $(tail -n 1 <<<"$lines") == 'groups: passed' ]] || fail "see above"
