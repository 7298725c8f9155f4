#!/usr/bin/env python3
"""What 10,000 agents do to a receiver that was down for ten minutes, by formula of waiting.

Arithmetic alone: every agent collects POINTS_PER_SECOND, fails at once while the receiver is down, and needs SERVICE
seconds per accepted batch. Counts requests per second of the clock. Ours is Backoff.swift, DrainPacer.swift and
HostSplay.swift with their defaults; the others are the formulas of peers with the same batches.
"""

import collections
import random

AGENTS, OUTAGE, RESTART_BEFORE_END = 10_000, 600.0, 60.0
INTERVAL, POINTS_PER_SECOND, BATCH, SERVICE, WAIT = 10.0, 50.0, 5_000, 0.05, 1.0
FASTEST, LONGEST_DRAIN = 4.0, 3_600.0


def fixed(failures, dice):
    return 5.0


def exponential(failures, dice):
    return min(60.0, 2.0 ** (failures - 1))


def collector(failures, dice):
    """OpenTelemetry Collector: 5 s, factor 1.5, randomization 0.5, at most 30 s (its limit of 300 s is left out)."""
    return min(30.0, 5.0 * 1.5 ** (failures - 1)) * dice.uniform(0.5, 1.5)


def full_jitter(failures, dice):
    return dice.uniform(0.0, min(60.0, 2.0 ** min(failures, 16)))


def ours(failures, dice):
    return dice.uniform(1.0, min(60.0, 2.0 ** min(failures, 16)))


def rate_of_outage(now):
    """What an agent that has seen the outage knows: the rate at which points came meanwhile."""
    return POINTS_PER_SECOND


def rate_since(start, phase):
    """What an agent that began with a backlog knows: what has come since its start, its first collection at once, and
    the rate at which the backlog piled up."""
    # The grid lies half an interval after the first collection at the least.
    second = phase if phase >= INTERVAL / 2 else phase + INTERVAL

    def rate(now):
        span = now - start
        collections = 1 if span < second else 2 + int((span - second) / INTERVAL)
        collected = POINTS_PER_SECOND * INTERVAL * collections / span if span >= 5.0 else None
        return max(collected, POINTS_PER_SECOND) if collected else None
    return rate


def drain(begun, backlog, rate, requests):
    """One agent's requests from its first accepted one on; `rate` paces them, None: nothing does."""
    now, factor, waiting, largest = begun, 1.0, backlog, backlog
    while True:
        requests[int(now)] += 1
        count = min(BATCH, waiting)
        waiting -= count
        if waiting <= 0:
            return now
        # At most one batch waits: no pause any more.
        pause = 0.0
        if rate and waiting > BATCH:
            known = rate(now)
            # Five seconds make a rate; a drain that begins earlier waits for it.
            largest = max(largest, waiting)
            pace = max(FASTEST * known, known + largest / LONGEST_DRAIN) if known else None
            pause = count / (pace * factor / FASTEST) if pace else 5.0
            factor = factor if known is None else min(FASTEST, factor * 2)
        step = max(SERVICE, min(pause, 60.0))
        waiting += POINTS_PER_SECOND * step
        if waiting < POINTS_PER_SECOND * INTERVAL:
            return now
        now += step


def simulate(wait, paced, splay, starts):
    """Requests per second; `starts` says when an agent first knocks, and since when its row of failures lasts."""
    dice = random.Random(10)
    requests, last = collections.Counter(), 0.0
    for agent in range(AGENTS):
        now, failures = starts(agent, dice), 0
        start, phase = now, dice.uniform(0.0, INTERVAL)
        if splay:
            now += dice.uniform(0.0, 30.0)
        while now < OUTAGE:
            requests[int(now)] += 1
            failures += 1
            now += wait(failures, dice)
        backlog = OUTAGE * POINTS_PER_SECOND
        rate = rate_of_outage if failures > 0 else rate_since(start, phase)
        last = max(last, drain(now, backlog, rate if paced else None, requests))
    return requests, last


def running(agent, dice):
    """The receiver goes down while the agents run, each at its own phase."""
    return dice.uniform(0.0, INTERVAL)


def restarted_before(agent, dice):
    """All agents start within one second, a minute before the receiver is back."""
    return OUTAGE - RESTART_BEFORE_END + dice.uniform(0.0, 1.0)


def restarted_at_the_end(agent, dice):
    """All agents start within the second in which the receiver is back."""
    return OUTAGE + dice.uniform(0.0, 1.0)


def steady(has_phase):
    """Requests in the busiest second of agents that start in one second with nothing behind: at first, and later."""
    dice = random.Random(10)
    requests = collections.Counter()
    for agent in range(AGENTS):
        start = dice.uniform(0.0, 1.0)
        phase = dice.uniform(0.0, INTERVAL) if has_phase else 0.0
        requests[int(start + WAIT)] += 1
        now = start + (phase if phase >= INTERVAL / 2 else phase + INTERVAL)
        while now < 120.0:
            requests[int(now + WAIT)] += 1
            now += INTERVAL
    first = max(count for second, count in requests.items() if second < INTERVAL / 2)
    later = max(count for second, count in requests.items() if second >= INTERVAL / 2)
    return first, later


def main():
    policies = [("ours", ours, True, True), ("fixed 5 s", fixed, False, False),
                ("exponential, no jitter", exponential, False, False),
                ("OpenTelemetry Collector", collector, False, False), ("full jitter", full_jitter, False, False)]
    scenarios = [("outage alone", running), ("restart of all 60 s before its end", restarted_before),
                 ("restart of all at its end", restarted_at_the_end)]
    print(f"{AGENTS} agents, {OUTAGE:.0f} s down, {OUTAGE * POINTS_PER_SECOND:.0f} points behind each, "
          f"batches of {BATCH}; requests in the busiest second")
    for title, starts in scenarios:
        print(f"\n{title}")
        print(f"{'':26}{'while down':>12}{'after':>12}{'last drained':>15}")
        for name, wait, paced, splays in policies:
            requests, last = simulate(wait, paced, splays and starts is not running, starts)
            down = max((count for second, count in requests.items() if second < OUTAGE), default=0)
            after = max(count for second, count in requests.items() if second >= OUTAGE)
            print(f"{name:26}{down:>12}{after:>12}{last - OUTAGE:>13.0f} s")
    print("\nstart of all with nothing behind")
    print(f"{'':26}{'first batch':>12}{'later':>12}")
    for name, has_phase in [("ours", True), ("without a phase", False)]:
        first, later = steady(has_phase)
        print(f"{name:26}{first:>12}{later:>12}")


if __name__ == "__main__":
    main()
