#!/bin/bash
# test-rpm.sh FOLDER: proves the packages of rpm in FOLDER by rpm's own tools, in a Debian that is made for it and thrown away, since
# no other distribution is at hand: installs, verifies, runs, upgrades over a changed configuration, and removes. Root only.
set -euo pipefail
if [[ ${SONDE_TEST_RPM_INSIDE:-} != yes ]]; then
    ((EUID == 0)) || {
        echo "test-rpm: run as root (debootstrap and chroot need it)" >&2
        exit 77
    }
    exec env SONDE_TEST_RPM_INSIDE=yes unshare --mount --pid --mount-proc --fork --kill-child "${BASH_SOURCE[0]}" "$@"
fi
folder=$(realpath "$1")
work=$(mktemp -d)
trap 'umount -l "$work/fresh/proc" 2>/dev/null || true; rm -rf --one-file-system "$work"' EXIT
root=$work/fresh

step() { echo "test-rpm: $*"; }
fail() {
    echo "test-rpm: FAILED: $*" >&2
    exit 1
}
inside() { env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C chroot "$root" "$@" </dev/null; }

mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Codename: bookworm' | sed -n 1p)
step "making a Debian with rpm"
debootstrap --variant=minbase \
    --include=rpm,systemd,libcurl4,libmicrohttpd12,libpcap0.8,librdkafka1,libsqlite3-0,libyaml-0-2,libstdc++6 \
    bookworm "$root" "${mirror:-http://deb.debian.org/debian}" >"$work/debootstrap.log" 2>&1 || {
    tail -n 20 "$work/debootstrap.log" >&2
    fail "debootstrap"
}
mount -t proc proc "$root/proc"
mkdir "$root/packages"
cp "$folder"/sonde*.rpm "$root/packages/"

step "what they say"
for file in "$root"/packages/*.rpm; do
    [[ $(rpm -qp --queryformat '%{NAME}-%{VERSION}-%{RELEASE}.%{ARCH}.rpm' "$file") == "${file##*/}" ]] || fail "the name ${file##*/}"
    [[ $(rpm -qp --queryformat '[%{FILEUSERNAME}:%{FILEGROUPNAME}\n]' "$file" | sort -u) == root:root ]] || fail "owners in ${file##*/}"
done
agent=("$root"/packages/sonde-[0-9]*.rpm)
[[ $(rpm -qp --configfiles "${agent[0]}") == $'/etc/sonde/conf.d/README\n/etc/sonde/sonde.yaml' ]] || fail "the configuration is not kept"
[[ $(rpm -qp --requires "${agent[0]}") != *libswift* ]] || fail "the agent requires the Swift runtime"
(($(rpm -qp --queryformat '%{SIZE}' "${agent[0]}") <= 30000000)) || fail "the package takes more than 30 MB"

# Debian's own packages are not in rpm's database: the libraries are there, and `ldd` says so.
step "installing"
packages=("${agent[0]#"$root"}")
inside rpm --install --nodeps "${packages[@]}" || fail "install"
[[ -z $(inside rpm --verify --nodeps sonde) ]] || fail "verify: $(inside rpm --verify --nodeps sonde)"
for file in sonde sonded; do
    [[ $(inside ldd "/usr/bin/$file") != *'not found'* ]] || fail "$file misses a library"
done
[[ $(inside stat -c '%U:%G %a' /var/lib/sonde) == 'sonde:sonde 750' ]] || fail "/var/lib/sonde"
inside sonde version
inside sonde plugins list >"$work/list" || fail "plugins list"
inside setpriv --reuid sonde --regid sonde --clear-groups sonde check -c /etc/sonde/sonde.yaml || fail "check"
inside sonde once --format json | grep -q '"name":"system.network' || fail "once"

step "the packages for plugins"
others=("$root"/packages/sonde-[a-z]*.rpm)
inside rpm --install --nodeps "${others[@]#"$root"}" || fail "install of the packages for plugins"
[[ -e $root/usr/include/sonde/sonde_plugin.h && -e $root/usr/lib/sonde/runtime/libswiftCore.so ]] || fail "the packages for plugins"

step "again over a changed configuration"
echo '# changed by the administrator' >>"$root/etc/sonde/sonde.yaml"
inside rpm --upgrade --force --nodeps "${packages[@]}" || fail "upgrade"
grep -q 'changed by the administrator' "$root/etc/sonde/sonde.yaml" || fail "the configuration was overwritten"

step "removing"
inside rpm --erase sonde sonde-web sonde-devel sonde-swift-runtime || fail "remove"
rm -r "$root/packages"
left=$(inside find / -xdev -iname '*sonde*' -not -path '/proc/*')
# As rpm does it: a changed configuration is set aside, and users and what they kept stay.
[[ $left == $'/etc/sonde\n/etc/sonde/sonde.yaml.rpmsave\n/var/lib/sonde' ]] || fail "remove left: $left"
step "passed"
