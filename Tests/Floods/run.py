#!/usr/bin/env python3
"""Floods an agent with limits in a network namespace of its own, and measures by how much and for how long it exceeds them.

Each flood lasts for --seconds; the agent (SONDE, else dist/bin/sonde) has procnet, pcap and dnslog at level all. What it and its
descendants use is read from /proc once a second, apart from what it says itself. Fails where processor time, averaged over ten seconds,
or memory is more than 10 % above its limit for longer than 30 seconds.
"""
import argparse
import sys
import time

import floods
from agent import Agent

TOLERANCE, LONGEST = 1.1, 30
# The interval of the agent, and what floods it: what is read whole at each collection is a flood only where that is often.
FLOODS = {
    "lines": ("10s", lambda agent: (floods.lines, agent.log, False)),
    "names": ("10s", lambda agent: (floods.lines, agent.log, True)),
    "packets": ("10s", lambda agent: (floods.packets, "vb")),
    "sockets": ("1s", lambda agent: (floods.sockets, 100_000, 20_000)),
    "interfaces": ("1s", lambda agent: (floods.interfaces, 4_000)),
}


def excess(shares, place, limit):
    """The highest share of a limit, and for how long it was exceeded by more than is tolerated at a time."""
    longest, began = 0, None
    for row in shares:
        if row[place] > limit * TOLERANCE:
            began = row[0] if began is None else began
            longest = max(longest, row[0] - began + 1)
        else:
            began = None
    return max(row[place] for row in shares) / limit, longest


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--seconds", type=int, default=90)
    options.add_argument("--cpu", type=float, default=2, help="percent of a processor")
    options.add_argument("--memory", type=int, default=64, help="MiB")
    options.add_argument("--only", default="", help="one flood")
    options.add_argument("--free", action="store_true", help="without limits, for comparison")
    options = options.parse_args()
    kept = "" if options.free else f"limits: {{ cpu: {options.cpu}%, memory: {options.memory}MiB, disk: 64MiB }}"
    print(f"{'flood':<11} {'cpu, highest':>12} {'too much for':>12} {'memory':>8} {'too much for':>12}  level", flush=True)
    isBad = False
    for name, (interval, flood) in FLOODS.items():
        if options.only and name != options.only:
            continue
        with Agent(interval, kept) as agent:
            agent.watch(15)
            began = time.monotonic()
            child = floods.start(agent.namespace, *flood(agent))
            try:
                agent.watch(options.seconds)
                said = agent.status.get("limits", {})
                shares = agent.usage.shares(began)
                cpu, cpuLong = excess(shares, 1, options.cpu / 100)
                memory, memoryLong = excess(shares, 2, options.memory << 20)
                isBad = isBad or max(cpuLong, memoryLong) > LONGEST
                level = f"{said.get('level')}: {', '.join(said.get('saved', []))}" if said else "no limits"
                print(
                    f"{name:<11} {cpu:>12.0%} {cpuLong:>10.0f} s {memory:>8.0%} {memoryLong:>10.0f} s  {level}"
                    f" (state {agent.state_bytes >> 20} MiB)", flush=True)
            finally:
                floods.stop(child)
    if isBad and not options.free:
        sys.exit("a limit was exceeded by more than 10 % for longer than 30 s")


if __name__ == "__main__":
    main()
