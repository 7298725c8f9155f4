#!/bin/sh
# Builds the encoders' benchmark without the rest of the package and runs it: run.sh [rounds] [format]
set -eu
cd "$(dirname "$0")/../.."
out=.build/benchmarks/formats
mkdir -p "$out"
flags="-O -wmo -swift-version 6 -enable-upcoming-feature MemberImportVisibility -enable-upcoming-feature InternalImportsByDefault"
for module in SondeDomain SondeFormats; do
    # shellcheck disable=SC2046,SC2086
    swiftc $flags -parse-as-library -emit-module -emit-library -static -module-name "$module" -I "$out" \
        -emit-module-path "$out/$module.swiftmodule" -o "$out/lib$module.a" $(find "Sources/$module" -name '*.swift')
done
# shellcheck disable=SC2086
swiftc $flags -I "$out" -L "$out" -lSondeFormats -lSondeDomain -o "$out/bench" Benchmarks/formats/main.swift
exec "$out/bench" "$@"
