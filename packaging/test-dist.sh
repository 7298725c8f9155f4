#!/bin/bash
# test-dist.sh DIST: runs a copy of DIST with an empty environment while the toolchain is hidden.
set -euo pipefail

# A mount namespace of its own: the toolchain disappears for this script only.
if [[ ${SONDE_TEST_DIST_INSIDE:-} != yes ]]; then
    toolchain=$(swift -print-target-info | sed -n 's/.*"runtimeResourcePath": "\(.*\)".*/\1/p')
    [[ -d $toolchain ]] || {
        echo "test-dist: the toolchain does not say where it is" >&2
        exit 1
    }
    identity=()
    ((EUID == 0)) || identity=(--map-root-user)
    exec env SONDE_TEST_DIST_INSIDE=yes unshare --mount "${identity[@]}" "${BASH_SOURCE[0]}" "$1" "$toolchain"
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp -r "$1" "$work/copy"

# What plugins are made with, used from where the copy is.
echo 'SONDE_PLUGIN_ABI("");' >"$work/plugin.c"
flags=$(PKG_CONFIG_PATH=$work/copy/lib/pkgconfig pkg-config --cflags sonde)
# shellcheck disable=SC2086 # the flags are words
cc $flags -include sonde_plugin.h -shared -fPIC "$work/plugin.c" -o "$work/plugin.so"
(cd "$work/copy/share/sonde/swift" && swift build --scratch-path "$work/kit" >"$work/output" 2>&1) || {
    cat "$work/output" >&2
    echo "test-dist: FAILED: the kit for plugins in Swift does not build" >&2
    exit 1
}

"$work/copy/bin/sonde" plugins new tried --kind source --lang c --dir "$work/tried" >"$work/output"
make -C "$work/tried" check >"$work/output" 2>&1 || {
    cat "$work/output" >&2
    echo "test-dist: FAILED: the project of a new plugin" >&2
    exit 1
}

mount -t tmpfs none "$2"
[[ -z $(ls -A "$2") ]] || {
    echo "test-dist: the toolchain is still there" >&2
    exit 1
}

# A file for pcap's reader, which is confined: nothing but its header.
printf '\xd4\xc3\xb2\xa1\2\0\4\0\0\0\0\0\0\0\0\0\0\0\4\0\1\0\0\0' >"$work/empty.pcap"
for arguments in version "plugins list" "once --format json" "inspect $work/empty.pcap"; do
    # shellcheck disable=SC2086 # the words are the arguments
    env -i "$work/copy/bin/sonde" $arguments >"$work/output" || {
        echo "test-dist: FAILED: sonde $arguments" >&2
        exit 1
    }
    head -c 200 "$work/output"
    echo
done
# A process of its own takes the supervisor, and the agent's program once more.
cat >"$work/isolated.yaml" <<'CONFIGURATION'
version: 1
sources:
  - { id: kernel, plugin: procnet, isolation: process }
sinks:
  - { id: console, plugin: stdout }
CONFIGURATION
env -i "$work/copy/bin/sonde" once --format json -c "$work/isolated.yaml" >"$work/output" || {
    echo "test-dist: FAILED: isolation: process" >&2
    exit 1
}
grep -q '"name":"system.network.io"' "$work/output" || {
    echo "test-dist: FAILED: an isolated source has no samples" >&2
    exit 1
}
echo "test-dist: passed"
