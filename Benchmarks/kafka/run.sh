#!/bin/sh
# Measures log on disk → Kafka, into librdkafka's mock cluster in a process of its own: samples per CPU second of the agent, and per
# second on one core; fails where a sample is missing, there twice or out of order while brokers die.
#   Benchmarks/kafka/run.sh [--lines N] [--series N] [--rounds N] [--format json|otlp] [--compression WORD] [--quiet]
# Needs cc, python3, taskset and two cores.
set -eu
cd "$(dirname "$0")/../.."
for product in sonded kafka; do swift build -c release --product "$product" >/dev/null; done
exec python3 -B Benchmarks/kafka/measure.py --build "$(swift build -c release --show-bin-path)" "$@"
