"""A file of lines → spool on disk → JSON over HTTP on loopback: samples per CPU second of the agent (see run.sh)."""

import argparse
import os
import re
import shutil
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "Tests/Faults"))

from agent import Agent, eventually
from receiver import Receiver
from run import Build

BEGIN = 1_767_225_600


class CountingReceiver(Receiver):
    """Counts lines and adds up their values, each batch once."""

    def __init__(self):
        super().__init__()
        self.seen, self.total, self.bytes = set(), 0, 0

    def _note(self, headers, body, taken):
        with self.lock:
            if not taken or headers[b"sonde-batch"] in self.seen:
                return
            self.seen.add(headers[b"sonde-batch"])
        values = VALUE.findall(body)
        with self.lock:
            self.points += len(values)
            self.total += sum(map(int, values))
            self.bytes += len(body)


VALUE = re.compile(rb'"name":"bench\.bytes"[^\n]*?"value":(\d+)')


class LinesAgent(Agent):
    """An agent whose source follows a file of lines."""

    def __init__(self, build, directory, receiver, path, commit):
        super().__init__(build, directory, receiver, batch="{ wait: 100ms }")
        self.path, self.commit = path, commit

    def sources(self):
        return f"  - {{ id: load, plugin: lines, isolation: in_process, path: {self.path}, per_commit: {self.commit} }}\n"


def write_lines(path, count, series):
    """Writes one line per series and second; the sum of all values."""
    total, number = 0, 0
    with open(path, "w") as file:
        while number < count:
            rows = range(number, min(count, number + series))
            file.write("".join(f"bench.bytes,interface=eth{row - number} {row * 7919} {BEGIN + number // series}\n"
                               for row in rows))
            total += 7919 * sum(rows)
            number += series
    return total


def measure(build, directory, options):
    """One run; whether everything arrived."""
    os.makedirs(directory)
    path = os.path.join(directory, "lines")
    total, size = write_lines(path, options.lines, options.series), os.path.getsize(path)
    receiver = CountingReceiver()
    agent = LinesAgent(build, os.path.join(directory, "agent"), receiver, path, options.commit)
    began = time.monotonic()
    agent.start()
    eventually(lambda: receiver.points >= options.lines or not agent.is_alive, 600, 0.05)
    if not agent.is_alive:
        print(agent.text())
        return False
    wall, cpu, (now, most) = time.monotonic() - began, agent.cpu(), agent.resident()
    code, _ = agent.stop()
    lost = agent.lost_in_all()
    equal = (receiver.points, receiver.total) == (options.lines, total) and lost == 0 and code == 0
    print(f"{options.lines} lines of {options.series} series, {size >> 20} MiB; received {receiver.points} in "
          f"{len(receiver.seen)} batches, {receiver.bytes >> 20} MiB of JSON, counts and sums "
          f"{'equal' if equal else 'DIFFER'}; {cpu:.2f} CPU seconds in {wall:.1f} s: {options.lines / cpu:,.0f} samples "
          f"per CPU second; RSS {now:.1f} MiB, {most:.1f} at most", flush=True)
    return equal


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", default=os.path.join(ROOT, ".build/release"), help="where sonded and the plugins are")
    parser.add_argument("--lines", type=int, default=5_000_000)
    parser.add_argument("--series", type=int, default=300)
    parser.add_argument("--commit", type=int, default=1000, help="lines in one commit")
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    base = tempfile.mkdtemp(prefix="sonde-throughput-")
    os.chmod(base, 0o755)
    try:
        build = Build(options.build, base)
        build.compile(os.path.join(ROOT, "Benchmarks/throughput/lines.c"))
        held = [measure(build, os.path.join(base, str(turn)), options) for turn in range(options.rounds)]
    finally:
        shutil.rmtree(base, ignore_errors=True)
    return 0 if all(held) else 1


if __name__ == "__main__":
    sys.exit(main())
