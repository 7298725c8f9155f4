"""A resolver's log that is written and rotated while the agent is killed: every line counts once."""

import json
import os
import random
import threading
import time

from agent import Agent, eventually
from report import Findings


class FollowingAgent(Agent):
    """`sonde run` with the source dnslog and a file sink."""

    def __init__(self, build, directory):
        self.path = os.path.join(directory, "q.log")
        self.output = os.path.join(directory, "out.ndjson")
        super().__init__(build, directory, Nowhere(), interval="100ms")

    def configuration(self):
        return (f"version: 1\nagent:\n  interval: 100ms\n  control_socket: {self.socket}\n  state_dir: {self.state}\n"
                f"sources:\n  - {{ id: resolver, plugin: dnslog, level: all, path: {self.path}, start: beginning }}\n"
                f"sinks:\n  - {{ id: web, plugin: file, path: {self.output}, batch: {{ wait: 20ms }} }}\n")

    def counted(self, metric):
        """What all lives together have counted: the last number of each, by the time that its counter began."""
        lives = {}
        try:
            with open(self.output) as file:
                for line in file:
                    if f'"name":"{metric}"' not in line or not line.endswith("\n"):
                        continue
                    point = json.loads(line)
                    key = (point["start"], json.dumps(point["attributes"]))
                    lives[key] = max(lives.get(key, 0), point["value"])
        except FileNotFoundError:
            pass
        return sum(lives.values())


class Nowhere:
    """Stands for the receiver that this agent does not have."""
    url = ""


class Resolver(threading.Thread):
    """Writes queries as unbound does, ends writes in the middle of lines, and renames its log every half second."""

    def __init__(self, path, seconds):
        super().__init__(daemon=True)
        self.path, self.seconds, self.lines, self.rotations = path, seconds, 0, 0

    def run(self):
        ended = time.monotonic() + self.seconds
        rotation = time.monotonic() + 0.5
        while time.monotonic() < ended:
            with open(self.path, "ab", buffering=0) as file:
                while time.monotonic() < rotation:
                    text = "".join(f"[1795223093] unbound[1:0] query: 192.0.2.1 n{self.lines + number}.example. A IN\n"
                                   for number in range(50)).encode()
                    cut = len(text) // 2 + 7
                    file.write(text[:cut])
                    time.sleep(0.005)
                    file.write(text[cut:])
                    self.lines += 50
                    time.sleep(0.005)
            rotation += 0.5
            self.rotations += 1
            os.rename(self.path, f"{self.path}.{self.rotations}")


def log_kill(build, directory, agents, quick):
    """kill -9 again and again while the log is written and renamed."""
    findings = Findings()
    agent = FollowingAgent(build, directory)
    agents.append(agent)
    resolver = Resolver(agent.path, 10 if quick else 60)
    resolver.start()
    kills = 0
    while resolver.is_alive():
        agent.start()
        time.sleep(random.uniform(0.3, 1.5))
        agent.kill()
        kills += 1
    agent.start()
    # What waits after so many lives is delivered at a pace.
    told = eventually(lambda: agent.counted("sonde.dns.resolver.query.count") >= resolver.lines, 90, 0.5)
    counted = agent.counted("sonde.dns.resolver.query.count")
    findings.note(f"{resolver.lines} lines, {resolver.rotations} rotations, {kills} kills, {counted} counted")
    findings.expect(told and counted == resolver.lines, "every line counts once")
    losses = agent.losses()
    findings.expect(not losses, f"nothing is in the ledger: {losses}")
    code, _ = agent.stop()
    findings.expect(code == 0, f"the agent ends with {code}")
    findings.expect(agent.counted("sonde.dns.resolver.query.count") == resolver.lines, "no line counts at the end")
    return findings.result()


CASES = {"log-kill": log_kill}
