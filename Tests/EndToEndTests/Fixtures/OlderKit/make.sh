#!/bin/bash
# Packs the sources of the Swift kit as they were when the contract was frozen (1.1, the first version that promises to stay),
# without what does not cross: aggregates, history, snapshots. Checked in, so that no later clone needs the history.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
root=$(git rev-parse --show-toplevel)
git -C "$root" archive --format=tar 4e48cd0 Sources/CSondePlugin/include Sources/SondePluginKit/{Contract,Export,Host,Internals} \
    Sources/SondeDomain/{Entities,Failures,Plugins,Text,Time} | gzip -9n > kit-1.1.tar.gz
