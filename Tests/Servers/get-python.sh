#!/bin/bash
# Makes a Python environment with the code that is generated from the official definitions of OTLP and of remote write: Debian
# has no package of either. The definitions of remote write are those that Prometheus is built from. Does nothing when it is
# there.
# usage: get-python.sh FOLDER [SUITE]    SUITE: the Debian suite that Prometheus is taken from
set -euo pipefail

folder=$1
modules='cramjam, prometheus_v1.remote_pb2, prometheus_v2.types_pb2, opentelemetry.proto.metrics.v1.metrics_pb2'
[[ -x $folder/bin/python3 ]] && "$folder/bin/python3" -c "import $modules" 2>/dev/null && exit 0

[[ -x $folder/bin/pip ]] || /usr/bin/python3 -m venv "$folder"
"$folder/bin/pip" install --quiet --disable-pip-version-check \
    opentelemetry-proto==1.45.2 grpcio-tools==1.85.1 cramjam==2.14.0

definitions=$(mktemp -d)
trap 'rm -rf "$definitions"' EXIT
"$(dirname "$0")/unpack.sh" "$definitions/unpacked" "${2:-forky}" golang-github-prometheus-prometheus-dev
prompb=$definitions/unpacked/usr/share/gocode/src/github.com/prometheus/prometheus/prompb
# In folders whose names no module of Python has, and without the options for Go, which change no byte.
mkdir -p "$definitions"/{prometheus_v1,prometheus_v2}
for_python='/gogoproto\/gogo.proto/d; s/ *\[(gogoproto[^]]*\]//; s/import "types.proto"/import "prometheus_v1\/types.proto"/'
sed "$for_python" "$prompb/types.proto" >"$definitions/prometheus_v1/types.proto"
sed "$for_python" "$prompb/remote.proto" >"$definitions/prometheus_v1/remote.proto"
sed "$for_python" "$prompb/io/prometheus/write/v2/types.proto" >"$definitions/prometheus_v2/types.proto"
packages=$("$folder/bin/python3" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')
cd "$definitions"
"$folder/bin/python3" -m grpc_tools.protoc -I . --python_out="$packages" \
    prometheus_v1/types.proto prometheus_v1/remote.proto prometheus_v2/types.proto
