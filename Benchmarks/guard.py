#!/usr/bin/env python3
"""Compares what a staged agent holds and does with `guard.json`: `guard.py [--update] [DIST]`; exits with 1 where a figure is 10 % above.

Agents of the same work run at once, at an interval of a second, in a network namespace with one uplink, so that the host's own
interfaces do not count: procnet to a file, the same with state, and to HTTP with state. For a minute: anonymous memory
(`Anonymous` of smaps_rollup), resident memory and the highest that it ever was, in kB, and the bytes of requests, heads included.
Files are evicted from the page cache before: how they came into it decides how much of them is mapped. Then what a collection and
its delivery cost: instructions in user space, in thousands, under callgrind, and system calls, under strace; each is the difference of two
agents of which one lives longer, over that of their collections. It is no processor time, which differs by 40 % between machines, and by
20 % between runs on one.
"""

import argparse
import http.server
import itertools
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
BASELINE = os.path.join(HERE, "guard.json")
TOLERANCE = 0.10
AGENTS = ("file", "file with state", "http with state")
BYTES = "http with state: bytes a second"
SECONDS = 60
# Swift's dictionaries would else be ordered anew in each run.
ENVIRONMENT = {**os.environ, "SWIFT_DETERMINISTIC_HASHING": "1"}
# How long the agents live whose work is counted.
LIVES = (20, 80)
# What runs an agent and writes into the file `counts` of its folder what it did.
COUNTERS = {
    "thousand instructions": (["valgrind", "--tool=callgrind", "--trace-children=yes", "--callgrind-out-file=/dev/null", "--log-file=counts"],
                              r"Collected : (\d+)", 1000),
    "system calls": (["strace", "--follow-forks", "--summary-only", "--output=counts"], r"100\.00 +\S+ +\S+ +(\d+)", 1),
}


class Receiver(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    sizes = []

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        self.sizes.append(len(self.requestline) + len(str(self.headers)) + len(body))
        self.send_response(204)
        self.send_header("content-length", "0")
        self.end_headers()

    def log_message(self, *arguments):
        pass


def evict(tree):
    for folder, _, names in os.walk(tree):
        for path in (os.path.join(folder, name) for name in names):
            if os.path.islink(path):
                continue
            descriptor = os.open(path, os.O_RDONLY)
            os.fsync(descriptor)
            os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_DONTNEED)
            os.close(descriptor)


def start(dist, agent, folder, port, counter=()):
    """An agent of the work that its name says."""
    os.mkdir(folder)
    state = f", state_dir: {folder}/state" if "state" in agent else ""
    sink = (f"{{ id: out, plugin: http, url: 'http://127.0.0.1:{port}/', format: json }}" if "http" in agent
            else f"{{ id: out, plugin: file, path: {folder}/out.jsonl }}")
    with open(f"{folder}/sonde.yaml", "w") as file:
        file.write(f"version: 1\nagent: {{ interval: 1s, control_socket: {folder}/control{state} }}\n"
                   f"sources: [{{ id: kernel, plugin: procnet }}]\nsinks: [{sink}]\n")
    return subprocess.Popen([*counter, f"{dist}/bin/sonde", "run", "--config", f"{folder}/sonde.yaml"], cwd=folder,
                            stderr=subprocess.DEVNULL, start_new_session=True, env=ENVIRONMENT if counter else None)


def figures(process):
    def field(file, name):
        with open(f"/proc/{process.pid}/{file}") as text:
            return int(re.search(rf"^{name}:\s+(\d+) kB", text.read(), re.MULTILINE).group(1))

    return {"anonymous": field("smaps_rollup", "Anonymous"), "resident": field("status", "VmRSS"),
            "highest": field("status", "VmHWM")}


def connect():
    for command in (["link", "set", "lo", "up"], ["link", "add", "uplink", "type", "veth", "peer", "name", "beyond"],
                    ["address", "add", "192.0.2.1/24", "dev", "uplink"], ["link", "set", "uplink", "up"],
                    ["link", "set", "beyond", "up"]):
        subprocess.run(["ip", *command], check=True)


def held(dist, port):
    """Memory and bytes of requests."""
    evict(dist)
    agents = {}
    with tempfile.TemporaryDirectory() as work:
        try:
            for place, agent in enumerate(AGENTS):
                agents[agent] = start(dist, agent, f"{work}/{place}", port)
            time.sleep(10)
            Receiver.sizes.clear()
            time.sleep(SECONDS - 10)
            sizes = sum(Receiver.sizes)
            found = {f"{agent}: {name}": value for agent in AGENTS for name, value in figures(agents[agent]).items()}
            return {**found, BYTES: round(sizes / (SECONDS - 10))}
        finally:
            stop(agents.values())


def done(dist, port):
    """What a collection and its delivery cost."""
    with tempfile.TemporaryDirectory() as work:
        lives = {key: f"{work}/{place}" for place, key in enumerate(itertools.product(AGENTS, COUNTERS, LIVES))}
        agents, collections, began = {}, {}, time.monotonic()
        try:
            for (agent, name, life), folder in lives.items():
                agents[agent, name, life] = start(dist, agent, folder, port, COUNTERS[name][0])
            for life in LIVES:
                time.sleep(began + life - time.monotonic())
                ended = [key for key in lives if key[2] == life]
                collections.update({key: collected(dist, lives[key]) for key in ended})
                stop(agents.pop(key) for key in ended)
        finally:
            stop(agents.values())
        found = {}
        for agent in AGENTS:
            for name, (_, pattern, unit) in COUNTERS.items():
                counts = []
                for life in LIVES:
                    with open(f"{lives[agent, name, life]}/counts") as file:
                        counts.append(int(re.search(pattern, file.read()).group(1)))
                more = collections[agent, name, LIVES[1]] - collections[agent, name, LIVES[0]]
                found[f"{agent}: {name} a collection"] = round((counts[1] - counts[0]) / more / unit)
        return found


def collected(dist, folder):
    """How many collections an agent has made."""
    status = subprocess.run([f"{dist}/bin/sonde", "status", "--socket", f"{folder}/control", "--format", "json"],
                            check=True, capture_output=True, text=True)
    return json.loads(status.stdout)["sources"][0]["collections"]


def stop(agents):
    agents = list(agents)
    for agent in agents:
        # The group: strace blocks the signal and ends with its agent.
        os.killpg(agent.pid, signal.SIGTERM)
    for agent in agents:
        agent.wait()


def above(found, baseline):
    """What is more than its baseline allows, or has none."""
    return [name for name, value in found.items() if value > baseline.get(name, 0) * (1 + TOLERANCE)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--update", action="store_true", help="writes the baseline anew")
    parser.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("dist", nargs="?", type=os.path.abspath, default=os.path.join(os.path.dirname(HERE), "dist"))
    options = parser.parse_args()
    if not options.inside:
        user = [] if os.geteuid() == 0 else ["--map-root-user"]
        os.execvp("unshare", ["unshare", "--net", *user, sys.executable, "-B", os.path.abspath(__file__), "--inside", *sys.argv[1:]])
    for tool in ("valgrind", "strace"):
        if not shutil.which(tool):
            sys.exit(f"guard.py: {tool} is missing")
    with open(BASELINE) as file:
        baseline = json.load(file)
    connect()
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Receiver)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    found = held(options.dist, server.server_address[1])
    for _ in range(2):
        if options.update or BYTES not in above(found, baseline):
            break
        # Others on the machine change series of the whole host, which adds to the bytes and to nothing else.
        print(f"again: {BYTES}", flush=True)
        found[BYTES] = min(found[BYTES], held(options.dist, server.server_address[1])[BYTES])
    found.update(done(options.dist, server.server_address[1]))
    for name, value in found.items():
        before = baseline.get(name)
        print(f"{name:52} {value:7} " + (f"{before:7} {100 * (value / before - 1):+6.1f} %" if before else "    new"))
    if options.update:
        with open(BASELINE, "w") as file:
            json.dump(found, file, indent=2)
            file.write("\n")
    elif above(found, baseline):
        sys.exit(f"more than {100 * TOLERANCE:.0f} % above the baseline, or not in it: {', '.join(above(found, baseline))}")


if __name__ == "__main__":
    main()
