#!/bin/bash
# Builds the plugins of other versions of the contract that GrowthTests loads: 1.0, whose structs are shorter than the
# host's; 1.1, the version that is frozen, with its header as it was then; a later one, in which every struct has grown; and
# 2.0, which is refused. Their binaries are checked in, for x86-64: what was built once has to load for as long as the major
# version stays. Say which of them to build anew: make.sh 1.9 2.0; those of 1.0 and 1.1 stay as they are.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
make_one() {
    local version=$1 header=$2 kind=$3
    [[ " $wanted " == *" $version "* ]] || return 0
    local folder
    folder=$(mktemp -d)
    cp "$header" "$folder/sonde_plugin.h"
    mkdir -p "$version"
    cc -std=c11 -Os -shared -fPIC -s -nostartfiles -Wl,--build-id=none -I "$folder" $4 "grown_$kind.c" \
        -o "$version/grown_$kind.so"
    rm -r "$folder"
}
wanted="$*"
later=$(mktemp)
next=$(mktemp)
sed -E 's/^\} (sonde_(error|attribute|series|histogram|checkpoint|loss|call|resource|batch_series|point|document|batch|delivery|inspection));/    uint64_t later[4];\n} \1;/
        s/^(    (int32_t|sonde_status) \(\*(tape_step|probe)\).*;)$/\1\n    void *later[4];/
        s/^#define SONDE_ABI_MINOR .*/#define SONDE_ABI_MINOR 9u/' ../../../../../Sources/CSondePlugin/include/sonde_plugin.h > "$later"
sed 's/^#define SONDE_ABI_MAJOR .*/#define SONDE_ABI_MAJOR 2u/' "$later" > "$next"
for kind in source sink; do
    make_one 1.0 sonde_plugin-1.0.h "$kind" -DSONDE_EARLIER
    make_one 1.1 sonde_plugin-1.1.h "$kind" ""
    make_one 1.9 "$later" "$kind" -DSONDE_LATER
    make_one 2.0 "$next" "$kind" -DSONDE_LATER
done
rm "$later" "$next"
