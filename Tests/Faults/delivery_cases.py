"""Receivers that fail, and agents that are killed or stopped meanwhile."""

import random
import time

from agent import Agent, eventually
from receiver import LIFE, Receiver
from report import Findings


def settle(agent, receiver, findings, may_lose=False, limit=60):
    """Waits until everything that was acknowledged has arrived, stops the agent and asks the oracle.

    What a busy machine has not delivered by the stop lies in the spool, and has to come in a further life without load.
    `may_lose`: what the agent's ledger says it has lost may be missing, and no more.
    """
    # A signal that comes before the agent has looked for signals ends it without a word.
    eventually(lambda: agent.status() is not None)
    eventually(lambda: receiver.last >= agent.acknowledged() - 5 * agent.options["per_tick"], limit)
    end(agent, findings)
    waiting = agent.acknowledged() - receiver.last
    if waiting > 0 and agent.state:
        findings.note(f"{waiting} came with a further start")
        agent.options["per_tick"] = 1
        agent.start(prefix=agent.prefix)
        eventually(lambda: receiver.last >= agent.acknowledged() - 5, 120)
        end(agent, findings)
    told = agent.lost_in_all()
    if may_lose:
        findings.note(f"{told} in the ledger")
    else:
        findings.expect(told == 0, f"the ledger says {told} were lost")
    findings.delivered(receiver.verdict(), agent.acknowledged(), told)


def end(agent, findings):
    """Stops the agent, and expects that it ends well."""
    code, seconds = agent.stop()
    findings.expect(code == 0, f"the stop ended with {code} after {seconds:.1f} s")


def kill_loop(build, directory, agents, quick):
    """kill -9 at random moments under load."""
    kills = 20 if quick else 200
    receiver, findings, dice = Receiver(), Findings(), random.Random(7)
    # A timeout that no busy machine reaches: within one life no batch comes twice.
    agent = Agent(build, directory, receiver, per_tick=500, per_commit=50, timeout="10s")
    agents.append(agent)
    # Widens the gap between what the receiver has and what the agent knows that it has.
    receiver.delay = 0.04
    lives = 0
    for life in range(kills):
        before, batches = agent.acknowledged(), len(receiver.batches)
        agent.options["sink"] = f"    headers: {{ {LIFE}: '{life}' }}\n"
        agent.start()
        eventually(lambda: agent.acknowledged() > before or not agent.is_alive, 10, every=0.002)
        if dice.random() < 0.5:
            # The receiver has a batch, the agent does not know yet.
            eventually(lambda: len(receiver.batches) > batches, 5, every=0.002)
        time.sleep(dice.uniform(0, 0.25))
        findings.expect(agent.is_alive, "the agent ended by itself")
        agent.kill()
        lives += agent.acknowledged() > before
    acknowledged = agent.acknowledged()
    delivered = receiver.last
    agent.options["sink"] = f"    headers: {{ {LIFE}: '{kills}' }}\n"
    agent.start()
    settle(agent, receiver, findings)
    verdict = receiver.verdict()
    worst = max(verdict.after_kills.values(), default=0)
    findings.expect(worst <= 1, f"{worst} batches came again after one kill")
    findings.expect(verdict.within_lives == 0, f"{verdict.within_lives} batches came twice in one life")
    findings.note(f"{len(verdict.after_kills)} kills brought a batch again, each at most {worst}")
    findings.expect(lives == kills, f"only {lives} of {kills} lives took numbers")
    findings.note(f"{kills} kills, {acknowledged} acknowledged, {delivered} delivered at the last kill")
    return findings.result()


def receiver_faults(build, directory, agents, quick):
    """The receiver hangs, resets, refuses, asks to wait, fails; then it is well again."""
    span = 1.2 if quick else 5
    receiver, findings = Receiver(), Findings()
    agent = Agent(build, directory, receiver, per_tick=100).start()
    agents.append(agent)
    findings.expect(eventually(lambda: receiver.last > 0), "nothing arrives at first")
    for mode, wish in [("hang", None), ("reset", None), (500, None), (503, "soon"), (429, "1"), (502, None)]:
        receiver.retry_after = wish
        begun = len(receiver.attempts)
        receiver.mode = mode
        time.sleep(span)
        findings.expect(agent.is_alive, f"the agent lives through {mode}")
        rate = (len(receiver.attempts) - begun) / span
        findings.expect(rate < 30, f"{rate:.0f} attempts per second at {mode}")
        before = receiver.last
        receiver.mode, receiver.retry_after = "ok", None
        findings.expect(eventually(lambda: receiver.last > before, 20), f"nothing arrives after {mode}")
    receiver.down()
    time.sleep(span)
    receiver.up()
    settle(agent, receiver, findings)
    findings.note(f"{len(receiver.attempts)} attempts")
    return findings.result()


def stop_in_outage(build, directory, agents, quick):
    """SIGTERM while the receiver is down: an end in time, and everything after the next start."""
    receiver, findings = Receiver(), Findings()
    agent = Agent(build, directory, receiver, per_tick=100, grace="3s").start()
    agents.append(agent)
    eventually(lambda: receiver.last > 0)
    for mode in ["hang", "refused"]:
        if mode == "refused":
            receiver.down()
        else:
            receiver.mode = mode
        time.sleep(1.5)
        code, seconds = agent.stop()
        findings.expect(code in (0, 75) and seconds < 4.5, f"the end came after {seconds:.1f} s with {code}")
        findings.note(f"stop with a receiver that {'hangs' if mode == 'hang' else 'is gone'}: {seconds:.1f} s, exit {code}")
        if mode == "hang":
            agent.start()
            time.sleep(0.5)
    receiver.up()
    agent.start()
    settle(agent, receiver, findings)
    return findings.result()


CASES = {"kill-loop": kill_loop, "receiver-faults": receiver_faults, "stop-in-outage": stop_in_outage}
