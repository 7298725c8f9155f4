#!/usr/bin/env python3
"""Figures of delivery: `figures.py [--build DIR] [outage] [throughput]`. Use a release build and an idle machine."""

import argparse
import os
import shutil
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from agent import Agent, eventually
from receiver import Receiver
from report import Findings
from run import ROOT, Build


def outage(build, directory):
    """10,000 samples per second for 75 s, the receiver dead for 25 s in the middle."""
    receiver, findings = Receiver(), Findings()
    agent = Agent(build, directory, receiver, per_tick=1000, batch="{ wait: 1s }", sink="").start()
    eventually(lambda: receiver.last > 0)
    time.sleep(25)
    steady = agent.resident()[0]
    receiver.down()
    time.sleep(25)
    dead = agent.resident()[0]
    waiting = agent.status()["sinks"][0]["queue"]["points"]
    receiver.up()
    began = time.monotonic()
    caught_up = eventually(lambda: agent.status()["sinks"][0]["queue"]["points"] < 20_000, 120, 0.1)
    drained = time.monotonic() - began
    time.sleep(max(0, 25 - drained))
    source, (now, most) = agent.status()["sources"][0], agent.resident()
    findings.expect(caught_up, "the backlog is gone within two minutes")
    findings.expect(source["missed"] == 0, "every collection is in time")
    cpu = agent.cpu()
    agent.stop()
    findings.delivered(receiver.verdict(), agent.acknowledged())
    findings.note(f"{waiting} waited, drained in {drained:.1f} s; {source['missed']} ticks missed, "
                  f"{source['overruns']} overruns; RSS {steady:.1f} MiB before, {dead:.1f} while dead, {now:.1f} after, "
                  f"{most:.1f} at most; {cpu:.1f} CPU seconds")
    return findings.result()


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
    every = {"outage": outage, "throughput": throughput}
    base = tempfile.mkdtemp(prefix="sonde-figures-")
    os.chmod(base, 0o755)
    held = []
    try:
        build = Build(options.build, base)
        for name in options.figures or every:
            passed, text = every[name](build, os.path.join(base, name))
            held.append(passed)
            print(f"{'PASS' if passed else 'FAIL'} {name}: {text}", flush=True)
    finally:
        shutil.rmtree(base, ignore_errors=True)
    return 0 if all(held) else 1


if __name__ == "__main__":
    sys.exit(main())
