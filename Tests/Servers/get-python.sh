#!/bin/bash
# Makes a Python environment with the code that is generated from the official definitions of OTLP; Debian has no package of
# it. Does nothing when it is there.
# usage: get-python.sh FOLDER
set -euo pipefail

folder=$1
[[ -x $folder/bin/python3 ]] && "$folder/bin/python3" -c 'import opentelemetry.proto.metrics.v1.metrics_pb2' 2>/dev/null && exit 0

/usr/bin/python3 -m venv "$folder"
"$folder/bin/pip" install --quiet --disable-pip-version-check opentelemetry-proto==1.45.2
