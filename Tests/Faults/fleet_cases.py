"""Many agents that restart in the same moment."""

import collections
import os
import time
import uuid

from agent import Agent, eventually
from receiver import Receiver
from report import Findings


class FleetAgent(Agent):
    """An agent as it is installed: the default retry, a quiet source, an interval of ten seconds, an id like any other."""

    def __init__(self, build, directory, receiver, name):
        os.makedirs(os.path.join(directory, name))
        super().__init__(build, os.path.join(directory, name), receiver, interval="10s", per_tick=20, per_commit=20,
                         batch="{}", timeout="10s", retry="{}", identity=str(uuid.uuid4()))


def fleet_restart(build, directory, agents, quick):
    """200 agents restart together while the receiver says 503, for 60 s: the arrivals after that are spread."""
    count, outage, watched = 200, 60, 120
    receiver, findings = Receiver(), Findings()
    fleet = [FleetAgent(build, directory, receiver, f"agent-{number}") for number in range(count)]
    agents.extend(fleet)
    # A life before: every agent has a backlog when it starts again.
    receiver.mode = 503
    for agent in fleet:
        agent.start()
    findings.expect(eventually(lambda: all(agent.acknowledged() > 20 for agent in fleet), 90, 0.5), "all collect")
    for agent in fleet:
        agent.kill()
    began = time.monotonic()
    for agent in fleet:
        agent.start()
    started = time.monotonic() - began
    time.sleep(max(0, outage - started))
    with receiver.lock:
        tried = len(receiver.attempts)
        receiver.mode = "ok"
    recovered = time.monotonic()
    time.sleep(watched)
    with receiver.lock:
        arrivals = [int(moment - recovered) for moment, _ in receiver.attempts[tried:]]
        reached = {batch.identity.split("/")[0] for batch in receiver.batches}
    seconds = collections.Counter(arrivals)
    mean = len(arrivals) / watched
    second, peak = max(seconds.items(), key=lambda item: item[1], default=(0, 0))
    steady = max((found for at, found in seconds.items() if at >= watched // 2), default=0)
    findings.note(f"{count} agents started within {started:.1f} s; {tried} attempts before; after it {mean:.1f} arrivals "
                  f"per second, {peak} in the busiest ({second} s after), {steady} in the busiest of "
                  f"the second half, {len(reached)} agents reached it; by 10 s: {[sum(seconds[s] for s in range(at, at + 10)) for at in range(0, watched, 10)]}")
    findings.expect(peak <= 3 * mean, f"{peak} arrivals in one second are more than three times {mean:.1f}")
    findings.expect(len(reached) == count, f"only {len(reached)} of {count} agents delivered")
    findings.expect(all(agent.is_alive for agent in fleet), "all live")
    for agent in fleet:
        agent.process.terminate()
    codes = collections.Counter(agent.process.wait(30) for agent in fleet)
    findings.expect(set(codes) <= {0}, f"they ended with {dict(codes)}")
    missing, flaws = verdict(receiver, fleet)
    findings.expect(missing == 0 and not receiver.flaws, f"{missing} numbers are missing, flaws {receiver.flaws[:1]}")
    findings.expect(not flaws, f"{flaws} batches are out of order")
    findings.note(f"{sum(agent.acknowledged() for agent in fleet)} numbers acknowledged, {missing} missing")
    return findings.result()


def verdict(receiver, fleet):
    """How many numbers that some agent acknowledged have not arrived, and how many first deliveries are out of order."""
    last, missing, flaws, seen = collections.Counter(), 0, 0, set()
    for batch in receiver.batches:
        if batch.identity in seen:
            continue
        seen.add(batch.identity)
        agent = batch.identity.split("/")[0]
        for first, end in batch.numbers:
            flaws += first <= last[agent]
            missing += max(0, first - last[agent] - 1)
            last[agent] = max(last[agent], end)
    return missing + sum(max(0, agent.acknowledged() - last[agent.identity]) for agent in fleet), flaws


CASES = {"fleet-restart": fleet_restart}
