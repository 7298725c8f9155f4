#!/usr/bin/env python3
"""What scrapes cost: processor time and memory of the agent for a page of 1,000 series, node_exporter beside it in the same
minute, and how late collections begin while ten scrapers ask once a second.

usage: run.py [STAGED]      STAGED: the staged tree, dist by default"""

import gzip
import os
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request

STAGED = os.path.abspath(sys.argv[1] if len(sys.argv) > 1 else "dist")
PORT, LAG, PEER = 19469, 19468, 19100
SCRAPES = 300
TICKS = os.sysconf("SC_CLK_TCK")


def cpu(pid):
    """Seconds of processor time, to a nanosecond: the sum over the threads."""
    total = 0
    for task in os.listdir(f"/proc/{pid}/task"):
        try:
            total += int(open(f"/proc/{pid}/task/{task}/schedstat").read().split()[0])
        except FileNotFoundError:
            pass
    return total / 1e9


def memory(pid):
    """Anonymous kilobytes."""
    for line in open(f"/proc/{pid}/smaps_rollup"):
        if line.startswith("Anonymous:"):
            return int(line.split()[1])


# A filter of the client's own is made anew each time: without it, all but the first scrape after a batch get what is there.
EACH = "?name[]=*"


def scrape(port, query="", accept="application/openmetrics-text;version=1.0.0,text/plain;version=0.0.4;q=0.5"):
    request = urllib.request.Request(
        f"http://127.0.0.1:{port}/metrics{query}", headers={"Accept-Encoding": "gzip", "Accept": accept})
    body = urllib.request.urlopen(request, timeout=10).read()
    return len(body), len(gzip.decompress(body).splitlines())


def daemon(directory):
    """The agent's process: `sonde run` becomes `sonded`."""
    config = f"{directory}/sonde.yaml"
    with open(f"{directory}/series.py", "w") as out:
        out.write("import json\nfor n in range(1000):\n    print(json.dumps({'name': 'bench.value', 'kind': 'gauge',"
                  " 'value': n, 'attributes': {'number': str(n), 'site': 'fra1', 'role': 'web'}}))\n")
    with open(config, "w") as out:
        out.write(f"""version: 1
agent: {{ interval: 1s, control_socket: {directory}/sonde.sock }}
sources:
  - {{ id: kernel, plugin: procnet }}
  - {{ id: bench, plugin: exec, interval: 10s, command: [{sys.executable}, {directory}/series.py] }}
sinks:
  - {{ id: scrape, plugin: scrape, listen: "127.0.0.1:{PORT}", metrics: {{ include: ["bench.*"] }} }}
  - {{ id: lag, plugin: scrape, listen: "127.0.0.1:{LAG}", metrics: {{ include: ["sonde.agent.schedule.lag"] }} }}
""")
    return subprocess.Popen([f"{STAGED}/bin/sonde", "run", "-c", config], stderr=open(f"{directory}/log", "w"))


def cost(pid, port, query=""):
    """Microseconds of processor time per scrape, and kilobytes more than before."""
    for _ in range(5):
        scrape(port, query)
    before, held, peak = cpu(pid), memory(pid), 0
    idle_begin = time.monotonic()
    for number in range(SCRAPES):
        size, lines = scrape(port, query)
        if number % 10 == 0:
            peak = max(peak, memory(pid))
    elapsed = time.monotonic() - idle_begin
    used = cpu(pid) - before
    idle = cpu(pid)
    time.sleep(max(2, elapsed))
    # What it does anyway in as much time.
    used -= (cpu(pid) - idle) * elapsed / max(2, elapsed)
    return used / SCRAPES * 1e6, peak - held, size, lines


def lags(seconds):
    """How late collections began in as many intervals of a second, in milliseconds."""
    found = []
    for _ in range(seconds):
        time.sleep(1)
        page = urllib.request.urlopen(f"http://127.0.0.1:{LAG}/metrics", timeout=10).read().decode()
        found += [float(line.split()[1]) * 1000 for line in page.splitlines() if line.startswith("sonde_agent_schedule_lag")]
    return found


def main():
    with tempfile.TemporaryDirectory() as directory:
        agent = daemon(directory)
        peer = subprocess.Popen(
            ["prometheus-node-exporter", f"--web.listen-address=127.0.0.1:{PEER}"], stderr=subprocess.DEVNULL)
        try:
            time.sleep(12)
            subjects = [("sonde, made anew", agent, PORT, EACH), ("sonde, kept", agent, PORT, ""),
                        ("node_exporter", peer, PEER, "")]
            for name, process, port, query in subjects * 2:
                used, more, size, lines = cost(process.pid, port, query)
                print(f"{name}: {used:.0f} us of CPU per scrape, {more} KB more while scraped, {size} bytes packed,"
                      f" {lines} lines")
            quiet = lags(30)
            end = time.monotonic() + 30

            def scraper():
                while time.monotonic() < end:
                    scrape(PORT)
                    time.sleep(1)

            threads = [threading.Thread(target=scraper) for _ in range(10)]
            for thread in threads:
                thread.start()
            busy = lags(28)
            for thread in threads:
                thread.join()
            print(f"latest beginning of a collection: {max(quiet):.2f} ms without scrapers, {max(busy):.2f} ms with ten at"
                  f" 1 s ({len(quiet)} and {len(busy)} collections)")
        finally:
            for process in (agent, peer):
                process.terminate()
                process.wait()


main()
