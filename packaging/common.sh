# What the scripts that make packages share; to be sourced. `packaging` is their folder.
# shellcheck shell=bash
packaging=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
umask 022

fail() {
    echo "$(basename "$0" .sh): $*" >&2
    exit 1
}

# The version that a staged tree says of itself.
version_of() {
    local version
    version=$("$1/bin/sonde" version | grep -oE '[0-9]+\.[0-9]+\.[0-9]+([-~+][A-Za-z0-9.]+)?' | sed -n 1p || true)
    [[ $version ]] || fail "'$1/bin/sonde version' does not say a version"
    echo "$version"
}

# The architecture of a staged tree's programs, as `uname -m` spells it: not that of the machine that packs them.
machine_of() {
    case $(readelf -h "$1/bin/sonded" | sed -n 's/^ *Machine: *//p') in
    *X86-64) echo x86_64 ;;
    AArch64) echo aarch64 ;;
    RISC-V) echo riscv64 ;;
    *) fail "no name for the machine of $1/bin/sonded" ;;
    esac
}

# Packages of one commit have the same bytes: the time in them is that of the commit.
if [[ -z ${SOURCE_DATE_EPOCH:-} ]]; then
    SOURCE_DATE_EPOCH=$(git -C "$packaging/.." log -1 --format=%ct 2>/dev/null) || SOURCE_DATE_EPOCH=0
fi
export SOURCE_DATE_EPOCH TZ=UTC LC_ALL=C

# Gives every file and folder below $1 that time.
settle_times() {
    find "$1" -exec touch --no-dereference --date="@$SOURCE_DATE_EPOCH" {} +
}
