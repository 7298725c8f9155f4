"""A steady rate of samples into a local VictoriaMetrics by remote write: nothing lost, the agent's CPU and memory.

  Benchmarks/throughput/sustain.sh [--rate N] [--series N] [--seconds N]
A feeder appends the lines of each second to a file that the agent follows; at the end the server's own count is compared.
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


def feed(path, rate, series, seconds, state):
    """Appends `rate` lines a second; each second has the next `rate` of the series in turn."""
    names = [f"bench.bytes,interface=eth{number} " for number in range(series)]
    began, number = time.time(), 0
    with open(path, "a", buffering=1 << 20) as file:
        for second in range(seconds):
            while (wait := began + second - time.time()) > 0:
                time.sleep(min(wait, 0.1))
            stamp = int(time.time())
            file.write("".join(f"{names[(number + index) % series]}{number + index} {stamp}\n" for index in range(rate)))
            file.flush()
            number += rate
            state["written"] = number


def stored(url):
    """How many samples the server has."""
    total = 0
    for digit in range(10):
        query = f'sum(count_over_time({{__name__="bench_bytes",interface=~"eth{digit}.*"}}[1h]))'
        text = urllib.request.urlopen(f"{url}/api/v1/query?" + urllib.parse.urlencode({"query": query}), timeout=120).read()
        result = json.loads(text)["data"]["result"]
        total += int(float(result[0]["value"][1])) if result else 0
    return total


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", default=os.path.join(ROOT, ".build/release"), help="where sonded and the plugins are")
    parser.add_argument("--rate", type=int, default=100_000)
    parser.add_argument("--series", type=int, default=100_000)
    parser.add_argument("--seconds", type=int, default=600)
    options = parser.parse_args()
    base = tempfile.mkdtemp(prefix="sonde-sustain-")
    os.chmod(base, 0o755)
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    url = f"http://127.0.0.1:{port}"
    server = subprocess.Popen([SERVER, f"-storageDataPath={base}/data", f"-httpListenAddr=127.0.0.1:{port}",
                               "-search.latencyOffset=0s", "-search.maxUniqueTimeseries=2000000",
                               "-search.maxQueryDuration=2m"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    agent = None
    try:
        build = Build(options.build, base)
        build.compile(os.path.join(ROOT, "Benchmarks/throughput/lines.c"))
        path = os.path.join(base, "lines")
        open(path, "w").close()
        agent = SustainedAgent(build, os.path.join(base, "agent"), f"{url}/api/v1/write", path, 1)
        agent.start()
        state = {"written": 0}
        feeder = threading.Thread(target=feed, args=(path, options.rate, options.series, options.seconds, state))
        feeder.start()
        time.sleep(options.seconds / 6)
        first, began, before = agent.resident()[0], time.monotonic(), agent.cpu()
        feeder.join()
        wall, cpu, (last, most) = time.monotonic() - began, agent.cpu() - before, agent.resident()
        queue = ((agent.status() or {}).get("sinks") or [{}])[0].get("queue", {}).get("points", -1)
        eventually(lambda: stored(url) >= state["written"] or not agent.is_alive, 120, 2)
        count, lost = stored(url), agent.losses()
        agent.stop()
        print(f"{state['written']} samples at {options.rate}/s of {options.series} series; stored {count}, ledger {lost}; "
              f"{100 * cpu / wall:.1f} % of a core, {state['written'] * (options.seconds - options.seconds / 6) / options.seconds / cpu:,.0f} "
              f"samples per CPU second; queue at the end {queue}; RSS {first:.1f} MiB after a sixth, {last:.1f} at the end, "
              f"{most:.1f} at most", flush=True)
        return 0 if count == state["written"] and not lost and cpu < wall and last < first * 1.05 else 1
    finally:
        if agent and agent.is_alive:
            agent.kill()
        server.kill()
        server.wait()
        shutil.rmtree(base, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
