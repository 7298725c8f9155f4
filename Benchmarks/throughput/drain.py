"""From the spool on disk to a server that reads and drops, by remote write: samples per CPU second of the whole agent.

  Benchmarks/throughput/drain.sh [--lines N] [--series N] [--rounds N] [--version 1|2]
The receiver is down until everything is in the spool, so that only reading the log, encoding, compressing and sending counts.
"""

import argparse
import os
import shutil
import socket
import sys
import tempfile
import threading
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path[:0] = [os.path.join(ROOT, "Tests/Faults"), os.path.dirname(os.path.abspath(__file__))]

from agent import eventually
from measure import LinesAgent, write_lines
from run import Build


class DroppingReceiver:
    """Reads requests and says that all of their samples were written; refuses connections until it is opened."""

    def __init__(self):
        with socket.create_server(("127.0.0.1", 0)) as probe:
            self.port = probe.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}/api/v1/write"
        self.bytes = self.requests = 0

    def open(self):
        self.listener = socket.create_server(("127.0.0.1", self.port))
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self):
        while True:
            client, _ = self.listener.accept()
            threading.Thread(target=self._serve, args=(client,), daemon=True).start()

    def _serve(self, client):
        with client, client.makefile("rb") as stream:
            while stream.readline():
                length = 0
                while (line := stream.readline().strip()):
                    if line.lower().startswith(b"content-length:"):
                        length = int(line.split(b":")[1])
                stream.read(length)
                self.bytes += length
                self.requests += 1
                client.sendall(b"HTTP/1.1 204 No Content\r\nX-Prometheus-Remote-Write-Samples-Written: 1000000000\r\n\r\n")


class DrainAgent(LinesAgent):
    """An agent that sends what it follows by remote write."""

    def __init__(self, build, directory, receiver, path, version):
        super().__init__(build, directory, receiver, path, 1000)
        self.options["sink"] = f"    format: prometheus_remote_write\n    version: {version}\n"
        self.options["spool"] = "max_bytes: 2GiB"
        self.options["timeout"] = "10s"


def measure(build, directory, options):
    os.makedirs(directory)
    path = os.path.join(directory, "lines")
    write_lines(path, options.lines, options.series)
    receiver = DroppingReceiver()
    agent = DrainAgent(build, os.path.join(directory, "agent"), receiver, path, options.version)
    agent.start()

    def waiting():
        return ((agent.status() or {}).get("sinks") or [{}])[0].get("queue", {}).get("points", -1)

    if not eventually(lambda: waiting() >= options.lines or not agent.is_alive, 600, 0.2) or not agent.is_alive:
        print(agent.text())
        return False
    began, before = time.monotonic(), agent.cpu()
    receiver.open()
    if not eventually(lambda: waiting() == 0 or not agent.is_alive, 600, 0.05):
        print(f"{waiting()} still wait")
        return False
    wall, cpu, (now, most) = time.monotonic() - began, agent.cpu() - before, agent.resident()
    lost = agent.lost_in_all()
    agent.stop()
    print(f"{options.lines} samples of {options.series} series by remote write {options.version}: {receiver.requests} requests, "
          f"{receiver.bytes / options.lines:.1f} bytes a sample, lost {lost}; {cpu:.2f} CPU seconds in {wall:.1f} s: "
          f"{options.lines / cpu:,.0f} samples per CPU second; RSS {now:.1f} MiB, {most:.1f} at most", flush=True)
    return lost == 0


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", default=os.path.join(ROOT, ".build/release"), help="where sonded and the plugins are")
    parser.add_argument("--lines", type=int, default=5_000_000)
    parser.add_argument("--series", type=int, default=300)
    parser.add_argument("--version", default="2")
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    base = tempfile.mkdtemp(prefix="sonde-drain-")
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
