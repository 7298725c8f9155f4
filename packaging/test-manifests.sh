#!/bin/bash
# test-manifests.sh FOLDER: checks the bill of materials in FOLDER by the validator of SPDX, and what `kubectl kustomize` makes of
# packaging/kubernetes by the published schemas of Kubernetes and by what an agent may have there.
set -euo pipefail
folder=$(realpath "$1")
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
fail() {
    echo "test-manifests: FAILED: $*" >&2
    exit 1
}
# Validators that Debian has no packages of, kept outside of the checkout.
tools=${SONDE_VALIDATORS:-$HOME/.cache/sonde/validators}
[[ -x $tools/bin/pyspdxtools && -x $tools/bin/kubernetes-validate ]] || {
    python3 -m venv "$tools"
    "$tools/bin/pip" install --quiet --disable-pip-version-check spdx-tools==0.8.5 kubernetes-validate==1.37.0
}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

files=("$folder"/sonde-*.spdx.json)
((${#files[@]} == 1)) && [[ -e ${files[0]} ]] || fail "$folder does not have one bill of materials"
"$tools/bin/pyspdxtools" -i "${files[0]}" || fail "the bill of materials"
for part in swift-runtime swift-argument-parser libcurl4 libpcap0.8 libyaml-0-2; do
    grep -q "\"name\": \"$part\"" "${files[0]}" || fail "the bill of materials does not have $part"
done

if ! command -v kubectl >/dev/null; then
    echo "test-manifests: kubectl is missing: Kubernetes is not tested" >&2
    exit 77
fi
for overlay in base with-pcap; do
    kubectl kustomize "$here/kubernetes/$overlay" >"$work/$overlay.yaml" || fail "kustomize $overlay"
    for version in 1.29 1.32 1.37; do
        "$tools/bin/kubernetes-validate" --strict --quiet -k $version "$work/$overlay.yaml" || fail "$overlay in Kubernetes $version"
    done
    "$tools/bin/python3" -B "$here/kubernetes/test.py" "$overlay" "$work/$overlay.yaml" || fail "$overlay"
done
# Their configurations are right for the agent that is packed.
tar -xzf "$folder"/sonde-*-linux-*.tar.gz -C "$work" --strip-components=1
for overlay in base with-pcap; do
    NODE_NAME=node-1 SONDE_URL=http://127.0.0.1:8428/api/v1/write \
        "$work/bin/sonde" check -c "$here/kubernetes/$overlay/sonde.yaml" >"$work/output" 2>&1 ||
        fail "the configuration of $overlay: $(cat "$work/output")"
done
echo "test-manifests: passed"
