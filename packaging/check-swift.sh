#!/bin/bash
# Fails with instructions unless a Swift compiler of at least the given version is in the path.
set -euo pipefail
minimum=$1

found=none
if command -v swift >/dev/null; then
    # A compiler that does not start says why itself: most often a library of the system is missing.
    output=$(swift --version) || found='one that does not start (see above)'
    [[ $found != none ]] || found=$(sed -n 's/.*Swift version \([0-9][0-9.]*\).*/\1/p' <<<"$output" | sed -n 1p)
fi

if [[ $found =~ ^[0-9] ]] &&
    [[ $(printf '%s\n' "$minimum" "$found" | sort -V | sed -n 1p) == "$minimum" ]]; then
    exit 0
fi

case $(uname -m) in
aarch64) platform=debian12-aarch64 ;;
*) platform=debian12 ;;
esac
cat >&2 <<TEXT
Sonde needs Swift $minimum or newer; found: $found.
Get it from https://www.swift.org/install/linux/ or, on Debian 12, so:

  sudo apt-get install --no-install-recommends curl ca-certificates libcurl4 libncurses6 libsqlite3-0 libxml2
  curl -fLO https://download.swift.org/swift-6.3.1-release/$platform/swift-6.3.1-RELEASE/swift-6.3.1-RELEASE-$platform.tar.gz
  sudo mkdir -p /usr/local/swift
  sudo tar -xzf swift-6.3.1-RELEASE-$platform.tar.gz -C /usr/local/swift --strip-components=1
  export PATH=/usr/local/swift/usr/bin:\$PATH
TEXT
exit 1
