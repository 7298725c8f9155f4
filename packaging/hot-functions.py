#!/usr/bin/env python3
"""Writes hot-functions.txt anew: the functions that an agent really calls, which the linker puts beside each other.

usage: hot-functions.py PROGRAM      PROGRAM: sonded with its symbols, from a release build; root, valgrind

The kernel maps a program's file in blocks of 64 KiB. Where the fifth of it that runs is spread over all blocks, all of them are
resident. First comes what each collection calls, then what a start calls, then what other sources and sinks call. A
function that has another name today is put where the linker likes: nothing breaks, the list only saves less.
"""

import http.server
import os
import re
import subprocess
import sys
import tempfile
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
LIST = os.path.join(HERE, "hot-functions.txt")
# Sources and sinks of an agent with a state directory; the first two are what most hosts run.
AGENTS = [
    ("{ id: kernel, plugin: procnet }", "{ id: out, plugin: http, url: 'http://127.0.0.1:PORT/' }"),
    ("{ id: kernel, plugin: procnet }", "{ id: out, plugin: file, path: FOLDER/lines }"),
    ("{ id: kernel, plugin: procnet }",
     "{ id: out, plugin: http, format: prometheus_remote_write, url: 'http://127.0.0.1:PORT/' }, { id: page, plugin: scrape }"),
    ("{ id: packets, plugin: pcap, interface: lo, isolation: in_process, sandbox: off }, { id: names, plugin: dnslog, path: FOLDER/names.log, format: dnsmasq }",
     "{ id: out, plugin: http, format: otlp, url: 'http://127.0.0.1:PORT/' }"),
]


class Receiver(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        self.rfile.read(int(self.headers.get("content-length", 0)))
        self.send_response(204)
        self.send_header("content-length", "0")
        self.end_headers()

    def log_message(self, *arguments):
        pass


def functions(path):
    """The names in a profile of callgrind."""
    with open(path) as file:
        return {re.sub(r"'\d+$", "", name) for name in re.findall(r"^c?fn=\(\d+\) (\S+)", file.read(), re.MULTILINE)}


def profile(program, folder, sources, sinks, port):
    """What a start calls, and what the collections after it call."""
    with open(f"{folder}/names.log", "w") as log:
        log.write("Nov 26 10:00:00 dnsmasq[1]: 1 192.0.2.1/40000 query[A] example.org from 192.0.2.1\n" * 100)
    with open(f"{folder}/sonde.yaml", "w") as file:
        file.write(f"version: 1\nagent: {{ interval: 1s, state_dir: {folder}/state, control_socket: {folder}/control }}\n"
                   f"sources: [{sources}]\nsinks: [{sinks}]\n".replace("FOLDER", folder).replace("PORT", str(port)))
    profiles = f"{folder}/profile"
    agent = subprocess.Popen(
        ["valgrind", "--tool=callgrind", "--trace-children=yes", "--demangle=no", f"--callgrind-out-file={profiles}.%p",
         program, "run", "--config", f"{folder}/sonde.yaml", "--quiet"], cwd=folder, stderr=subprocess.DEVNULL)
    time.sleep(20)
    subprocess.run(["callgrind_control", "--dump=start", str(agent.pid)], stdout=subprocess.DEVNULL)
    with open(f"{folder}/names.log", "a") as log:
        log.write("Nov 26 10:00:09 dnsmasq[1]: 2 192.0.2.1/40001 reply example.org is 192.0.2.7\n" * 100)
    time.sleep(20)
    agent.terminate()
    if agent.wait() != 0:
        sys.exit(f"an agent with {sources} and {sinks} has failed")
    started, later = set(), set()
    for name in os.listdir(folder):
        if name.startswith("profile."):
            (started if name.endswith(".1") else later).update(functions(f"{folder}/{name}"))
    return started, later


def main():
    os.environ.get("INSIDE") or os.execvpe(
        "unshare", ["unshare", "--net", "sh", "-c", "ip link set lo up; ip link add up0 type veth peer name far; ip link set up0 up;"
                    " ip link set far up; ip address add 192.0.2.2/24 dev up0; exec \"$@\"", "sh", sys.executable, "-B",
                    *sys.argv], {**os.environ, "INSIDE": "1"})
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Receiver)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with tempfile.TemporaryDirectory() as folder:
        program = f"{folder}/sonded"
        # valgrind does not take all of the debugging information.
        subprocess.run(["strip", "-g", "-o", program, sys.argv[1]], check=True)
        known = {line.split()[-1] for line in subprocess.run(
            ["nm", program], check=True, capture_output=True, text=True).stdout.splitlines() if line.split()[-2] in "tTwW"}
        groups = []
        for place, (sources, sinks) in enumerate(AGENTS):
            work = f"{folder}/{place}"
            os.mkdir(work)
            started, later = profile(program, work, sources, sinks, server.server_address[1])
            print(f"{sources} -> {sinks}: {len(started & known)} of a start, {len(later & known)} later", flush=True)
            groups.append((later, started))
    usual, others = groups[:2], groups[2:]
    order = [later for later, _ in usual] + [started for _, started in usual] + [names for group in others for names in group]
    written = {}
    for names in order:
        written.update(dict.fromkeys(sorted(names & known)))
    with open(LIST, "w") as file:
        file.writelines(f"{name}\n" for name in written)
    print(f"{len(written)} functions")


main()
