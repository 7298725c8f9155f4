#!/bin/bash
# test-deb.sh FOLDER [SUITE]: proves the packages in FOLDER in a Debian that was made for them and is thrown away, bookworm unless
# another is named: installs them, runs them, installs them again over a changed configuration, removes them, purges them, and
# looks for what stayed behind. Root only.
set -euo pipefail

# In namespaces of its own no mount and no process outlives this script, however it ends.
if [[ ${SONDE_TEST_DEB_INSIDE:-} != yes ]]; then
    ((EUID == 0)) || {
        echo "test-deb: run as root (debootstrap and chroot need it)" >&2
        exit 77
    }
    exec env SONDE_TEST_DEB_INSIDE=yes unshare --mount --pid --mount-proc --fork --kill-child "${BASH_SOURCE[0]}" "$@"
fi

folder=$(realpath "$1")
suite=${2:-bookworm}
work=$(mktemp -d)
trap 'umount -l "$work"/debian/{proc,toolchain} 2>/dev/null || true; rm -rf --one-file-system "$work"' EXIT
debian=$work/debian

step() { echo "test-deb: $*"; }
fail() {
    echo "test-deb: FAILED: $*" >&2
    exit 1
}
# No variable of this machine reaches the fresh system.
inside() {
    env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C DEBIAN_FRONTEND=noninteractive \
        chroot "$debian" "$@" </dev/null
}
as_sonde() { inside setpriv --reuid sonde --regid sonde --clear-groups "$@"; }
apt() { inside apt-get -q -y -o Dpkg::Use-Pty=0 --no-install-recommends "$@"; }

mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Codename: bookworm' | sed -n 1p)
mirror=${mirror:-http://deb.debian.org/debian}
step "making a Debian $suite from $mirror"
debootstrap --variant=minbase "$suite" "$debian" "$mirror" >"$work/debootstrap.log" 2>&1 || {
    tail -n 20 "$work/debootstrap.log" >&2
    fail "debootstrap"
}
mount -t proc proc "$debian/proc"
cp /etc/resolv.conf /etc/hosts "$debian/etc/"
printf '#!/bin/sh\nexit 101\n' >"$debian/usr/sbin/policy-rc.d"
chmod 755 "$debian/usr/sbin/policy-rc.d"
mkdir "$debian/packages"
for package in sonde sonde-web sonde-dev sonde-swift-runtime; do
    files=("$folder/${package}"_*.deb)
    ((${#files[@]} == 1)) && [[ -e ${files[0]} ]] || fail "$folder does not have one package $package"
    cp "${files[0]}" "$debian/packages/$package.deb"
done

step "installing"
apt update >/dev/null
[[ $(stat -c %s "$debian/packages/sonde.deb") -le 8000000 ]] || fail "the package has more than 8 MB"
apt install /packages/sonde.deb >"$work/apt.log" 2>&1 || {
    cat "$work/apt.log" >&2
    fail "the package cannot be installed"
}
# What its files hold; Installed-Size counts each rounded up, and folders.
bytes=$(dpkg-deb --fsys-tarfile "$debian/packages/sonde.deb" | tar -tv | awk '/^-/ { total += $3 } END { print total }')
((bytes <= 30000000)) || fail "the package takes more than 30 MB: $bytes bytes"
[[ $(inside dpkg-query -W -f='${db:Status-Status}' sonde) == installed ]] || fail "the package is not installed"
[[ $(stat -c %a "$debian/var/lib/sonde") == 750 ]] || fail "/var/lib/sonde has the wrong mode"
[[ $(inside stat -c %U:%G /var/lib/sonde) == sonde:sonde ]] || fail "/var/lib/sonde has the wrong owner"
[[ -L $debian/etc/systemd/system/multi-user.target.wants/sonde.service ]] || fail "the unit is not enabled"
libraries() {
    local file
    for file in "$@"; do
        [[ $(inside ldd "${file#"$debian"}" 2>&1) != *'not found'* ]] || fail "${file##*/} misses a library"
    done
}
libraries "$debian"/usr/bin/sonde{,d}
# Whole without the other two: no link leads nowhere.
[[ -z $(find -L "$debian"/usr/{bin,lib,share}/{,doc/,man/}sonde* -type l 2>/dev/null) ]] || fail "a symbolic link leads nowhere"
for page in man1/sonde.1 man8/sonded.8 man5/sonde.yaml.5; do
    [[ -e $debian/usr/share/man/$page.gz ]] || fail "no page $page"
done

step "running"
inside sonde version
inside sonde plugins list
as_sonde sonde check -c /etc/sonde/sonde.yaml || fail "the shipped configuration is not right"
for schema in sonde fragment; do
    inside sonde config schema $([[ $schema == sonde ]] || echo --fragment) | sed 's/^ *//' | tr -d '\n' |
        cmp - "$debian/usr/share/sonde/$schema.schema.json" ||
        fail "the schema $schema is not that of the agent"
done
schema=$(sed -n '1s/^# yaml-language-server: $schema=//p' "$debian/etc/sonde/sonde.yaml")
[[ -f $debian$schema ]] || fail "the schema that sonde.yaml names is missing: '$schema'"
# A file in conf.d counts, its README does not.
printf 'agent:\n  labels: { site: fra1 }\n' >"$debian/etc/sonde/conf.d/10-site.yaml"
as_sonde sonde config show -c /etc/sonde/sonde.yaml --origin | grep 'site' | grep -q '/etc/sonde/conf.d/10-site.yaml:2' ||
    fail "conf.d is not read"
rm "$debian/etc/sonde/conf.d/10-site.yaml"
as_sonde sonde once --format json >"$work/once.json" || fail "sonde once"
head -c 300 "$work/once.json"
echo
grep -q '"name":"system.network' "$work/once.json" || fail "'sonde once' printed no network metric"
! inside sonde plugins new tried --kind source --lang c --dir /tmp/tried 2>"$work/new.log" || fail "a project without templates"
grep -q 'Install the package sonde-dev' "$work/new.log" || fail "'plugins new' does not name the package of templates"

step "installing what plugins are made with"
apt install /packages/sonde-dev.deb /packages/sonde-swift-runtime.deb >"$work/apt.log" 2>&1 || {
    cat "$work/apt.log" >&2
    fail "the packages for plugins cannot be installed"
}
libraries "$debian"/usr/lib/sonde/runtime/*.so
pages=$debian/usr/share/doc/sonde
for page in README.md docs/configuration.md docs/guide/writing-a-plugin.md docs/guide/a-source.md docs/guide/a-sink.md; do
    # Not in code, where an array has the form of a link; and pictures are not installed.
    for link in $(awk '/^```/ { code = !code } !code' "$pages/$page" | sed 's/!\[[^]]*\]([^)]*)//g' | grep -oE '\]\([^)#:]+' | cut -c 3-); do
        # Debian has licences in one place for all packages.
        [[ $link == LICENSE || -e $pages/$(dirname "$page")/$link ]] || fail "the link to $link in $page leads nowhere"
    done
done

step "running as the service does"
code=0
as_sonde timeout --preserve-status --signal TERM --kill-after 20 15 \
    sonde run -c /etc/sonde/sonde.yaml >"$work/run.log" 2>&1 || code=$?
((code == 0)) || {
    cat "$work/run.log" >&2
    fail "'sonde run' ended with $code"
}
[[ $(find "$debian/var/lib/sonde" -type f -size +0 | sed -n 1p) ]] || fail "the agent wrote nothing to /var/lib/sonde"
inside find /var/lib/sonde -type f -printf '%m %u %s %p\n'

step "capturing under the unit, in a copy that systemd boots"
cp -a --one-file-system "$debian" "$work/unit"
chroot "$work/unit" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive \
    apt-get -q -y -o Dpkg::Use-Pty=0 --no-install-recommends install \
    systemd systemd-sysv dbus iproute2 python3 procps /packages/sonde-web.deb </dev/null >"$work/unit.log" 2>&1 ||
    fail "systemd and the page for the copy: $(tail -n 3 "$work/unit.log")"
[[ ! -e $work/unit/etc/systemd/system/multi-user.target.wants/sonde-web.service ]] || fail "the page's unit enables itself"
cp -a "$work/unit" "$work/groups"
"${BASH_SOURCE[0]%/*}/test-unit.sh" "$work/unit" || fail "the unit"
rm -r "$work/unit"

step "keeping limits by control groups, in a virtual machine"
"${BASH_SOURCE[0]%/*}/test-groups.sh" "$work/groups" || fail "the control groups"
rm -r "$work/groups"*

step "making plugins with what is installed, as the guides show it"
apt install gcc libc6-dev make pkg-config python3 >/dev/null
# Their pages as they are installed: what a user reads.
for page in a-source a-sink; do
    sections=("In C" "In Python")
    [[ $page == a-sink ]] || sections+=("In the shell")
    "${BASH_SOURCE[0]%/*}/transcript.py" "$debian" "$pages/docs/guide/$page.md" "${sections[@]}" || fail "the guide $page"
done
# The toolchain that built the package is the one that its kit wants: it is lent to the fresh system.
toolchain=(libstdc++-12-dev)
[[ $suite == bookworm ]] || toolchain=(libstdc++-14-dev)
if swift=$(realpath "$(command -v swift)") 2>/dev/null; then
    apt install binutils "${toolchain[@]}" libsqlite3-0 libncurses6 libcurl4 libxml2 libuuid1 git ca-certificates >/dev/null
    mkdir -p "$debian/toolchain"
    mount --bind -o ro "${swift%/usr/bin/*}" "$debian/toolchain"
    "${BASH_SOURCE[0]%/*}/transcript.py" "$debian" "$pages/docs/guide/a-source.md" "In Swift" || fail "the guide a-source"
    umount "$debian/toolchain"
    rmdir "$debian/toolchain"
fi
# The directory of the socket is systemd's to remove, where there is one.
rm -r "$debian/home/you" "$debian/run/sonde"

step "installing again over a changed configuration"
echo '# changed by the administrator' >>"$debian/etc/sonde/sonde.yaml"
inside dpkg -i /packages/sonde.deb /packages/sonde-dev.deb >/dev/null 2>&1 || fail "installing again"
grep -q 'changed by the administrator' "$debian/etc/sonde/sonde.yaml" || fail "the configuration was overwritten"

step "removing"
apt remove sonde sonde-web sonde-dev sonde-swift-runtime >/dev/null || fail "remove"
[[ -e $debian/etc/sonde/sonde.yaml ]] || fail "remove took the configuration away"
[[ $(inside find /usr /run -xdev -iname '*sonde*') == '' ]] || fail "remove left more than the configuration"

step "purging"
apt purge sonde sonde-web sonde-dev sonde-swift-runtime >/dev/null || fail "purge"
rm -r "$debian/packages"
left=$(inside find / -xdev -iname '*sonde*' -not -path '/proc/*' -not -path '/usr/share/doc-base/*')
[[ -z $left ]] || fail "purge left: $left"
! grep -E '^sonde:' "$debian"/etc/{passwd,group,shadow} || fail "purge left the user"
[[ ! -e $debian/etc/systemd/system/multi-user.target.wants/sonde.service ]] || fail "purge left the unit enabled"
step "passed"
