#!/usr/bin/env python3
"""Everything in one table, ours beside the yardsticks and the peers: `table.py [--rounds N] [--scale N] [--agents STAGED] [WORD…]`.

Programs take turns; what is printed is the least processor time of a program per unit of work, and how many times ours that is.
With words, only the subjects that have one of them in their name. Scripts in the folders beside this file say more.
"""

import argparse
import os
import resource
import subprocess
import sys
import tempfile

from subjects import Inputs, subjects


def processor_seconds(command):
    """What a command takes of the processor with all its children; None when it fails."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return spent if done.returncode == 0 else None


def measured(subject, rounds):
    """The least time of each program, by name."""
    programs = [("ours", subject.ours)] + ([("C", subject.yardstick)] if subject.yardstick else []) + subject.peers
    least = {}
    for _ in range(rounds):
        for name, command in programs:
            spent = processor_seconds(command)
            if spent is not None:
                least[name] = min(spent, least.get(name, spent))
    return least


def row(subject, least):
    """A line of the table."""
    if "ours" not in least:
        return f"{subject.name:40} failed"
    ours = least["ours"]
    text = f"{subject.name:40} {ours / subject.units * 1e9:8.0f} ns/{subject.unit}"
    others = [f"{name} {least[name] / ours:.2f}" for name in least if name != "ours" and ours > 0]
    return f"{text:67} {', '.join(others) or '–'}"


def cost_of_agents(staged, interval):
    """Prints what agents on a quiet host cost; not zero where ours is above its bounds."""
    script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "daemon/peers.py")
    print(flush=True)
    return subprocess.call([sys.executable, "-B", script, str(interval), "4", "25", staged])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--scale", type=int, default=5, help="how large the inputs are")
    parser.add_argument("--agents", metavar="STAGED", help="then the staged agent beside its peers, at 10 s and at 1 s (root)")
    parser.add_argument("words", nargs="*")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as directory:
        inputs = Inputs(directory)
        print(f"{'':40} {'ours':>11} {'':14} times ours")
        for subject in subjects(inputs, options.scale):
            if not options.words or any(word in subject.name for word in options.words):
                print(row(subject, measured(subject, options.rounds)), flush=True)
    if options.agents:
        sys.exit(any([cost_of_agents(options.agents, interval) for interval in (10, 1)]))


if __name__ == "__main__":
    main()
