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
mkdir -p "$out/modules"
flags="-g -O -swift-version 6 -sanitize=fuzzer,address -parse-as-library -package-name sonde"
for feature in ExistentialAny MemberImportVisibility InternalImportsByDefault; do
    flags="$flags -enable-upcoming-feature $feature"
done
flags="$flags -I $out/modules -Xcc -I$PWD/Sources/CSondePlugin/include"

# The C modules that have no module map of their own, as the package manager makes them.
for module in CSondePlugin CCurl CLinux CNetlink CPcap CRemoteFetch CShippedPlugins; do
    echo "module $module { umbrella \"$PWD/Sources/$module/include\" export * }" >"$out/modules/$module.modulemap"
    flags="$flags -Xcc -fmodule-map-file=$out/modules/$module.modulemap"
done
for module in CSQLite CStatx CYAML CZlib; do
    flags="$flags -Xcc -fmodule-map-file=Sources/$module/module.modulemap"
done
for source in Sources/CLinux/*.c Sources/CRemoteFetch/*.c Sources/CShippedPlugins/*.c; do
    clang -g -O1 -fsanitize=fuzzer-no-link,address -ISources/CSondePlugin/include -I"$(dirname "$source")/include" \
        -c "$source" -o "$out/modules/$(basename -s .c "$source").o"
done

# Each needs what stands before it; what has not changed is kept.
changed=
for source in Sources/SondeWire Sources/SondeDomain Sources/SondeFormats Sources/SondePluginKit Sources/SondeDNS \
    Sources/SondeGzip Sources/SondeNetlink PcapPlugin:plugins/sources/pcap/Sources \
    DNSLogPlugin:plugins/sources/dnslog/Sources ProcNetPlugin:plugins/sources/procnet/Sources \
    HTTPPlugin:plugins/sinks/http/Sources Sources/SondeEngine Sources/SondeTestKit Sources/SondeGateways; do
    module=$(basename "${source%%:*}")
    object=$out/modules/$module.o
    newer=$([ ! -e "$object" ] || find "${source#*:}" Sources/C*/include Tests/Fuzz/run.sh -newer "$object")
    [ -n "$changed$newer" ] || [ ! -e "$object" ] || continue
    changed=$module
    # shellcheck disable=SC2046,SC2086
    swiftc $flags -wmo -enable-testing -emit-module -c -module-name "$module" \
        -emit-module-path "$out/modules/$module.swiftmodule" -o "$object" $(find "${source#*:}" -name '*.swift')
done
support=$(find Tests plugins/*/*/Tests -name '*FuzzInput.swift' -o -name '*Invariants.swift')
[ $# -gt 0 ] || set -- $(basename -s .swift Tests/Fuzz/Targets/*.swift)

for target in "$@"; do
    # shellcheck disable=SC2086
    swiftc $flags -o "$out/$target" "Tests/Fuzz/Targets/$target.swift" $support "$out"/modules/*.o -lcurl -lpcap
    rm -rf "$out/$target-seeds" "$out/$target-found" "$out/$target-merged"
    mkdir "$out/$target-seeds" "$out/$target-found" "$out/$target-merged"
    python3 Tests/Fuzz/corpus.py unpack "Tests/Fuzz/Corpus/$target.hex" "$out/$target-seeds"
    # The runtime's own crash report would take minutes for each failure.
    export SWIFT_BACKTRACE=enable=no
    "$out/$target" -max_total_time="$seconds" -timeout=1 -rss_limit_mb=512 -max_len=4096 -print_final_stats=1 \
        -artifact_prefix="$out/$target-" "$out/$target-found" "$out/$target-seeds" </dev/null
    "$out/$target" -merge=1 "$out/$target-merged" "$out/$target-seeds" "$out/$target-found" </dev/null 2>/dev/null
    python3 Tests/Fuzz/corpus.py pack "$out/$target-merged" "Tests/Fuzz/Corpus/$target.hex" $limit
done
