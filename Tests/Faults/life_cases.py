"""Time that stands still or jumps, and a long backlog."""

import os
import signal
import struct
import time

from agent import Agent, eventually
from delivery_cases import settle
from disk_cases import used
from receiver import Receiver
from report import Findings


def frozen(build, directory, agents, quick):
    """SIGSTOP for a while: no burst of missed ticks."""
    receiver, findings = Receiver(), Findings()
    agent = Agent(build, directory, receiver, per_tick=100).start()
    agents.append(agent)
    eventually(lambda: receiver.last > 500)
    before = agent.status()["sources"][0]
    os.kill(agent.process.pid, signal.SIGSTOP)
    time.sleep(30)
    os.kill(agent.process.pid, signal.SIGCONT)
    began = time.monotonic()
    time.sleep(2)
    after = agent.status()["sources"][0]
    ticks, span = after["collections"] - before["collections"], time.monotonic() - began
    findings.note(f"{ticks} collections in {span:.1f} s after 30 s of SIGSTOP, {after['missed'] - before['missed']} missed")
    findings.expect(ticks <= span * 10 + 5, "missed ticks are not made up for")
    findings.expect(after["missed"] - before["missed"] >= 250, "missed ticks are counted")
    settle(agent, receiver, findings)
    return findings.result()


def clock_jumps(build, directory, agents, quick):
    """The wall clock jumps far, forwards and back, with a receiver that fails meanwhile; in 1970 samples are held."""
    receiver, findings = Receiver(), Findings()
    agent = Agent(build, directory, receiver, per_tick=100)
    agents.append(agent)
    path = os.path.join(directory, "clock")

    def jump(seconds):
        with open(path, "r+b" if os.path.exists(path) else "wb") as file:
            file.write(struct.pack("=q", int(seconds * 1e9)))

    jump(0)
    agent.start(environment={"LD_PRELOAD": build.clock, "FAULT_CLOCK": path})
    findings.expect(eventually(lambda: receiver.last > 300, 30), "points arrive")
    day, now = 86_400, time.time()
    for year, offset in [("+100 d", 100 * day), ("-5 d", -5 * day), ("1970", day - now),
                         ("2040", 2_211_667_200 - now), ("now", 0)]:
        receiver.mode = 500
        time.sleep(0.5)
        begun = len(receiver.attempts)
        jump(offset)
        time.sleep(3)
        rate = (len(receiver.attempts) - begun) / 3
        findings.expect(rate < 30, f"{rate:.0f} attempts per second after {year}")
        findings.expect(agent.is_alive, f"the agent lives through {year}")
        said = (agent.status() or {}).get("time", "")[:10]
        findings.note(f"{year}: {rate:.0f} attempts/s, clock says {said}")
        findings.expect(year in ("+100 d", "-5 d", "now") or said.startswith(year), "the clock has jumped")
        before = receiver.last
        receiver.mode = "ok"
        if year == "1970":
            errors = (agent.status() or {}).get("agent", {}).get("errors", [])
            findings.expect([error["code"] for error in errors] == ["SND-RUN011"], f"it says that it holds: {errors}")
            continue
        findings.expect(eventually(lambda: receiver.last > before, 20), f"delivery goes on after {year}")
    told = agent.losses()
    findings.expect(not told, f"nothing is lost: {told}")
    settle(agent, receiver, findings)
    return findings.result()


def long_backlog(build, directory, agents, quick):
    """A backlog of SONDE_BACKLOG_MIB (default 256): a quick start, and little memory while it drains."""
    mebibytes = int(os.environ.get("SONDE_BACKLOG_MIB", "256"))
    receiver, findings = Receiver(), Findings()
    agent = Agent(build, directory, receiver, per_tick=400_000, per_commit=5000, batch="{ wait: 20ms }",
                  spool=f"max_bytes: {2 * mebibytes}MiB", grace="1s")
    agents.append(agent)
    receiver.down()
    agent.start()
    size = lambda: used(os.path.join(agent.state, "spool"))
    findings.expect(eventually(lambda: size() >= mebibytes << 20, 420, 0.5), "the backlog grows")
    grown, _ = agent.resident()
    agent.stop()
    behind, bytes_waiting = agent.acknowledged(), size()
    # A backlog is drained at four times the rate at which points come: enough of them to see it drain.
    agent.options.update(per_tick=5_000, per_commit=5000)
    receiver.keeps = False
    receiver.up()
    began = time.monotonic()
    agent.start()
    findings.expect(eventually(lambda: agent.status() is not None, 30, 0.005), "the agent answers")
    start = time.monotonic() - began
    findings.expect(eventually(lambda: receiver.points > 0, 40), "it drains")
    first, drained = time.monotonic(), receiver.points
    most = 0.0
    while time.monotonic() - first < 20:
        most = max(most, agent.resident()[0])
        time.sleep(0.2)
    rate = (receiver.points - drained) / (time.monotonic() - first)
    findings.note(f"{bytes_waiting >> 20} MiB with {behind} numbers: answers {start:.2f} s after its start, "
                  f"RSS {most:.1f} MiB at most while it drains {rate:.0f} points/s; {grown:.1f} MiB while it grew")
    findings.expect(start < 1, "it starts within a second")
    # A debug build has 3 MiB more of code and of allocations that are not optimized away.
    bound = 28 if build.is_debug else 24
    findings.expect(most < bound, f"it stays under {bound} MiB")
    agent.stop()
    return findings.result()


CASES = {"frozen": frozen, "clock-jumps": clock_jumps, "long-backlog": long_backlog}
