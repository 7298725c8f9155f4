#!/usr/bin/env python3
"""Live capture under every fault of an interface: `run.py [--minutes N] [--rate N] [--seed N] [--build DIR]`.

An agent captures on four veths with flows and DNS on while traffic, a part of it garbage, comes in; every fault happens
again and again, in an order that the seed says. At the end one line, PASS or FAIL with its numbers. Needs root.
"""

import argparse
import os
import random
import shutil
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.dirname(HERE)]

import interface_faults
from laboratory import Laboratory
from memory import Memory
from report import Findings

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
# What the tables of one source may take: four MiB for transactions, eight for streams.
TRANSACTIONS, STREAMS, FLOWS = 4 << 20, 8 << 20, 1 << 20


class Build:
    """Where the programs are."""

    def __init__(self, directory):
        self.binaries = self.plugins = os.path.realpath(directory)


def inject(lab, seconds, order):
    """Faults until the time is over, every kind at least once."""
    end, waiting = time.monotonic() + seconds, []
    while time.monotonic() < end or waiting:
        if not waiting:
            waiting = interface_faults.ALL[:]
            order.shuffle(waiting)
        fault = waiting.pop()
        began, failed = time.monotonic(), len(lab.findings.failed)
        fault(lab)
        lab.faults[fault.__name__] = lab.faults.get(fault.__name__, 0) + 1
        for claim in lab.findings.failed[failed:]:
            print(f"  {fault.__name__}: NOT: {claim}", flush=True)
        print(f"  {time.strftime('%H:%M:%S')} {fault.__name__} {time.monotonic() - began:.1f} s", flush=True)
        if not lab.agent.is_alive:
            lab.findings.expect(False, f"the agent lives after {fault.__name__}")
            return
        time.sleep(0.5)


def judge(lab, findings, seconds):
    """What holds when all faults are over."""
    series, agent = lab.series.read(), lab.agent
    cpu = agent.cpu()
    dropped, lost = series.sum("sonde.capture.packet.dropped"), agent.losses().get("kernel_drop", 0)
    findings.expect(dropped > 0 and lost == dropped, f"the ledger has {lost} packets, the metrics {dropped}")
    for name, bound in [("sonde.dns.wire.transaction.table.size", TRANSACTIONS), ("sonde.dns.wire.stream.buffer.size", STREAMS),
                        ("sonde.flow.table.size", FLOWS)]:
        findings.expect(0 < series.most(name) <= bound, f"{name} reached {series.most(name)}, its bound is {bound}")
    for name in ["sonde.frame.malformed.count", "sonde.dns.wire.message.malformed", "sonde.dns.wire.query.unanswered"]:
        findings.expect(series.sum(name) > 0, f"{name} counts")
    sent, counted = sum(lab.traffic.sent.values()), series.sum("sonde.capture.packet.count", "wire")
    findings.expect(counted <= sent, "not more packets are counted than were sent")
    code, took = agent.stop()
    findings.expect(code == 0, f"the agent ends with {code}")
    findings.expect("Fatal error" not in agent.text(), "no trap")
    findings.note(f"{sum(lab.faults.values())} faults of {len(lab.faults)} kinds in {seconds / 60:.1f} min")
    findings.note(f"{lab.openings} openings awaited, the slowest of each source "
                  + ", ".join(f"{name} {value:.1f} s" for name, value in sorted(lab.slowest.items())))
    findings.note(f"{sent} frames sent, {counted} counted by wire, {dropped} dropped by the kernel and in the ledger")
    findings.note(f"{series.sum('sonde.frame.malformed.count')} malformed frames, "
                  f"{series.sum('sonde.dns.wire.message.malformed')} malformed messages")
    findings.note(f"CPU of the agent {100 * cpu / seconds:.1f} %, stopped in {took:.1f} s")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--rate", type=int, default=2000, help="frames a second")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--build", default=os.path.join(ROOT, ".build/debug"), help="where sonded and the plugins are")
    options = parser.parse_args()
    base = tempfile.mkdtemp(prefix="sonde-live-")
    os.chmod(base, 0o755)
    findings = Findings()
    lab = Laboratory(Build(options.build), os.path.join(base, "agent"), findings, options.rate, options.seed)
    try:
        for source, interface, counter in [("wire", "va", None), ("wire", "vc", None), ("lone", "vg", None),
                                           ("all", "any", "va")]:
            lab.expect_open(source, interface, counter)
        memory, began = Memory(lab.agent), time.monotonic()
        inject(lab, options.minutes * 60, random.Random(options.seed))
        memory.stopped.set()
        memory.verdict(findings)
        judge(lab, findings, time.monotonic() - began)
        passed, text = findings.result()
        print(f"{'PASS' if passed else 'FAIL'} live-faults: {text}", flush=True)
        if not passed:
            print("\n".join(lab.agent.text().splitlines()[-20:]))
        return 0 if passed else 1
    finally:
        lab.close()
        shutil.rmtree(base, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
