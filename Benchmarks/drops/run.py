#!/usr/bin/env python3
"""What counting of drops and state changes costs, beside a yardstick in C: run.py [STAGED] [SECONDS] [RATE] (root, tracefs, iproute2).

Figures to hold: 0.3 µs a drop, 0.1 µs a state change, 1.5 MB of anonymous memory of the source's process, and every one of RATE
drops a second counted, against the sender's own count. Fails where one is not held.
"""

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
STAGED = sys.argv[1] if len(sys.argv) > 1 else os.path.join(ROOT, "dist")
SECONDS = int(sys.argv[2]) if len(sys.argv) > 2 else 60
RATE = int(sys.argv[3]) if len(sys.argv) > 3 else 1_000_000
ROUNDS = int(os.environ.get("ROUNDS", "15"))
NAMESPACE = f"sonde-bench-{os.getpid()}"
PROCESSORS = os.cpu_count()


def inside(*command):
    return ["ip", "netns", "exec", NAMESPACE, *command]


class Agent:
    """The staged agent with the source and a file; every second."""

    def __init__(self, work):
        self.points = os.path.join(work, "points")
        path = os.path.join(work, "sonde.yaml")
        if os.path.exists(self.points):
            os.remove(self.points)
        with open(path, "w") as file:
            file.write("version: 1\nagent: { interval: 1s, control_socket: none }\nsources: [{ id: bench, plugin: drops }]\n"
                       f"sinks: [{{ id: local, plugin: file, path: {self.points}, batch: {{ wait: 20ms }} }}]\n")
        plugins = ["--plugin-dir", os.environ["PLUGINS"]] if "PLUGINS" in os.environ else []
        program = os.environ.get("SONDED", os.path.join(STAGED, "bin/sonde"))
        self.log = open(os.path.join(work, "log"), "w+")
        self.process = subprocess.Popen([program, "run", "-c", path, *plugins], stderr=self.log)
        self.wait(lambda: "counting at" in open(self.log.name).read())

    @staticmethod
    def wait(condition):
        for _ in range(200):
            if condition():
                return
            time.sleep(0.05)
        raise SystemExit("the agent did not start")

    def counts(self):
        values = {}
        for line in open(self.points):
            if '"sonde.drop.packet.count"' in line and line.endswith("\n"):
                point = json.loads(line)
                key = (point["attributes"]["sonde.drop.reason"], point["attributes"]["network.type"])
                values[key] = point["value"]
        return values

    def child(self):
        names = [name for name in os.listdir("/proc") if name.isdigit()]
        for name in names:
            try:
                words = open(f"/proc/{name}/cmdline").read().split("\0")
            except OSError:
                continue
            if words[1:4] == ["plugin-child", "drops", "bench"]:
                return name
        raise SystemExit("the source has no process")

    def stop(self):
        self.process.terminate()
        self.process.wait()


class Yardstick:
    """dropcount.c on one of the two tracepoints."""

    def __init__(self, work, mode):
        self.process = subprocess.Popen([f"{work}/dropcount", mode], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.process.stdout.readline()

    def stop(self):
        self.process.communicate("")


class Nothing:
    """Nobody counts."""

    def stop(self):
        pass


def load(work, mode, count):
    """The nanoseconds of one event: the first quartile of batches."""
    words = ["frames", "va", str(PROCESSORS - 1)] if mode == "drop" else ["states", str(PROCESSORS - 1)]
    printed = subprocess.run(inside("nice", "-n", "-20", f"{work}/dropload", *words, str(count)), capture_output=True, text=True,
                             check=True).stdout
    return float(printed.split()[2])


def cost(work, mode, failures, bound):
    """What is added to an event by the source and by the yardstick: medians of interleaved rounds."""
    added = {"yardstick": [], "sonde": []}
    bare = []
    for _ in range(ROUNDS):
        values = {}
        for name, make in (("nothing", Nothing), ("yardstick", lambda: Yardstick(work, mode)), ("sonde", lambda: Agent(work))):
            counter = make()
            values[name] = load(work, mode, 200_000)
            counter.stop()
        bare.append(values["nothing"])
        for name in added:
            added[name].append(values[name] - values["nothing"])
    theirs, ours = (statistics.median(added[name]) for name in ("yardstick", "sonde"))
    spread = ", ".join(f"{value:.0f}" for value in sorted(added["sonde"]))
    print(f"{mode}: {statistics.median(bare):.0f} ns by itself; the yardstick adds {theirs:.0f} ns, sonde {ours:.0f} ns ({spread})")
    if ours > bound:
        failures.append(f"a {mode} costs {ours:.0f} ns, more than {bound}")


def program_cost():
    """Nanoseconds in each program by the kernel's own clock, which takes some itself (kernel.bpf_stats_enabled)."""
    if not os.access("/usr/sbin/bpftool", os.X_OK):
        return
    programs = json.loads(subprocess.run(["bpftool", "-j", "prog", "show"], capture_output=True, text=True).stdout)
    for program in programs:
        if program.get("name") == "sonde_drops" and program.get("run_cnt", 0) > 100_000:
            print(f"program {program['id']}: {program['run_time_ns'] / program['run_cnt']:.0f} ns a run, its clock included, "
                  f"{program['run_cnt']} runs, {program.get('recursion_misses', 0)} missed")


def flood(work, failures):
    """Drops at the rate for a while, on every processor, against the senders' own counts."""
    agent = Agent(work)
    subprocess.run(["sysctl", "-qw", "kernel.bpf_stats_enabled=1"])
    share = RATE * SECONDS // PROCESSORS
    begin = time.monotonic()
    # Others must not take the processors away: for real time, as far as the rate needs them.
    senders = [subprocess.Popen(inside("chrt", "-f", "1", f"{work}/dropload", "frames", "va", str(number), str(share),
                                       str(RATE / PROCESSORS)), stdout=subprocess.PIPE, text=True)
               for number in range(PROCESSORS)]
    sent = sum(int(sender.communicate()[0].split()[0]) for sender in senders)
    took = time.monotonic() - begin
    time.sleep(3)
    program_cost()
    subprocess.run(["sysctl", "-qw", "kernel.bpf_stats_enabled=0"])
    counted = {reason: value for (reason, network), value in agent.counts().items() if network == "other"}
    status = open(f"/proc/{agent.child()}/smaps_rollup").read()
    anonymous = next(int(line.split()[1]) for line in status.splitlines() if line.startswith("Anonymous:"))
    agent.stop()
    total = sum(counted.values())
    print(f"{sent} frames in {took:.1f} s, {sent / took:.0f} a second; counted {total} {counted}; missing {sent - total}")
    print(f"the source's process: {anonymous} KiB anonymous")
    if total != sent:
        failures.append(f"{sent - total} of {sent} were not counted")
    if anonymous > 1500:
        failures.append(f"{anonymous} KiB of anonymous memory")


def leftovers():
    """What is in the kernel after every agent of this run has ended."""
    listed = subprocess.run(["bpftool", "prog", "show", "name", "sonde_drops"], capture_output=True, text=True).stdout
    print(f"programs left: {listed.count('name sonde_drops')}")


def main():
    failures = []
    with tempfile.TemporaryDirectory() as work:
        for name in ("dropcount", "dropload"):
            subprocess.run(["cc", "-O2", "-o", f"{work}/{name}", f"{ROOT}/Benchmarks/yardsticks/{name}.c"], check=True)
        subprocess.run(["ip", "netns", "add", NAMESPACE], check=True)
        try:
            for command in ("sysctl -qw net.ipv6.conf.all.disable_ipv6=1 net.ipv6.conf.default.disable_ipv6=1",
                            "ip link add va type veth peer name vb", "ip link set va up", "ip link set vb up"):
                subprocess.run(inside(*command.split()), check=True)
            if ROUNDS:
                cost(work, "drop", failures, 300)
                cost(work, "state", failures, 100)
            flood(work, failures)
        finally:
            subprocess.run(["ip", "netns", "del", NAMESPACE])
        leftovers()
    for failure in failures:
        print(f"FAILED: {failure}")
    sys.exit(1 if failures else 0)


main()
