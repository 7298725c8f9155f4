#!/usr/bin/env python3
"""What each level of saving saves: the same agent at each level, with nothing to do and with everything at once.

Levels 1 to 4 are options, and written as such. The others are more than options: a bound on memory that is below what any agent has
brings the last level, and with a quarter of the interval that is level 5.
"""
import argparse
import sys
import time

import floods
from agent import Agent

FORCED = "limits: { memory: 1MiB }"
KERNEL = ", uplinks: [va]"
DETAIL, COUNT = ", sockets: detail", ", sockets: count"
NAMES, FLOWS, PEAKS = ", top: 0", ", flows: false", ", peak_rate: 0"
LEVELS = [
    {"kernel": KERNEL + DETAIL},
    {"kernel": KERNEL + DETAIL, "wire": NAMES, "resolver": NAMES},
    {"kernel": KERNEL + DETAIL, "wire": NAMES + FLOWS, "resolver": NAMES},
    {"kernel": KERNEL + COUNT, "wire": NAMES + FLOWS, "resolver": NAMES},
    {"kernel": KERNEL + COUNT + PEAKS, "wire": NAMES + FLOWS, "resolver": NAMES},
    {"kernel": KERNEL + DETAIL, "limits": FORCED, "interval": "2500ms"},
    {"kernel": KERNEL + DETAIL, "limits": FORCED, "interval": "10s"},
]
# An agent has looked at everything once, and is at the last level, after so long.
WARM = 35


def lines(agent):
    with open(f"{agent.work}/out.jsonl", "rb") as file:
        return sum(1 for _ in file)


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--seconds", type=int, default=40)
    options.add_argument("--only", default="", help="quiet or flooded")
    options = options.parse_args()
    print(f"{'load':<9} {'level':>5} {'cpu':>7} {'memory':>9} {'points each 10 s':>17}", flush=True)
    for load in ("quiet", "flooded"):
        if options.only and load != options.only:
            continue
        for level, settings in enumerate(LEVELS):
            with Agent(**settings) as agent:
                child = floods.start(agent.namespace, floods.everything, agent.log) if load == "flooded" else None
                try:
                    agent.watch(WARM)
                    began, before = time.monotonic(), lines(agent)
                    agent.watch(options.seconds)
                    share, memory = agent.usage.mean(began)
                    points = (lines(agent) - before) / options.seconds * 10
                    if level > 4 and agent.status["limits"]["level"] != 6:
                        sys.exit("the agent is not at its last level")
                    print(f"{load:<9} {level:>5} {share:>7.2%} {memory / 1e6:>6.1f} MB {points:>17.0f}", flush=True)
                finally:
                    if child:
                        floods.stop(child)


if __name__ == "__main__":
    main()
