#!/usr/bin/env python3
"""Series of the level core, and bytes a minute by remote write, of a quiet host with one uplink: a network namespace with a veth
pair, the agent in it with its defaults. Fails above the bounds.

usage: core.py [STAGED] [MINUTES]      as root; STAGED: the staged tree, dist by default"""

import os
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from measure import Counter

SERIES = 150
# At an interval of 10 s, a wait of 1 s is a request per interval, and two more that say how the agent is: 15,986 bytes measured.
BOUNDS = {"1s": 16_384, "60s": 5_000}
SETUP = ("ip link set lo up; ip link add up0 type veth peer name far; ip link set up0 up; ip link set far up;"
         " ip address add 192.0.2.2/24 dev up0; ip route add default via 192.0.2.1")


def measure(staged, wait, minutes, directory):
    counter = Counter()
    config = f"{directory}/sonde.yaml"
    with open(config, "w") as out:
        out.write(f"""version: 1
agent: {{ interval: 10s, state_dir: {directory}/state, control_socket: {directory}/sonde.sock }}
sources: [{{ id: kernel, plugin: procnet }}]
sinks:
  - {{ id: central, plugin: http, format: prometheus_remote_write, url: "{counter.url}", batch: {{ wait: {wait} }} }}
""")
    plugins = ["--plugin-dir", os.environ["PLUGINS"]] if "PLUGINS" in os.environ else []
    agent = subprocess.Popen([f"{staged}/sonde" if plugins else f"{staged}/bin/sonde", "run", "-c", config] + plugins,
                             stderr=open(f"{directory}/log", "w"))
    try:
        # What is sent once: names, and their meanings.
        time.sleep(130)
        counter.counting = True
        time.sleep(60 * minutes)
        counter.counting = False
        return counter.bytes / minutes, len(counter.series), counter.requests / minutes
    finally:
        agent.send_signal(signal.SIGTERM)
        agent.wait()


def main():
    if os.environ.get("INSIDE") != "1":
        command = ["unshare", "--net", "sh", "-c", SETUP + '; exec "$@"', "sh", sys.executable, *sys.argv]
        sys.exit(subprocess.call(command, env={**os.environ, "INSIDE": "1"}))
    staged = os.path.abspath(sys.argv[1] if len(sys.argv) > 1 else "dist")
    minutes = int(sys.argv[2]) if len(sys.argv) > 2 else 5
    failed = False
    for wait, bound in BOUNDS.items():
        with tempfile.TemporaryDirectory() as directory:
            size, series, requests = measure(staged, wait, minutes, directory)
        print(f"batch.wait {wait}: {series} series, {size:.0f} bytes a minute in {requests:.1f} requests")
        failed |= size > bound or series > SERIES
    sys.exit(failed)


main()
