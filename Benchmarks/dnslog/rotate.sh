#!/bin/sh
# Follows a log that is written at 20 MB/s and rotated every second, and fails when a line is lost or read twice.
#   Benchmarks/dnslog/rotate.sh [SECONDS]
# A minute unless SECONDS says otherwise. Prints lines, bytes, rotations, and how often the files were looked at.
set -eu
cd "$(dirname "$0")/../.."
swift build --build-tests
SONDE_ROTATE_SECONDS=${1:-60} swift test --skip-build --filter RotationUnderLoadTests
