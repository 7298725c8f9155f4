#!/bin/bash
# Line coverage of the pure layers: builds the tests with counters, runs those of all layers up to the gateways, and fails
# below 95 % of the lines of the domain or the engine. Plugins and end-to-end tests are not counted.
set -euo pipefail
cd "$(dirname "$0")/.."

least=95
swift test --enable-code-coverage --filter 'SondeDomainTests|SondeEngineTests|SondeFormatsTests|SimulationTests|SondeGatewaysTests' > /dev/null
report=$(swift test --show-codecov-path)
python3 - "$report" "$least" <<'PYTHON'
import json, os, sys

files = json.load(open(sys.argv[1]))["data"][0]["files"]
root = os.getcwd() + "/"
failed = False
for layer in ("SondeDomain", "SondeEngine"):
    lines = covered = 0
    rows = []
    for file in files:
        name = file["filename"].removeprefix(root)
        if not name.startswith(f"Sources/{layer}/"):
            continue
        summary = file["summary"]["lines"]
        lines += summary["count"]
        covered += summary["covered"]
        rows.append((summary["count"] - summary["covered"], name))
    share = 100 * covered / max(1, lines)
    failed |= share < float(sys.argv[2])
    print(f"{layer}: {share:.1f} % of {lines} lines")
    for missing, name in sorted(rows, reverse=True)[:8]:
        if missing:
            print(f"  {missing:4} lines without a test  {name}")
sys.exit(failed)
PYTHON
