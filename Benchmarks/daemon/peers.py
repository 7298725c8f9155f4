#!/usr/bin/env python3
"""Processor time and memory of agents that measure the same quiet host in the same minutes and send to HTTP on loopback: ours with its
defaults, without looks between collections and with a file sink; collectd, netdata and node_exporter, where they are installed; and
a C program that only reads the files. All of them are in one network namespace with one idle uplink, a veth pair.

usage: peers.py [INTERVAL] [STRETCHES] [SECONDS] [STAGED]      as root; 10 s, 12 stretches of 50 s and dist by default

Fails where ours is above its share of collectd's processor time, or its memory above its bounds. Processor time is the sum over all
threads and children by the scheduler's own count, the median of the stretches; memory is read at the end."""

import asyncio
import os
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request

HERE = os.path.dirname(os.path.abspath(__file__))
SETUP = ("ip link set lo up; ip link add up0 type veth peer name far; ip link set up0 up; ip link set far up;"
         " ip address add 192.0.2.2/24 dev up0; ip route add default via 192.0.2.1")
FILES = [f"/proc/net/{name}" for name in ("dev", "snmp", "snmp6", "netstat", "sockstat", "sockstat6")]
# By the interval in seconds: the most of collectd's processor time that ours may take.
SHARES = {10: 0.5, 1: 0.33}
# MB: anonymous, resident, and resident at most.
MEMORY = {"sonde": (2.5, 16, 20), "sonde, file": (2.5, 10, 16)}


class Receiver(asyncio.Protocol):
    """Accepts whatever comes."""

    def connection_made(self, transport):
        self.transport, self.buffer, self.left = transport, b"", 0

    def data_received(self, data):
        self.buffer += data
        while self.buffer:
            if self.left:
                taken = min(self.left, len(self.buffer))
                self.buffer, self.left = self.buffer[taken:], self.left - taken
                if not self.left:
                    self.transport.write(b"HTTP/1.1 204 No Content\r\n\r\n")
                continue
            head, found, rest = self.buffer.partition(b"\r\n\r\n")
            if not found:
                return
            self.buffer = rest
            fields = dict(line.lower().split(b":", 1) for line in head.split(b"\r\n")[1:])
            self.left = int(fields.get(b"content-length", 0))
            if fields.get(b"expect"):
                self.transport.write(b"HTTP/1.1 100 Continue\r\n\r\n")


def receive():
    """A receiver in a thread of its own; its port."""
    holder = socket.create_server(("127.0.0.1", 0))

    async def serve():
        server = await asyncio.get_running_loop().create_server(Receiver, sock=holder)
        await server.serve_forever()

    threading.Thread(target=lambda: asyncio.run(serve()), daemon=True).start()
    return holder.getsockname()[1]


def write(path, text):
    with open(path, "w") as file:
        file.write(text)
    return path


def ours(staged, folder, interval, sink, option=""):
    """The command of an agent with this line for its sink."""
    os.makedirs(folder)
    state = f"state_dir: {folder}/state, " if "plugin: http" in sink else ""
    config = write(f"{folder}/sonde.yaml", f"""version: 1
agent: {{ interval: {interval}s, {state}control_socket: {folder}/sock }}
sources: [{{ id: kernel, plugin: procnet{option} }}]
sinks: [{{ id: out, {sink} }}]
""")
    return [f"{staged}/bin/sonded", "run", "--config", config, "--quiet"]


def collectd(folder, interval, port):
    os.makedirs(folder)
    config = write(f"{folder}/collectd.conf", f"""Hostname "host"
FQDNLookup false
Interval {interval}
BaseDir "{folder}"
PIDFile "{folder}/pid"
LoadPlugin interface
LoadPlugin protocols
LoadPlugin tcpconns
LoadPlugin write_http
<Plugin tcpconns>
  ListeningPorts true
  AllPortsSummary true
</Plugin>
<Plugin write_http>
  <Node "n">
    URL "http://127.0.0.1:{port}/"
    Format "JSON"
  </Node>
</Plugin>
""")
    return ["collectd", "-f", "-C", config]


def netdata(folder, interval):
    os.makedirs(f"{folder}/cache")
    config = write(f"{folder}/netdata.conf", f"""[global]
  run as user = root
[directories]
  cache = {folder}/cache
  lib = {folder}/cache
  log = {folder}/cache
[db]
  mode = ram
  update every = {interval}
[ml]
  enabled = no
[health]
  enabled = no
[web]
  mode = none
[registry]
  enabled = no
[plugins]
  enable running new plugins = no
  proc = yes
  timex = no
  idlejitter = no
  checks = no
  cgroups = no
  tc = no
  diskspace = no
  slabinfo = no
  statsd = no
  perf = no
  ebpf = no
  apps = no
  python.d = no
  charts.d = no
  node.d = no
[plugin:proc]
  /proc/stat = no
  /proc/uptime = no
  /proc/loadavg = no
  /proc/meminfo = no
  /proc/vmstat = no
  /proc/diskstats = no
  /proc/interrupts = no
  /proc/softirqs = no
  /proc/pressure = no
  /sys/block/zram = no
  /proc/spl/kstat/zfs/arcstats = no
  /proc/mdstat = no
  /sys/class/power_supply = no
  /sys/kernel/mm/ksm = no
  /sys/devices/system/edac/mc = no
  /sys/devices/system/node = no
  /proc/pagetypeinfo = no
  ipc = no
""")
    return ["netdata", "-D", "-c", config]


def node_exporter(port, interval):
    """The command of a node_exporter that a thread scrapes."""
    def scrape():
        while True:
            time.sleep(interval)
            try:
                urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=5).read()
            except OSError:
                pass

    threading.Thread(target=scrape, daemon=True).start()
    return ["prometheus-node-exporter", f"--web.listen-address=127.0.0.1:{port}", "--collector.disable-defaults",
            *(f"--collector.{name}" for name in ("netdev", "netclass", "netstat", "sockstat", "conntrack", "softnet", "udp_queues"))]


def commands(staged, folder, interval):
    """What runs, by name."""
    url = f"plugin: http, url: 'http://127.0.0.1:{receive()}/'"
    found = {
        "sonde": ours(staged, f"{folder}/ours", interval, url),
        "sonde, peak_rate 0": ours(staged, f"{folder}/still", interval, url, ", peak_rate: 0"),
        "sonde, file": ours(staged, f"{folder}/file", interval, f"plugin: file, path: {folder}/lines"),
        "collectd": collectd(f"{folder}/collectd", interval, receive()),
        "netdata": netdata(f"{folder}/netdata", interval),
        "node_exporter": node_exporter(19100, interval),
        "readproc.c": [f"{folder}/readproc", "1000000", "65536", *FILES],
    }
    subprocess.run(["cc", "-O2", "-o", f"{folder}/readproc", os.path.join(HERE, "../yardsticks/readproc.c")], check=True)
    return {name: command for name, command in found.items() if shutil.which(command[0])}


def family(process):
    """A process and all below it."""
    found = [process]
    for thread in os.listdir(f"/proc/{process}/task"):
        for child in open(f"/proc/{process}/task/{thread}/children").read().split():
            found += family(int(child))
    return found


def spent(process):
    """Seconds that all threads of a process and its children have run (sched-stats.rst)."""
    return sum(int(open(f"/proc/{each}/task/{thread}/schedstat").read().split()[0])
               for each in family(process) for thread in os.listdir(f"/proc/{each}/task")) / 1e9


def megabytes(process):
    """Anonymous, resident and most resident memory of a process and its children."""
    def field(path, name):
        return sum(int(line.split()[1]) for each in family(process) for line in open(f"/proc/{each}/{path}")
                   if line.startswith(name + ":")) / 1024

    return field("smaps_rollup", "Anonymous"), field("status", "VmRSS"), field("status", "VmHWM")


def measure(running, stretches, seconds):
    """Processor seconds an hour in each stretch, by name."""
    rates = {name: [] for name in running}
    for _ in range(stretches):
        before = {name: (spent(process.pid), time.monotonic()) for name, process in running.items()}
        time.sleep(seconds)
        for name, (used, began) in before.items():
            rates[name].append((spent(running[name].pid) - used) / (time.monotonic() - began) * 3600)
    return rates


def report(rates, running, interval):
    """Prints the table; whether ours keeps its bounds."""
    base = statistics.median(rates["collectd"]) if "collectd" in rates else None
    print(f"every {interval} s          CPU-s/h   (least to most)   × collectd   anonymous   resident   most, MB")
    kept = True
    for name, values in rates.items():
        median = statistics.median(values)
        share = f"{median / base:10.2f}" if base else f"{'-':>10}"
        memory = megabytes(running[name].pid)
        print(f"{name:20} {median:8.2f}   ({min(values):5.2f} to {max(values):5.2f})  {share}   "
              + "   ".join(f"{value:8.1f}" for value in memory))
        problems = [f"{value:.1f} MB above {bound}" for value, bound in zip(memory, MEMORY.get(name, ())) if value > bound]
        if name == "sonde" and base and median > SHARES.get(interval, 1) * base:
            problems.append(f"more than {SHARES[interval]} × collectd")
        for problem in problems:
            print(f"  {name}: {problem}")
        kept = kept and not problems
    return kept


def main():
    if os.environ.get("INSIDE") != "1":
        command = ["unshare", "--net", "sh", "-c", SETUP + '; exec "$@"', "sh", sys.executable, "-B", *sys.argv]
        sys.exit(subprocess.call(command, env={**os.environ, "INSIDE": "1"}))
    interval, stretches, seconds = (int(each) for each in (sys.argv[1:4] + ["10", "12", "50"][len(sys.argv[1:4]):]))
    staged = os.path.abspath(sys.argv[4] if len(sys.argv) > 4 else "dist")
    with tempfile.TemporaryDirectory() as folder:
        running = {}
        try:
            for name, command in commands(staged, folder, interval).items():
                environment = {**os.environ, "SLEEP_US": str(interval * 1_000_000)}
                running[name] = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment)
            # Starts, and splays of the first requests.
            time.sleep(45)
            running = {name: process for name, process in running.items() if process.poll() is None}
            kept = report(measure(running, stretches, seconds), running, interval)
        finally:
            for process in running.values():
                process.send_signal(signal.SIGTERM)
            for process in running.values():
                process.wait(20)
    sys.exit(not kept)


main()
