#!/usr/bin/env python3
"""Everything at once on real input: `run.py [--minutes N] [--rate N] [--queries N] [--seed N] [--build DIR]`.

Packets, the kernel's counters, the log of a real dnsmasq and a source of numbers go to HTTP, a file and standard output, while
a fault a minute happens. At the end one line, PASS or FAIL with its numbers, and the agent's own log is kept to be read.
Needs root, and dnsmasq and dnsperf.
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.dirname(HERE), os.path.join(os.path.dirname(HERE), "live")]

import faults
from agent import eventually
from build import Build, ROOT
from house import House
from memory import Memory
from report import Findings

# Lines of the log that a person can read beside a fault a minute.
LINES_PER_FAULT = 30


def inject(house, seconds):
    """A fault a minute until the time is over; which, by kind."""
    end, waiting, done = time.monotonic() + seconds, [], {}
    while time.monotonic() < end:
        if not waiting:
            waiting = faults.ALL[:]
            house.random.shuffle(waiting)
        fault, began, failed = waiting.pop(), time.monotonic(), len(house.findings.failed)
        fault(house)
        done[fault.__name__] = done.get(fault.__name__, 0) + 1
        for claim in house.findings.failed[failed:]:
            print(f"  {fault.__name__}: NOT: {claim}", flush=True)
        print(f"  {time.strftime('%H:%M:%S')} {fault.__name__} {time.monotonic() - began:.1f} s", flush=True)
        if not house.agent.is_alive:
            house.findings.expect(False, f"the agent lives after {fault.__name__}")
            return done
        time.sleep(max(0, min(60 - (time.monotonic() - began), end - time.monotonic())))
    return done


def kernel_bytes(house, direction):
    """What the kernel itself says of up0."""
    told = subprocess.run(["ip", "-n", house.near, "-s", "-j", "link", "show", "up0"], capture_output=True, check=True)
    return json.loads(told.stdout)[0]["stats64"][direction]["bytes"]


class Points:
    """The newest point of every series in the file of the sink."""

    def __init__(self, path):
        self.path, self.place, self.newest, self.counted = path, 0, {}, 0

    def read(self):
        with open(self.path, "rb") as file:
            file.seek(self.place)
            for line in file:
                if not line.endswith(b"\n"):
                    break
                self.place += len(line)
                point = json.loads(line)
                attributes = point.get("attributes", {})
                self.newest[point["name"], json.dumps(attributes, sort_keys=True)] = (attributes, point.get("value"))
                self.counted += 1
        return self

    def sum(self, name, **wanted):
        """Of the series of a metric whose attributes hold what is wanted; `_` stands for a dot."""
        wanted = {key.replace("_", "."): value for key, value in wanted.items()}
        return sum(value for (told, _), (attributes, value) in self.newest.items()
                   if told == name and wanted.items() <= attributes.items())


def judge_counts(house, findings, done):
    """What was counted is what there was; `done`: how often each fault."""
    logged, agent = house.resolver.queries(), house.agent
    points = Points(agent.output)
    eventually(lambda: points.read().sum("sonde.dns.resolver.query.count", sonde_dns_resolver="dnsmasq") >= logged, 40, 1)
    counted = points.sum("sonde.dns.resolver.query.count", sonde_dns_resolver="dnsmasq")
    findings.note(f"{logged} queries in the logs of dnsmasq, {counted} counted")
    findings.expect(counted == logged, "every query of the log counts once")
    for direction, word in (("rx", "receive"), ("tx", "transmit")):
        wanted = {"network_interface_name": "up0", "network_io_direction": word}
        eventually(lambda: points.read().sum("system.network.io", **wanted) == kernel_bytes(house, direction), 40, 1)
        truth, told = kernel_bytes(house, direction), points.sum("system.network.io", **wanted)
        findings.expect(told == truth, f"{word}: the kernel says {truth} bytes, the file {told}")
    dropped, lost = points.sum("sonde.capture.packet.dropped"), agent.losses()
    findings.note(f"{points.counted} points in the file, {dropped} packets dropped by the kernel, ledger {lost or 'empty'}")
    # A collection that finds no room is not repeated: the next one brings newer readings, and counters go on.
    told = {"kernel_drop"} | ({"spool_full"} if "state_disk_is_full" in done else set())
    findings.expect(set(lost) <= told, f"nothing else is lost than {sorted(told)}: {lost}")
    findings.expect(lost.get("kernel_drop", 0) == dropped, "the ledger has the packets that the metrics have")


def judge_delivery(house, findings):
    goal = house.agent.acknowledged()
    findings.expect(eventually(lambda: house.receiver.last >= goal, 60, 0.2), "all that was acknowledged arrives")
    findings.delivered(house.receiver.verdict(), goal)


def judge_log(house, findings, count):
    """One line an event, each with its level; not more than a person reads."""
    lines = [line for line in house.agent.text().splitlines() if line]
    findings.note(f"{len(lines)} lines of log")
    findings.expect(len(lines) <= LINES_PER_FAULT * max(count, 1) + 100, f"{len(lines)} lines for {count} faults")
    odd = [line for line in lines if not re.search(r"\b(error|warning|notice|info|debug)\b", line)]
    findings.expect(not odd, f"{len(odd)} lines without a level: {odd[:1]}")
    findings.expect("Fatal error" not in house.agent.text(), "no trap")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--rate", type=int, default=1000, help="frames of noise a second")
    parser.add_argument("--queries", type=int, default=100, help="DNS queries a second")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--build", default=os.path.join(ROOT, ".build/debug"), help="where sonded and the plugins are")
    parser.add_argument("--log", help="where the agent's log is copied to")
    options = parser.parse_args()
    base, findings = tempfile.mkdtemp(prefix="sonde-whole-"), Findings()
    os.chmod(base, 0o755)
    plugins = os.path.join(base, "plugins")
    os.makedirs(plugins)
    house = House(Build(options.build, plugins), os.path.join(base, "house"), findings, options)
    try:
        memory, began, cpu = Memory(house.agent), time.monotonic(), house.agent.cpu()
        done = inject(house, options.minutes * 60)
        spent = time.monotonic() - began
        findings.note(f"{sum(done.values())} faults of {len(done)} kinds in {spent / 60:.1f} min, "
                      f"CPU {100 * (house.agent.cpu() - cpu) / spent:.1f} %")
        memory.stopped.set()
        memory.verdict(findings)
        house.quiet()
        judge_counts(house, findings, done)
        judge_delivery(house, findings)
        code, took = house.agent.stop()
        findings.expect(code == 0, f"the agent ends with {code}")
        findings.note(f"stopped in {took:.1f} s")
        judge_log(house, findings, sum(done.values()))
        if options.log:
            shutil.copyfile(house.agent.log, options.log)
        passed, text = findings.result()
        print(f"{'PASS' if passed else 'FAIL'} whole: {text}", flush=True)
        return 0 if passed else 1
    finally:
        house.close()
        shutil.rmtree(base, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
