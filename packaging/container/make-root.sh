#!/bin/bash
# make-root.sh ROOT: copies the agent that is installed on this machine, and nothing but what it needs to run, to ROOT: no shell, no
# package manager, no file that the agent's user may write outside of its own folders. Runs in the first stage of the
# Containerfile, and in test-container.sh.
set -euo pipefail
umask 022
root=$1
# Like other images without a shell; a number, since an orchestrator has to see that it is not root's.
user=65532

# A file with the folders above it and, where it is a link, what that leads to.
copy() {
    local file=$1 target
    [[ ! -e $root$file ]] || return 0
    mkdir -p "$root$(dirname "$file")"
    target=$(realpath "$file")
    install -m "$(stat -c %a "$target")" "$target" "$root$file"
}

# The libraries that an object needs, found as the loader finds them.
libraries() { ldd "$1" | sed -nE 's/.*(=> |^\t)(\/[^ ]+) .*/\2/p'; }

# A library that is linked or opened when it is first used.
late() {
    local file
    file=$(/sbin/ldconfig -p | sed -n "s/^\t$1 .*=> //p" | sed -n 1p)
    [[ $file ]] || {
        echo "make-root: $1 is not installed" >&2
        exit 1
    }
    copy "$file"
    libraries "$file" | while read -r library; do copy "$library"; done
}

mkdir -p "$root"/{etc/sonde,proc,sys,dev,tmp,run/sonde,var/lib/sonde,usr/lib/sonde/plugins}
for file in /usr/bin/sonde /usr/bin/sonded /usr/lib/sonde/sonde-supervisor; do
    copy "$file"
done
# Those of plugins: what the package depends on, and what it recommends to open.
for library in libcurl.so.4 libmicrohttpd.so.12 librdkafka.so.1 libpcap.so.0.8 libsnappy.so.1 libzstd.so.1; do
    late "$library"
done
for program in /usr/bin/sonde /usr/bin/sonded; do
    libraries "$program" | while read -r library; do copy "$library"; done
done
copy /etc/ssl/certs/ca-certificates.crt
copy /usr/share/doc/sonde/copyright
copy /usr/share/doc/sonde/sonde.spdx.json

install -m 644 "$(dirname "${BASH_SOURCE[0]}")/sonde.yaml" "$root/etc/sonde/sonde.yaml"
echo "hosts: files dns" >"$root/etc/nsswitch.conf"
printf 'root:x:0:0::/:/nologin\nsonde:x:%s:%s:Sonde agent:/var/lib/sonde:/nologin\n' $user $user >"$root/etc/passwd"
printf 'root:x:0:\nsonde:x:%s:\n' $user >"$root/etc/group"
chmod 1777 "$root/tmp"
chown $user:$user "$root"/{run,var/lib}/sonde
chmod 750 "$root/var/lib/sonde"
