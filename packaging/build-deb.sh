#!/bin/bash
# build-deb.sh DIST OUTPUT: makes OUTPUT/{sonde,sonde-web,sonde-dev,sonde-swift-runtime}_<version>_<architecture>.deb from the staged
# tree DIST.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
dist=$(realpath "$1")
output=$(realpath "$2")

version=$(version_of "$dist")
case $(machine_of "$dist") in
x86_64) architecture=amd64 ;;
aarch64) architecture=arm64 ;;
*) architecture=$(machine_of "$dist") ;;
esac

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$packaging/split.sh" "$dist" "$work/trees"

# The system's libraries with the oldest versions that have the symbols in use; the Swift runtime is a package of ours.
shared_libraries() {
    local tree=$1
    shift
    mkdir -p "$work/debian"
    cp "$packaging/debian/control" "$work/debian/control"
    (
        cd "$work"
        dpkg-shlibdeps -O --ignore-missing-info -l"$tree/usr/lib/sonde/runtime" "$@" 2>"$work/warnings" |
            sed -n 's/^shlibs:Depends=//p'
    ) || {
        cat "$work/warnings" >&2
        exit 1
    }
}

# The paragraph of a package, with its description last, where dpkg wants it.
control() {
    local package=$1 depends=$2 size=$3
    echo "Version: $version"
    echo "Installed-Size: $size"
    sed -n '1,/^$/p' "$packaging/debian/control" | grep -E '^(Priority|Maintainer):'
    awk -v RS= -v package="Package: $package" 'index($0, package "\n") == 1' "$packaging/debian/control" |
        sed "s/\${shlibs:Depends}/$depends/; s/\${binary:Version}/$version/g; s/^Architecture: any/Architecture: $architecture/"
}

# In KiB, as dpkg counts: each file rounded up, folders and links one each; not what one file system makes of it.
installed_size() {
    find "$1" -path "$1/DEBIAN" -prune -o -printf '%y %s\n' |
        awk '{ total += $1 == "f" ? int(($2 + 1023) / 1024) : 1 } END { print total }'
}

build() {
    local package=$1 depends=$2 tree=$work/trees/$1
    install -D -m 644 "$packaging/debian/copyright" "$tree/usr/share/doc/$package/copyright"
    mkdir "$tree/DEBIAN"
    control "$package" "$depends" "$(installed_size "$tree")" | awk '
        /^Package:/ { first = $0; next }
        /^Section:/ { section = 1 }
        /^Description:/ { text = $0; next }
        /^ / { text = text "\n" $0; next }
        { rest = rest $0 "\n" }
        END { printf "%s\n%s%s%s\n", first, rest, section ? "" : "Section: net\n", text }
    ' >"$tree/DEBIAN/control"
    local file
    for file in "$packaging/debian/$package"/*; do
        case ${file##*/} in
            conffiles) install -m 644 "$file" "$tree/DEBIAN/" ;;
            p*) install -m 755 "$file" "$tree/DEBIAN/" ;;
        esac
    done
    (cd "$tree" && find usr -type f -print0 | sort -z | xargs -0 md5sum) >"$tree/DEBIAN/md5sums"
    settle_times "$tree"
    # Debian 12 unpacks it in a second; a thread more would cut the stream elsewhere on another machine.
    dpkg-deb --root-owner-group --threads-max=1 -Zxz -z9 -Sextreme --build \
        "$tree" "$output/${package}_${version}_$architecture.deb"
}

agent=$work/trees/sonde
# Debian's directory for what packages ship; /usr/local would be site-functions.
mv "$agent/usr/share/zsh/site-functions" "$agent/usr/share/zsh/vendor-completions"
# Pages of the manual are packed on Debian, without the time that gzip would keep.
find "$agent/usr/share/man" -type f -exec gzip -9n {} +
plugins=("$agent"/usr/lib/sonde/plugins/*.so)
[[ -e ${plugins[0]} ]] || plugins=()
depends=$(shared_libraries "$work/trees/sonde-swift-runtime" "$agent"/usr/bin/* "${plugins[@]}")
[[ $depends == *libc6* ]] || fail "no dependency on libc6 was found: '$depends'"
build sonde "$depends"
build sonde-web "$(shared_libraries "$work/trees/sonde-swift-runtime" "$work/trees/sonde-web/usr/bin/sonde-web")"
build sonde-dev ""
build sonde-swift-runtime "$(shared_libraries "$work/trees/sonde-swift-runtime" "$work/trees/sonde-swift-runtime"/usr/lib/sonde/runtime/*.so)"
