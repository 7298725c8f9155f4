#!/usr/bin/env python3
"""What 100,000 agents ask of a receiver of stated capacity: at a start of all, after ten minutes without it, at a step of all clocks, and as
a remote configuration, a good and a bad one, reaches them.

usage: herds.py [AGENTS] [CAPACITY]    CAPACITY: samples a second that the receiver takes, by default three times what the agents collect

Arithmetic on events: every agent collects RATE samples a second, every INTERVAL seconds at a phase of its own. The receiver takes requests
in order; one that would wait for longer than TIMEOUT fails, costs nothing, and is tried again. Waits are those of fleet.py, which holds what
Backoff.swift, DrainPacer.swift and HostSplay.swift do.
"""

import collections
import heapq
import random
import sys

import fleet

RATE, INTERVAL, BATCH, TIMEOUT, OUTAGE = 40.0, 10.0, 5_000, 10.0, 600.0
# Bytes of a sample in the spool, and what that holds at most (delivery.md).
SPOOLED, SPOOL = 6, 256 << 20
# The defaults of agent.remote, and how long a bad one is in force at the most: its probation and ten seconds.
REMOTE_INTERVAL, PROBATION = 300.0, 300.0


class Receiver:
    """Takes so many samples a second; agents without a backlog take their share of it first."""

    def __init__(self, capacity, agents):
        self.capacity, self.agents, self.behind = capacity, agents, 0
        self.queue, self.at = 0.0, 0.0
        self.arrivals, self.refused, self.longest = collections.Counter(), 0, 0.0

    def take(self, now, count):
        """When these samples are taken; None: the request times out."""
        free = self.capacity - (self.agents - self.behind) * RATE
        self.queue = max(0.0, self.queue - (now - self.at) * free)
        self.at = now
        self.arrivals[int(now)] += 1
        wait = (self.queue + count) / free
        if wait > TIMEOUT:
            self.refused += 1
            return None
        self.queue += count
        self.longest = max(self.longest, wait)
        return now + wait


class Agent:
    """One with a backlog: it tries, waits, drains at its pace and is done when no more waits than one collection brings."""

    __slots__ = ("since", "bad_until", "failures", "waiting", "updated", "pace", "factor", "largest")

    def __init__(self, since, bad_until):
        self.since, self.bad_until = since, bad_until
        self.failures, self.waiting, self.updated, self.pace, self.factor, self.largest = 0, 0.0, since, None, 1.0, 0.0

    def step(self, now, receiver, wait, paced, dice):
        """What happens now; when the next request is due, None: it has caught up."""
        self.waiting += (now - self.updated) * RATE
        self.updated = now
        self.largest = max(self.largest, self.waiting)
        count = min(BATCH, self.waiting)
        if now < self.bad_until:
            receiver.arrivals[int(now)] += 1
            return self.fail(now, wait, dice)
        taken = receiver.take(now, count)
        if taken is None:
            return self.fail(now + TIMEOUT, wait, dice)
        if self.failures:
            self.failures, self.factor = 0, 1.0
        else:
            self.factor = min(fleet.FASTEST, self.factor * 2)
        self.waiting -= count
        if self.waiting < RATE * INTERVAL:
            return None
        if not paced or self.waiting <= BATCH:
            return taken
        full = max(fleet.FASTEST * RATE, RATE + self.largest / fleet.LONGEST_DRAIN)
        return taken + min(count / (full * self.factor / fleet.FASTEST), 60.0)

    def fail(self, now, wait, dice):
        self.failures += 1
        return now + wait(self.failures, dice)


def drain(agents, receiver, wait, paced, dice):
    """Runs all of them; when the last has caught up, and the most that one had waiting."""
    events = [(agent.since, number) for number, agent in enumerate(agents)]
    heapq.heapify(events)
    receiver.behind, last = len(agents), 0.0
    while events:
        now, number = heapq.heappop(events)
        following = agents[number].step(now, receiver, wait, paced, dice)
        if following is None:
            receiver.behind -= 1
            last = max(last, now)
        else:
            heapq.heappush(events, (following, number))
    return last, max(agent.largest for agent in agents)


def busiest(arrivals, start=float("-inf"), end=float("inf")):
    return max((count for second, count in arrivals.items() if start <= second < end), default=0)


def table(title, rows):
    print(f"\n{title}")
    width = [max(len(str(row[column])) for row in rows) for column in range(len(rows[0]))]
    for row in rows:
        print("  ".join(str(cell).ljust(size) if not column else str(cell).rjust(size) for column, (cell, size) in enumerate(zip(row, width))))


def outage(count, capacity):
    rows = [("ten minutes without the receiver", "a second, meanwhile", "after it", "timed out", "longest answer", "caught up after", "spool")]
    for name, wait, paced in (("ours", fleet.ours, True), ("OpenTelemetry Collector", fleet.collector, False),
                              ("full jitter", fleet.full_jitter, False), ("exponential, no jitter", fleet.exponential, False),
                              ("fixed 5 s", fleet.fixed, False)):
        dice, receiver = random.Random(10), Receiver(capacity, count)
        agents = [Agent(dice.uniform(0.0, INTERVAL), OUTAGE) for _ in range(count)]
        last, most = drain(agents, receiver, wait, paced, dice)
        rows.append((name, busiest(receiver.arrivals, end=OUTAGE), busiest(receiver.arrivals, start=OUTAGE), receiver.refused,
                     f"{receiver.longest:.1f} s", f"{last - OUTAGE:.0f} s", f"{most * SPOOLED / SPOOL:.2%}"))
    table("An outage: requests", rows)


def start(count):
    """Collections of agents that start within a second, and those of agents whose clocks have one grid."""
    dice = random.Random(10)
    own, shared = collections.Counter(), collections.Counter()
    for _ in range(count):
        begun = dice.uniform(0.0, 1.0)
        second = begun + dice.uniform(INTERVAL / 2, INTERVAL * 1.5)
        for turn in range(12):
            own[int((second + (turn - 1) * INTERVAL if turn else begun) + fleet.WAIT)] += 1
            shared[int(turn * INTERVAL + fleet.WAIT)] += 1
    table("A start of all within a second, and a step of all clocks: requests in the busiest second", [
        ("", "first", "later", "after a step of the clocks"),
        ("ours: a phase of each host, on the monotonic clock", busiest(own, end=INTERVAL / 2), busiest(own, start=INTERVAL / 2),
         "as before"),
        ("collections at round times of the wall clock", busiest(shared, end=INTERVAL / 2), busiest(shared, start=INTERVAL / 2), count)])


def remote(count, capacity):
    """Each host asks at a moment of its own within the interval; a bad configuration stops deliveries until it is taken back."""
    dice = random.Random(10)
    asked = collections.Counter(int(dice.uniform(0.0, REMOTE_INTERVAL)) for _ in range(count))
    table(f"A remote configuration, asked for every {REMOTE_INTERVAL:.0f} s", [
        ("requests in the busiest second", "at every host after"), (busiest(asked), f"{REMOTE_INTERVAL:.0f} s")])
    rows = [("in force for", "requests in the busiest second", "timed out", "longest answer", "all caught up after", "most waiting", "lost")]
    for taken_back in (6.0, PROBATION + 10.0):
        receiver = Receiver(capacity, count)
        agents = []
        for _ in range(count):
            begun = dice.uniform(0.0, REMOTE_INTERVAL)
            agents.append(Agent(begun, begun + taken_back))
        last, most = drain(agents, receiver, fleet.ours, True, dice)
        rows.append((f"{taken_back:.0f} s", busiest(receiver.arrivals), receiver.refused, f"{receiver.longest:.1f} s", f"{last:.0f} s", int(most),
                     0 if most * SPOOLED < SPOOL else "some"))
    table("A bad one to all, whose sink is refused: beside what agents without a backlog send", rows)


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    capacity = float(sys.argv[2]) if len(sys.argv) > 2 else 3 * count * RATE
    print(f"{count:,} agents, {RATE:.0f} samples a second each, {count * RATE / 1e6:.1f} million together; the receiver takes "
          f"{capacity / 1e6:.1f} million a second, answers within {TIMEOUT:.0f} s or not at all")
    start(count)
    outage(count, capacity)
    remote(count, capacity)


if __name__ == "__main__":
    main()
