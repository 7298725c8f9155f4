#!/bin/sh
# Fuzzes every target of Tests/Fuzz/Targets with libFuzzer and the address sanitizer, starting from its corpus.
#   Tests/Fuzz/run.sh SECONDS_PER_TARGET [TARGET]...
# A new target NAME is two files, Targets/NAME.swift and Corpus/NAME.hex (one input per line in hexadecimal); what it needs
# of the tests is in files called *FuzzInput.swift and *Invariants.swift there. Inputs that reach new code are merged into
# the corpus; an input that fails, or takes longer than a second, stays in .build/fuzz and ends the run with status 1.
set -eu
cd "$(dirname "$0")/../.."
seconds=${1:?usage: run.sh SECONDS_PER_TARGET [TARGET]...}
shift
limit=200
out=.build/fuzz
rm -rf "$out/modules"
mkdir -p "$out/modules"
flags="-g -O -swift-version 6 -sanitize=fuzzer,address -parse-as-library -package-name sonde"
for feature in ExistentialAny MemberImportVisibility InternalImportsByDefault; do
    flags="$flags -enable-upcoming-feature $feature"
done
flags="$flags -I $out/modules -L $out/modules"

# The C modules that have no module map of their own, as the package manager makes them.
for module in CSondePlugin CPcap CNetlink; do
    echo "module $module { header \"$PWD/$(ls Sources/$module/include/*.h)\" export * }" >"$out/modules/$module.modulemap"
    flags="$flags -Xcc -fmodule-map-file=$out/modules/$module.modulemap"
done
flags="$flags -Xcc -fmodule-map-file=Sources/CZlib/module.modulemap"

# Each needs what stands before it.
libraries=
for source in Sources/SondeWire Sources/SondeDomain Sources/SondeFormats Sources/SondePluginKit Sources/SondeDNS \
    Sources/SondeGzip Sources/SondeNetlink PcapPlugin:plugins/sources/pcap/Sources DNSLogPlugin:plugins/sources/dnslog/Sources; do
    module=$(basename "${source%%:*}")
    # shellcheck disable=SC2046,SC2086
    swiftc $flags -wmo -enable-testing -emit-module -emit-library -static -module-name "$module" \
        -emit-module-path "$out/modules/$module.swiftmodule" -o "$out/modules/lib$module.a" \
        $(find "${source#*:}" -name '*.swift')
    libraries="-l$module $libraries"
done
support=$(find Tests/SondeWireTests plugins/*/*/Tests -name '*FuzzInput.swift' -o -name '*Invariants.swift')
[ $# -gt 0 ] || set -- $(basename -s .swift Tests/Fuzz/Targets/*.swift)

for target in "$@"; do
    # shellcheck disable=SC2086
    swiftc $flags -o "$out/$target" "Tests/Fuzz/Targets/$target.swift" $support $libraries -lpcap -lz -lswiftGlibc
    rm -rf "$out/$target-seeds" "$out/$target-found" "$out/$target-merged"
    mkdir "$out/$target-seeds" "$out/$target-found" "$out/$target-merged"
    python3 Tests/Fuzz/corpus.py unpack "Tests/Fuzz/Corpus/$target.hex" "$out/$target-seeds"
    # The runtime's own crash report would take minutes for each failure.
    export SWIFT_BACKTRACE=enable=no
    "$out/$target" -max_total_time="$seconds" -timeout=1 -rss_limit_mb=512 -max_len=2048 -print_final_stats=1 \
        -artifact_prefix="$out/$target-" "$out/$target-found" "$out/$target-seeds" </dev/null
    "$out/$target" -merge=1 "$out/$target-merged" "$out/$target-seeds" "$out/$target-found" </dev/null 2>/dev/null
    python3 Tests/Fuzz/corpus.py pack "$out/$target-merged" "Tests/Fuzz/Corpus/$target.hex" $limit
done
