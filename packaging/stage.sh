#!/bin/bash
# stage.sh BUILD DIST: lays out what was built as it is installed, with the Swift runtime beside it.
#
#   bin/{sonde,sonded,sonde-web}  lib/sonde/sonde-supervisor  lib/sonde/runtime/*.so  etc/sonde  share/…
#   lib/sonde/plugins/NAME.so, where they are not inside of sonded, and what stage-kit.sh adds
set -euo pipefail
umask 022
build=$1
dist=$2
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

fail() {
    echo "stage: $*" >&2
    exit 1
}

# The paths below the toolchain that hold the Swift runtime.
runtime_directories() {
    swift -print-target-info | sed -n '/"runtimeLibraryPaths"/,/\]/s/^ *"\(\/[^"]*\)".*/\1/p'
}

needed() {
    readelf -d "$1" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p'
}

# Copies a library of the Swift runtime, and those that it needs; nothing where $1 is none: that comes from the system.
stage_library() {
    local directory
    [[ ! -e $stage/lib/sonde/runtime/$1 ]] || return 0
    for directory in "${runtime[@]}"; do
        [[ -f $directory/$1 ]] || continue
        install -m 644 "$directory/$1" "$stage/lib/sonde/runtime/$1"
        stage_runtime_of "$directory/$1"
        break
    done
}

# Copies the Swift libraries that $1 needs.
stage_runtime_of() {
    local library
    for library in $(needed "$1"); do
        stage_library "$library"
    done
}

strip_and_check() {
    local file=$1
    strip --strip-unneeded "$file"
    local paths
    paths=$(readelf -d "$file" | sed -n 's/.*(R\(UN\)\?PATH).*\[\(.*\)\]/\2/p')
    [[ :$paths != *:/* ]] || fail "$file searches an absolute path for libraries: $paths"
}

# Nothing of a half-finished run may be left in DIST.
stage=$(mktemp -d "$(dirname "$dist")/.stage.XXXXXX")
trap 'rm -rf "$stage"' EXIT
chmod 755 "$stage"
mkdir -p "$stage"/{bin,lib/sonde/plugins,lib/sonde/runtime,etc/sonde,share/doc/sonde}
mapfile -t runtime < <(runtime_directories)
((${#runtime[@]})) || fail "the toolchain does not say where its runtime is"

for program in sonde sonded sonde-web; do
    install -m 755 "$build/$program" "$stage/bin/$program"
done
install -m 755 "$build/sonde-supervisor" "$stage/lib/sonde/sonde-supervisor"
for folder in "$root"/plugins/{sources,sinks}/*/; do
    name=$(basename "$folder")
    # A daemon without the shared runtime has it inside, and the plugins too. The runtime is for plugins of others then.
    [[ $(needed "$build/sonded") != *libswiftCore.so* ]] ||
        install -m 644 "$build/lib$name.so" "$stage/lib/sonde/plugins/$name.so"
    stage_runtime_of "$build/lib$name.so"
done
# Plugins of others may lock.
stage_library libswiftSynchronization.so
shopt -s nullglob
for file in "$stage"/bin/* "$stage"/lib/sonde/plugins/*.so; do
    stage_runtime_of "$file"
done
for file in "$stage"/bin/* "$stage/lib/sonde/sonde-supervisor" "$stage"/lib/sonde/*/*.so; do
    strip_and_check "$file"
done
for file in "$stage"/lib/sonde/plugins/*.so; do
    sections=$(readelf -SW "$file")
    [[ $sections == *' sonde_abi '* ]] || fail "$file carries no version record (section sonde_abi)"
done

install -m 644 "$root/packaging/sonde.yaml" "$stage/etc/sonde/sonde.yaml"
install -D -m 644 "$root/packaging/conf.d/README" "$stage/etc/sonde/conf.d/README"
# The reference and the examples are to read; the service starts with the file above.
install -d "$stage/share/doc/sonde/examples"
install -m 644 "$root"/config/*.yaml "$root"/config/examples/*.yaml "$stage/share/doc/sonde/examples/"
install -m 644 "$root/plugins/sources/dnslog/kresd.lua" "$stage/share/doc/sonde/examples/"
# Laid out as in the repository, so that links from page to page lead somewhere.
pages() {
    (cd "$root" && ls -d ./*.md LICENSE && find docs -name '*.md' -o -name '*.json' && ls plugins/{sources,sinks}/*/README.md)
}
pages | while read -r page; do
    install -D -m 644 "$root/$page" "$stage/share/doc/sonde/$page"
done
# Plugins to learn from, without what was built of them.
install -d "$stage/share/doc/sonde/plugins"
cp -r "$root/plugins/examples" "$stage/share/doc/sonde/plugins/"
find "$stage/share/doc/sonde/plugins" \( -name '*.so' -o -name .build -o -name __pycache__ \) -prune -exec rm -r {} +
chmod -R u=rwX,go=rX "$stage/share/doc/sonde/plugins"
version=$("$stage/bin/sonde" version | sed -n '1s/^sonde \([^ ]*\).*/\1/p')
[[ $version ]] || fail "'sonde version' does not say a version"
"$root/packaging/stage-kit.sh" "$stage" "$version"
# Dashboards, rules and snippets for the centre.
cp -r "$root/contrib" "$stage/share/sonde/"
find "$stage/share/sonde/contrib" -name __pycache__ -prune -exec rm -r {} +
# What the dashboards are made from is for those who change them.
rm -r "$stage"/share/sonde/contrib/grafana/{src,generate.py}
chmod -R u=rwX,go=rX "$stage/share/sonde/contrib"
ln -s ../../sonde/contrib "$stage/share/doc/sonde/contrib"
# For editors, on one line: two fifths are spaces. The head of the configuration names the first one.
schema() {
    "$stage/bin/sonde" config schema "${@:2}" | sed 's/^ *//' | tr -d '\n' >"$stage/share/sonde/$1"
}
schema sonde.schema.json
schema fragment.schema.json --fragment
# What the pages link besides pages.
header=CSondePlugin/include/sonde_plugin.h
install -d "$stage/share/doc/sonde/Sources/${header%/*}" "$stage/share/doc/sonde/config"
ln -s ../../../../../../include/sonde/sonde_plugin.h "$stage/share/doc/sonde/Sources/$header"
ln -s ../examples/sonde.yaml "$stage/share/doc/sonde/config/sonde.yaml"
ln -s ../examples "$stage/share/doc/sonde/config/examples"

completion() {
    install -d "$stage/share/$2"
    "$stage/bin/sonde" --generate-completion-script "$1" >"$stage/share/$2/$3"
}
completion bash bash-completion/completions sonde
completion zsh zsh/site-functions _sonde
completion fish fish/vendor_completions.d sonde.fish

rm -rf "$dist"
mv "$stage" "$dist"
trap - EXIT
