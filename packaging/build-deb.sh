#!/bin/bash
# build-deb.sh DIST OUTPUT: makes OUTPUT/sonde_<version>_<architecture>.deb from the staged tree DIST.
set -euo pipefail
umask 022
dist=$(realpath "$1")
output=$(realpath "$2")
packaging=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

version=$("$dist/bin/sonde" version | grep -oE '[0-9]+\.[0-9]+\.[0-9]+([-~+][A-Za-z0-9.]+)?' | sed -n 1p || true)
[[ $version ]] || {
    echo "build-deb: '$dist/bin/sonde version' does not say a version" >&2
    exit 1
}
architecture=$(dpkg --print-architecture)

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tree=$work/tree
mkdir -p "$tree"/{DEBIAN,usr,lib/systemd/system}

cp -r "$dist"/{bin,include,lib,share} "$tree/usr/"
cp -r "$dist/etc" "$tree/etc"
# Debian's directory for what packages ship; /usr/local would be site-functions.
mv "$tree/usr/share/zsh/site-functions" "$tree/usr/share/zsh/vendor-completions"
rm "$tree/usr/share/doc/sonde/LICENSE"
install -m 644 "$packaging/debian/copyright" "$tree/usr/share/doc/sonde/copyright"
install -m 644 "$packaging/sonde.service" "$tree/lib/systemd/system/sonde.service"
install -m 644 "$packaging/debian/conffiles" "$tree/DEBIAN/conffiles"
install -m 755 "$packaging"/debian/{postinst,prerm,postrm} "$tree/DEBIAN/"

# The system's libraries with the oldest versions that have the symbols in use; the Swift runtime is in the package.
mkdir "$work/debian"
cp "$packaging/debian/control" "$work/debian/control"
depends=$(
    cd "$work"
    dpkg-shlibdeps -O --ignore-missing-info -l"$tree/usr/lib/sonde/runtime" \
        "$tree"/usr/bin/* "$tree"/usr/lib/sonde/*/*.so 2>"$work/warnings" |
        sed -n 's/^shlibs:Depends=//p'
) || {
    cat "$work/warnings" >&2
    exit 1
}
[[ $depends == *libc6* ]] || {
    echo "build-deb: no dependency on libc6 was found: '$depends'" >&2
    exit 1
}

{
    echo "Package: sonde"
    echo "Version: $version"
    echo "Architecture: $architecture"
    echo "Installed-Size: $(du -sk --exclude=DEBIAN "$tree" | cut -f 1)"
    sed -n '/^Package:/,$p' "$packaging/debian/control" | sed -n '/^Depends:/,$p' |
        sed "s/\${shlibs:Depends}/$depends/"
    sed -n '1,/^$/p' "$packaging/debian/control" | grep -E '^(Section|Priority|Maintainer):'
} | awk '
    # dpkg wants the description, with its continuation lines, in one piece; it goes last.
    /^Description:/ { text = $0; next }
    /^ / { text = text "\n" $0; next }
    { print }
    END { print text }
' >"$tree/DEBIAN/control"
(cd "$tree" && find usr lib -type f -print0 | sort -z | xargs -0 md5sum) >"$tree/DEBIAN/md5sums"

package=$output/sonde_${version}_$architecture.deb
dpkg-deb --root-owner-group -Zxz --build "$tree" "$package"
