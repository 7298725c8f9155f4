#!/usr/bin/env python3
"""Compares what a staged agent holds with `guard.json`: `guard.py [--update] [--seconds N] [DIST]`; exits with 1 where a figure is 10 % above.

Agents of the same work run at once for a minute, at an interval of a second, in a network namespace with one uplink, so that the
host's own interfaces do not count: procnet to a file, the same with state, and to HTTP with state. What is measured is
anonymous memory (`Anonymous` of smaps_rollup), resident memory and the highest that it ever was, in kB; the bytes of requests, heads
included; and processor time, in hundredths of what a C program takes beside them that reads the same six files each second: of each,
the quarter of the seconds that took least, since others on the machine only add. Files are evicted from the page cache before: how they
came into it decides how much of them is mapped.
"""

import argparse
import http.server
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
BASELINE = os.path.join(HERE, "guard.json")
TOLERANCE = 0.10
AGENTS = ("file", "file with state", "http with state")
FILES = [f"/proc/net/{name}" for name in ("dev", "snmp", "snmp6", "netstat", "sockstat", "sockstat6")]


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


def start(dist, agent, folder, port):
    """An agent of the work that its name says."""
    os.mkdir(folder)
    state = f", state_dir: {folder}/state" if "state" in agent else ""
    sink = (f"{{ id: out, plugin: http, url: 'http://127.0.0.1:{port}/', format: json }}" if "http" in agent
            else f"{{ id: out, plugin: file, path: {folder}/out.jsonl }}")
    with open(f"{folder}/sonde.yaml", "w") as file:
        file.write(f"version: 1\nagent: {{ interval: 1s, control_socket: {folder}/control{state} }}\n"
                   f"sources: [{{ id: kernel, plugin: procnet }}]\nsinks: [{sink}]\n")
    return subprocess.Popen([f"{dist}/bin/sonde", "run", "--config", f"{folder}/sonde.yaml"], stderr=subprocess.DEVNULL)


def figures(process):
    def field(file, name):
        with open(f"/proc/{process.pid}/{file}") as text:
            return int(re.search(rf"^{name}:\s+(\d+) kB", text.read(), re.MULTILINE).group(1))

    return {"anonymous": field("smaps_rollup", "Anonymous"), "resident": field("status", "VmRSS"),
            "highest": field("status", "VmHWM")}


def spent(process):
    """Nanoseconds that all threads of a process have run (sched-stats.rst)."""
    total = 0
    for thread in os.listdir(f"/proc/{process.pid}/task"):
        with open(f"/proc/{process.pid}/task/{thread}/schedstat") as text:
            total += int(text.read().split()[0])
    return total


def least(process, times):
    """The processor time of a second, of the quarter of them that took least."""
    spans = sorted(later - earlier for earlier, later in zip(times[process], times[process][1:]))
    return statistics.mean(spans[:max(1, len(spans) // 4)])


def yardstick(folder):
    program = f"{folder}/readproc"
    subprocess.run(["cc", "-O2", "-o", program, os.path.join(HERE, "yardsticks/readproc.c")], check=True)
    return subprocess.Popen([program, "1000000", "65536", *FILES], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                            env={**os.environ, "SLEEP_US": "1000000"})


def measure(dist, seconds):
    # Of the measurement before, if this one is its repetition.
    subprocess.run(["ip", "link", "delete", "uplink"], stderr=subprocess.DEVNULL, check=False)
    for command in (["link", "set", "lo", "up"], ["link", "add", "uplink", "type", "veth", "peer", "name", "beyond"],
                    ["address", "add", "192.0.2.1/24", "dev", "uplink"], ["link", "set", "uplink", "up"],
                    ["link", "set", "beyond", "up"]):
        subprocess.run(["ip", *command], check=True)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Receiver)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    evict(dist)
    agents = {}
    with tempfile.TemporaryDirectory() as work:
        try:
            for place, agent in enumerate(AGENTS):
                agents[agent] = start(dist, agent, f"{work}/{place}", server.server_address[1])
            reader = agents["reader"] = yardstick(work)
            time.sleep(10)
            Receiver.sizes.clear()
            times = {process: [spent(process)] for process in agents.values()}
            for _ in range(seconds - 10):
                time.sleep(1)
                for process in agents.values():
                    times[process].append(spent(process))
            found = {}
            for agent in AGENTS:
                found.update({f"{agent}: {name}": value for name, value in figures(agents[agent]).items()})
                found[f"{agent}: processor time"] = round(100 * least(agents[agent], times) / least(reader, times))
            found["http with state: bytes a second"] = round(sum(Receiver.sizes) / (seconds - 10))
            return found
        finally:
            for process in agents.values():
                process.terminate()
            for process in agents.values():
                process.wait()


def above(found, baseline):
    """What is more than its baseline allows, or has none."""
    return [name for name, value in found.items() if value > baseline.get(name, 0) * (1 + TOLERANCE)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--update", action="store_true", help="writes the baseline anew")
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("dist", nargs="?", default=os.path.join(os.path.dirname(HERE), "dist"))
    options = parser.parse_args()
    if not options.inside:
        user = [] if os.geteuid() == 0 else ["--map-root-user"]
        os.execvp("unshare", ["unshare", "--net", *user, sys.executable, "-B", os.path.abspath(__file__), "--inside", *sys.argv[1:]])
    with open(BASELINE) as file:
        baseline = json.load(file)
    found = measure(options.dist, options.seconds)
    for _ in range(2):
        # Others on the machine add to processor time, and to nothing else.
        noisy = [name for name in above(found, baseline) if name.endswith("processor time")]
        if options.update or not noisy:
            break
        print(f"again: {', '.join(noisy)}", flush=True)
        again = measure(options.dist, options.seconds)
        found.update({name: min(found[name], again[name]) for name in noisy})
    for name, value in found.items():
        before = baseline.get(name)
        print(f"{name:36} {value:7} " + (f"{before:7} {100 * (value / before - 1):+6.1f} %" if before else "    new"))
    if options.update:
        with open(BASELINE, "w") as file:
            json.dump(found, file, indent=2)
            file.write("\n")
    elif above(found, baseline):
        sys.exit(f"more than {100 * TOLERANCE:.0f} % above the baseline, or not in it: {', '.join(above(found, baseline))}")


if __name__ == "__main__":
    main()
