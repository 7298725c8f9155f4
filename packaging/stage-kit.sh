#!/bin/bash
# stage-kit.sh STAGE VERSION: adds to STAGE what a plugin needs that is made without this repository.
#
#   include/sonde/sonde_plugin.h  lib/pkgconfig/sonde.pc  share/sonde/{swift,templates,sonde.py,sonde.sh}
set -euo pipefail
umask 022
stage=$1
version=$2
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
swift=$stage/share/sonde/swift

install -D -m 644 "$root/Sources/CSondePlugin/include/sonde_plugin.h" "$stage/include/sonde/sonde_plugin.h"
install -d "$stage/lib/pkgconfig" "$swift/Sources"
sed "s/^Version: VERSION\$/Version: $version/" "$root/sdk/c/sonde.pc" >"$stage/lib/pkgconfig/sonde.pc"

install -m 644 "$root/sdk/swift/Package.swift" "$swift/"
for module in CSondePlugin SondeDomain SondeFormats SondePluginKit SondeWire; do
    cp -r --preserve=timestamps "$root/Sources/$module" "$swift/Sources/"
done
# Of the test kit, what drives a plugin through its contract, and processes: the rest is for the agent's own parts.
install -d "$swift/Sources/SondeTestKit"
cp -r --preserve=timestamps "$root"/Sources/SondeTestKit/{Plugins,Processes} "$swift/Sources/SondeTestKit/"
# One copy of the contract.
ln -sf ../../../../../../include/sonde/sonde_plugin.h "$swift/Sources/CSondePlugin/include/sonde_plugin.h"

# What programs for the plugin `exec` may use.
install -m 644 "$root"/sdk/python/sonde.py "$root"/sdk/sh/sonde.sh "$stage/share/sonde/"

# What `sonde plugins new` makes projects from.
cp -r --preserve=timestamps "$root/sdk/templates" "$stage/share/sonde/"
find "$stage/share/sonde/templates" -name __pycache__ -prune -exec rm -r {} +
chmod -R u=rwX,go=rX "$stage/share/sonde"
