#!/usr/bin/env python3
"""What each level of saving saves: the same agent with what is configured at each level, with nothing to do and with everything at once.

At level 5 it saves a little more than is measured here: what is left out is not kept for the history either, which no option says.
"""
import argparse
import time

import floods
from agent import Agent

KERNEL = ", uplinks: [va]"
DETAIL, COUNT = ", sockets: detail", ", sockets: count"
NAMES, FLOWS, PEAKS = ", top: 0", ", flows: false", ", peak_rate: 0"
LEVELS = [
    {"kernel": KERNEL + DETAIL},
    {"kernel": KERNEL + DETAIL, "wire": NAMES, "resolver": NAMES},
    {"kernel": KERNEL + DETAIL, "wire": NAMES + FLOWS, "resolver": NAMES},
    {"kernel": KERNEL + COUNT, "wire": NAMES + FLOWS, "resolver": NAMES},
    {"kernel": KERNEL + COUNT + PEAKS, "wire": NAMES + FLOWS, "resolver": NAMES},
    {"kernel": KERNEL + COUNT + PEAKS, "wire": NAMES + FLOWS, "resolver": NAMES, "level": "core"},
    {"kernel": KERNEL + COUNT + PEAKS, "wire": NAMES + FLOWS, "resolver": NAMES, "level": "core", "interval": "40s"},
]
# An agent has looked at everything once after so many intervals.
WARM = 2.5


def lines(agent):
    with open(f"{agent.work}/out.jsonl", "rb") as file:
        return sum(1 for _ in file)


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--intervals", type=int, default=4, help="over how many each is measured")
    options.add_argument("--only", default="", help="quiet or flooded")
    options.add_argument("--first", type=int, default=0, help="the first level")
    options.add_argument("--last", type=int, default=6, help="the last level")
    options = options.parse_args()
    print(f"{'load':<9} {'level':>5} {'cpu':>7} {'memory':>9} {'points each 10 s':>17}", flush=True)
    for load in ("quiet", "flooded"):
        if options.only and load != options.only:
            continue
        for level, settings in list(enumerate(LEVELS))[options.first:options.last + 1]:
            interval = int(settings.get("interval", "10s").rstrip("s"))
            with Agent(**settings) as agent:
                child = floods.start(agent.namespace, floods.everything, agent.log) if load == "flooded" else None
                try:
                    agent.watch(WARM * interval)
                    began, before = time.monotonic(), lines(agent)
                    agent.watch(options.intervals * interval)
                    share, memory = agent.usage.mean(began)
                    points = (lines(agent) - before) / (options.intervals * interval) * 10
                    print(f"{load:<9} {level:>5} {share:>7.2%} {memory / 1e6:>6.1f} MB {points:>17.0f}", flush=True)
                finally:
                    if child:
                        floods.stop(child)


if __name__ == "__main__":
    main()
