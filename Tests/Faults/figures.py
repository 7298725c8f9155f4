#!/usr/bin/env python3
"""Figures of delivery: `figures.py [--build DIR] [outage] [throughput] [full-outage]`; the last takes ten minutes.

Use a release build and an idle machine.
"""

import argparse
import os
import re
import shutil
import sys
import tempfile
import time
from datetime import datetime

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from agent import Agent, eventually
from receiver import Receiver
from report import Findings
from run import ROOT, Build

TIME = re.compile(rb'"time":"([^"]+)"')


class TickReceiver(Receiver):
    """Notes the time of every collection that a number comes from."""

    def __init__(self):
        super().__init__()
        self.ticks = set()

    def _note(self, headers, body, taken):
        if taken:
            self.ticks.update(TIME.findall(body))
        super()._note(headers, body, taken)

    def longest_gap(self):
        """Seconds between two collections that follow each other, at most."""
        moments = sorted(datetime.fromisoformat(tick.decode().replace("Z", "+00:00")) for tick in self.ticks)
        return max((after - before).total_seconds() for before, after in zip(moments, moments[1:]))


def outage(build, directory, full=False):
    """10,000 samples per second, the receiver dead in the middle: for 25 s of 75, in full for four minutes of ten."""
    receiver, findings = TickReceiver(), Findings()
    before_it, during, after_it = (180, 240, 180) if full else (25, 25, 25)
    agent = Agent(build, directory, receiver, interval="1s", per_tick=10_000, batch="{ wait: 1s }").start()
    eventually(lambda: receiver.last > 0)
    time.sleep(before_it)
    steady = agent.resident()[0]
    receiver.down()
    dead = 0
    for _ in range(during):
        time.sleep(1)
        dead = max(dead, agent.resident()[0])
    waiting = agent.status()["sinks"][0]["queue"]["points"]
    receiver.up()
    began, most_draining = time.monotonic(), 0
    drained = None
    while time.monotonic() - began < max(after_it, 120):
        most_draining = max(most_draining, agent.resident()[0])
        if drained is None and agent.status()["sinks"][0]["queue"]["points"] < 30_000:
            drained = time.monotonic() - began
        if drained is not None and time.monotonic() - began >= after_it:
            break
        time.sleep(0.2)
    source, (now, most) = agent.status()["sources"][0], agent.resident()
    findings.expect(drained is not None and drained < 120, "the backlog is gone within two minutes")
    cpu, span = agent.cpu(), time.monotonic() - began + before_it + during
    agent.stop()
    findings.expect(agent.lost_in_all() == 0, "the ledger is empty")
    findings.delivered(receiver.verdict(), agent.acknowledged())
    gap = receiver.longest_gap()
    findings.expect(gap <= 2, "no collection is late by more than an interval")
    findings.note(f"{waiting} waited, drained in {drained or -1:.1f} s; {source['collections']} collections, "
                  f"{source['missed']} ticks missed, {source['overruns']} overruns, at most {gap:.3f} s between two; "
                  f"RSS {steady:.1f} MiB before, {dead:.1f} at most while dead, {most_draining:.1f} at most after, "
                  f"{now:.1f} at the end, {most:.1f} ever; {cpu:.1f} CPU seconds in {span:.0f} s")
    return findings.result()


def full_outage(build, directory):
    """Ten minutes of it, as the goal was set."""
    return outage(build, directory, full=True)


def throughput(build, directory):
    """As fast as one core goes: collect, spool, encode, POST on loopback; samples per CPU second of the agent."""
    receiver, findings = Receiver(), Findings()
    receiver.keeps = False
    agent = Agent(build, directory, receiver, per_tick=20_000, per_commit=5_000, batch="{ wait: 20ms }").start()
    eventually(lambda: receiver.points > 0)
    time.sleep(2)
    cpu, points = agent.cpu(), receiver.points
    time.sleep(20)
    spent, taken = agent.cpu() - cpu, receiver.points - points
    findings.note(f"{taken} samples in {spent:.2f} CPU seconds: {taken / spent:,.0f} per CPU second")
    agent.stop()
    return findings.result()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", default=os.path.join(ROOT, ".build/release"), help="where sonded and the plugins are")
    parser.add_argument("figures", nargs="*")
    options = parser.parse_args()
    short = {"outage": outage, "throughput": throughput}
    every = {**short, "full-outage": full_outage}
    base = tempfile.mkdtemp(prefix="sonde-figures-")
    os.chmod(base, 0o755)
    held = []
    try:
        build = Build(options.build, base)
        for name in options.figures or short:
            passed, text = every[name](build, os.path.join(base, name))
            held.append(passed)
            print(f"{'PASS' if passed else 'FAIL'} {name}: {text}", flush=True)
    finally:
        shutil.rmtree(base, ignore_errors=True)
    return 0 if all(held) else 1


if __name__ == "__main__":
    sys.exit(main())
