"""What a sample costs the whole agent with few series and with many, at the same rate, by remote write (see series.sh)."""

import argparse
import os
import shutil
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path[:0] = [os.path.join(ROOT, "Tests/Faults"), os.path.dirname(os.path.abspath(__file__))]

from drain import DroppingReceiver
from run import Build
from sustain import Feeder, SustainedAgent, sink


def measure(build, directory, options, series):
    """Nanoseconds of CPU per sample once all series are known, and resident MiB."""
    os.makedirs(directory)
    path = os.path.join(directory, "lines")
    open(path, "w").close()
    receiver = DroppingReceiver()
    receiver.open()
    agent = SustainedAgent(build, os.path.join(directory, "agent"), receiver.url, path, options.version)
    agent.options["batch"] = f"{{ samples: {min(options.batch, options.per_batch * series)}, bytes: 8MiB, wait: 1s }}"
    agent.start()
    feeder = Feeder(path, options.rate, series, options.seconds)
    feeder.start()
    time.sleep(options.seconds / 3)
    before, delivered = agent.cpu(), sink(agent).get("points", 0)
    feeder.join()
    time.sleep(2)
    cpu, delivered, resident = agent.cpu() - before, sink(agent).get("points", 0) - delivered, agent.resident()[0]
    agent.stop()
    cost = 1e9 * cpu / max(1, delivered)
    print(f"{series} series: {cost:.0f} ns of CPU a sample, {delivered} samples in {receiver.requests} requests, "
          f"RSS {resident:.1f} MiB", flush=True)
    return cost


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", default=os.path.join(ROOT, ".build/release"), help="where sonded and the plugins are")
    parser.add_argument("--rate", type=int, default=100_000)
    parser.add_argument("--seconds", type=int, default=30)
    parser.add_argument("--series", type=int, nargs="+", default=[1_000, 10_000, 100_000])
    parser.add_argument("--version", type=int, default=2)
    parser.add_argument("--batch", type=int, default=20_000, help="samples in a batch at most")
    parser.add_argument("--per-batch", type=int, default=1_000_000, help="samples of each series in a batch at most")
    parser.add_argument("--most", type=float, default=1.2, help="how many times the cheapest the dearest may cost")
    options = parser.parse_args()
    base = tempfile.mkdtemp(prefix="sonde-series-")
    os.chmod(base, 0o755)
    try:
        build = Build(options.build, base)
        build.compile(os.path.join(ROOT, "Benchmarks/throughput/lines.c"))
        costs = [measure(build, os.path.join(base, str(series)), options, series) for series in options.series]
    finally:
        shutil.rmtree(base, ignore_errors=True)
    ratio = max(costs) / min(costs)
    print(f"{ratio:.2f} times, {options.most} allowed")
    return 0 if ratio <= options.most else 1


if __name__ == "__main__":
    sys.exit(main())
