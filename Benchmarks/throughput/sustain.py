"""A steady rate of samples into a local VictoriaMetrics by remote write: nothing lost, the agent's CPU and memory.

  Benchmarks/throughput/sustain.sh [--rate N] [--series N] [--seconds N] [--version 1|2]
A feeder appends the lines of each second to a file that the agent follows; at the end the server's own count is compared.
Fails where a sample is missing, lost or rejected, the agent takes more than a core, or its memory grows by more than 5 %.
"""

import argparse
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse
import urllib.request

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path[:0] = [os.path.join(ROOT, "Tests/Faults"), os.path.dirname(os.path.abspath(__file__))]

from agent import eventually
from measure import LinesAgent
from run import Build

SERVER = os.path.join(os.environ.get("SONDE_SERVERS", os.path.expanduser("~/.cache/sonde/servers")),
                      "programs/usr/bin/victoria-metrics")


class Address:
    """What an agent asks of a receiver: its URL."""

    def __init__(self, url):
        self.url = url


class SustainedAgent(LinesAgent):
    def __init__(self, build, directory, url, path, version):
        super().__init__(build, directory, Address(url), path, 5000)
        self.options.update(sink=f"    format: prometheus_remote_write\n    version: {version}\n", timeout="10s",
                            batch="{ samples: 20000, bytes: 8MiB, wait: 1s }", spool="max_bytes: 1GiB")

    def sources(self):
        return super().sources().replace(" }\n", ", series_limit: 1000000 }\n")


class Feeder(threading.Thread):
    """Appends `rate` lines a second, of the series in turn.

    Each series has one sample a second of its own time, whatever its rate: a receiver takes one for each millisecond."""

    def __init__(self, path, rate, series, seconds):
        super().__init__(daemon=True)
        self.path, self.rate, self.seconds = path, rate, seconds
        self.names = [f"bench.bytes,interface=eth{number} " for number in range(series)]
        self.begin = int(time.time()) - max(0, rate * seconds // series - seconds)
        self.written = 0

    def run(self):
        count, began = len(self.names), time.time()
        with open(self.path, "a", buffering=1 << 20) as file:
            for second in range(self.seconds):
                while (wait := began + second - time.time()) > 0:
                    time.sleep(min(wait, 0.1))
                rows = range(self.written, self.written + self.rate)
                file.write("".join(f"{self.names[row % count]}{row} {self.begin + row // count}\n" for row in rows))
                file.flush()
                self.written += self.rate


def start_server(base, port):
    """A VictoriaMetrics that answers; storage of an earlier run is not there."""
    server = subprocess.Popen([SERVER, f"-storageDataPath={base}/data", f"-httpListenAddr=127.0.0.1:{port}",
                               "-search.latencyOffset=0s", "-search.maxUniqueTimeseries=2000000",
                               "-search.maxQueryDuration=2m"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def answers():
        try:
            return urllib.request.urlopen(f"http://127.0.0.1:{port}/health", timeout=5).status == 200
        except OSError:
            return False

    if not eventually(answers, 60, 0.1):
        sys.exit("the server does not answer")
    return server


def stored(url, since):
    """How many samples the server has."""
    total = 0
    for digit in range(10):
        selector = f'{{__name__="bench_bytes",interface=~"eth{digit}.*"}}'
        query = f"sum(count_over_time({selector}[{int(time.time()) - since + 600}s]))"
        text = urllib.request.urlopen(f"{url}/api/v1/query?" + urllib.parse.urlencode({"query": query}), timeout=120).read()
        result = json.loads(text)["data"]["result"]
        total += int(float(result[0]["value"][1])) if result else 0
    return total


def sink(agent):
    """The status of the agent's sink."""
    return ((agent.status() or {}).get("sinks") or [{}])[0]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", default=os.path.join(ROOT, ".build/release"), help="where sonded and the plugins are")
    parser.add_argument("--rate", type=int, default=100_000)
    parser.add_argument("--series", type=int, default=100_000)
    parser.add_argument("--seconds", type=int, default=600)
    parser.add_argument("--version", type=int, default=1)
    options = parser.parse_args()
    base = tempfile.mkdtemp(prefix="sonde-sustain-")
    os.chmod(base, 0o755)
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    url = f"http://127.0.0.1:{port}"
    server = start_server(base, port)
    agent = None
    try:
        build = Build(options.build, base)
        build.compile(os.path.join(ROOT, "Benchmarks/throughput/lines.c"))
        path = os.path.join(base, "lines")
        open(path, "w").close()
        agent = SustainedAgent(build, os.path.join(base, "agent"), f"{url}/api/v1/write", path, options.version)
        agent.start()
        feeder = Feeder(path, options.rate, options.series, options.seconds)
        feeder.start()
        time.sleep(options.seconds / 6)
        first, began, before, fed = agent.resident()[0], time.monotonic(), agent.cpu(), feeder.written
        feeder.join()
        # The last second's lines too: what waits then is what the receiver was too slow for.
        time.sleep(2)
        wall, cpu, (last, most) = time.monotonic() - began, agent.cpu() - before, agent.resident()
        queue = sink(agent).get("queue", {}).get("points", -1)
        eventually(lambda: stored(url, feeder.begin) >= feeder.written or not agent.is_alive, 120, 2)
        count, lost, figures = stored(url, feeder.begin), agent.losses(), sink(agent)
        agent.stop()
        failures = agent.text().count("error[")
        if failures:
            print(agent.text()[-2000:])
        print(f"{feeder.written} samples at {options.rate}/s of {options.series} series; stored {count}, ledger {lost}, "
              f"{figures.get('rejected', 0)} rejected, {failures} failures; {100 * cpu / wall:.1f} % of a core, "
              f"{(feeder.written - fed) / cpu:,.0f} samples per CPU second; queue at the end {queue}; RSS {first:.1f} MiB after a "
              f"sixth, {last:.1f} at the end, {most:.1f} at most", flush=True)
        return 0 if count == feeder.written and not lost and cpu < wall and last < first * 1.05 else 1
    finally:
        if agent and agent.is_alive:
            agent.kill()
        server.kill()
        server.wait()
        shutil.rmtree(base, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
