"""Too few descriptors, processes and addresses."""

import datetime
import json
import os
import random
import re
import socket
import sys
import threading
import time

from agent import Agent, eventually
from delivery_cases import settle
from receiver import Receiver
from report import Findings, Skipped

NOBODY = 65534


def told(agent):
    """The codes in the agent's log."""
    return " ".join(sorted(set(re.findall(r"SND-[A-Z]+\d+", agent.text())))) or "nothing"


class FileAgent(Agent):
    """An agent that reads the kernel's counters into a file."""

    def configuration(self):
        return (f"version: 1\nagent: {{ interval: 200ms, control_socket: {self.socket} }}\n"
                "sources:\n  - { id: kernel, plugin: procnet, level: all, tables: [dev] }\n"
                f"sinks:\n  - {{ id: local, plugin: file, path: {self.directory}/points, batch: {{ wait: 20ms }} }}\n")

    def lateness(self, since):
        """How much later than the earliest of the grid each collection after `since` was, in seconds."""
        with open(f"{self.directory}/points") as file:
            times = sorted({line[9:33] for line in file if line.endswith("\n")})
        # The first two come before the grid.
        instants = [datetime.datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp() for text in times][2:]
        reference = instants[0]
        offsets = [(instant - reference + 0.1) % 0.2 - 0.1 for instant in instants]
        return [offset - min(offsets) for instant, offset in zip(instants, offsets) if instant > since]


def crowd(build, directory, agents, quick):
    """A hundred people ask at once, again and again: each gets an answer, and collections are made on time."""
    findings = Findings()
    agent = FileAgent(build, directory, Receiver()).start()
    agents.append(agent)
    findings.expect(eventually(lambda: agent.status() is not None, 20), "it starts")
    time.sleep(3)
    span, rounds, answers, refusals = 4 if quick else 20, 0, [], []
    missed = agent.status()["sources"][0]["missed"]

    def ask(request):
        end = time.monotonic() + 10
        while time.monotonic() < end:
            answer = agent.ask(request) or {}
            if answer.get("ok"):
                return answers.append(request)
            refusals.append(answer.get("error", {}).get("code"))
            time.sleep(random.uniform(0.02, 0.1))

    since = time.time()
    while time.time() - since < span:
        rounds += 1
        people = [threading.Thread(target=ask, args=[["status", "snapshot", "ping"][number % 3]])
                  for number in range(100)]
        for person in people:
            person.start()
        for person in people:
            person.join()
    late = max(agent.lateness(since), default=9)
    findings.note(f"{len(answers)} answers to {100 * rounds} in {time.time() - since:.1f} s after {len(refusals)} refusals "
                  f"({', '.join(sorted({str(code) for code in refusals})) or 'none'}); a collection was {1000 * late:.0f} ms "
                  f"late at the most of {len(agent.lateness(since))}")
    findings.expect(agent.status()["sources"][0]["missed"] == missed, "no collection was missed")
    findings.expect(len(answers) == 100 * rounds, "everybody got an answer")
    findings.expect(late <= 0.05, "no collection was more than 50 ms late")
    code, _ = agent.stop()
    findings.expect(code == 0, f"the stop ended with {code}")
    return findings.result()


def flood(build, directory, agents, quick):
    """100 MB on one line to the control socket, twice: one refusal each, and the connection and the memory stay as they were."""
    findings = Findings()
    agent = FileAgent(build, directory, Receiver()).start()
    agents.append(agent)
    findings.expect(eventually(lambda: agent.status() is not None, 20), "it starts")
    # Twice: beside the first, the agent still starts, and reads up to 2 MiB of the program.
    start, _ = agent.resident()
    pour(agent, findings)
    before, _ = agent.resident()
    pour(agent, findings)
    after, most = agent.resident()
    findings.expect(after - before < 2, f"{after - before:.1f} MiB of memory")
    findings.expect(most - start < 8, f"{most - start:.1f} MiB of memory at the most, with the start's")
    findings.note(f"{after - before:.1f} MiB more after 100 MB, {most - start:.1f} at the most with the start's")
    code, _ = agent.stop()
    findings.expect(code == 0, f"the stop ended with {code}")
    return findings.result()


def pour(agent, findings):
    """Sends a line of 100 MB, then a request on the same connection."""
    with socket.socket(socket.AF_UNIX) as client:
        client.settimeout(60)
        client.connect(agent.socket)
        client.sendall(b'{"request":"history","metric":"')
        for _ in range(100):
            client.sendall(b"x" * 1_000_000)
        client.sendall(b'"}\n{"request":"ping"}\n')
        lines = client.makefile()
        refusal, ping = json.loads(lines.readline()), json.loads(lines.readline())
    findings.expect(refusal["error"]["code"] == "SND-CTL006", f"it is refused: {refusal}")
    findings.expect(ping.get("ok"), "the next request is answered")


def descriptors(build, directory, agents, quick):
    """32 descriptors, then all of them taken by people who ask and do not read: delivery and collection go on."""
    receiver, findings = Receiver(), Findings()
    agent = Agent(build, directory, receiver, per_tick=100).start(prefix=["prlimit", "--nofile=32:32"])
    agents.append(agent)
    findings.expect(eventually(lambda: receiver.last > 300, 20), "points arrive with 32 descriptors")
    used = len(os.listdir(f"/proc/{agent.process.pid}/fd"))
    crowd = [knock(agent) for _ in range(60)]
    time.sleep(1)
    cpu, began, before = agent_cpu(agent), time.monotonic(), receiver.last
    time.sleep(5)
    share = 100 * (agent_cpu(agent) - cpu) / (time.monotonic() - began)
    crowded = len(os.listdir(f"/proc/{agent.process.pid}/fd"))
    findings.expect(agent.is_alive, "the agent lives")
    findings.expect(receiver.last > before, "delivery goes on while the socket is crowded")
    findings.expect(share < 30, f"{share:.0f} % of CPU while the socket is crowded")
    # A new connection and a new segment need descriptors that are not there.
    receiver.down()
    time.sleep(2)
    receiver.up()
    before = receiver.last
    for client in crowd:
        client.close()
    findings.expect(eventually(lambda: agent.status() is not None, 20), "it answers when the crowd has gone")
    findings.expect(eventually(lambda: receiver.last > before, 20), "delivery goes on when the crowd has gone")
    findings.note(f"{used} descriptors in use, {crowded} with a crowd of 60, CPU {share:.0f} %, told: {told(agent)}")
    settle(agent, receiver, findings)
    return findings.result()


def knock(agent):
    """A connection to the control socket that asks nothing."""
    client = socket.socket(socket.AF_UNIX)
    client.settimeout(1)
    try:
        client.connect(agent.socket)
    except OSError:
        pass
    return client


def agent_cpu(agent):
    """CPU seconds of an agent that cannot be asked."""
    with open(f"/proc/{agent.process.pid}/stat") as file:
        fields = file.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def few_descriptors(build, directory, agents, quick):
    """Every bound from 4 descriptors up: it works, or ends with words and an exit code."""
    findings = Findings()
    outcomes = {}
    for bound in [4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28]:
        receiver = Receiver()
        agent = Agent(build, os.path.join(directory, str(bound)), receiver, per_tick=100)
        agents.append(agent)
        agent.start(prefix=["prlimit", f"--nofile={bound}:{bound}"])
        works = eventually(lambda: receiver.last > 300 or not agent.is_alive, 5) and agent.is_alive
        if agent.is_alive:
            code, _ = agent.stop()
        else:
            code = agent.process.returncode
        outcomes[bound] = "works" if works else f"exit {code}"
        findings.expect(isinstance(code, int) and code >= 0, f"{bound} descriptors: ended with {code}")
        findings.expect(works or agent.text().strip(), f"{bound} descriptors: not a word")
        # An event for the call would be one descriptor too many.
        findings.expect(code != 0 or "eventfd failed" not in agent.text(), f"{bound} descriptors: its instances are closed")
    findings.note(", ".join(f"{bound}: {outcome}" for bound, outcome in outcomes.items()))
    findings.expect(outcomes[24] == "works", "24 descriptors are enough")
    return findings.result()


def as_nobody(agent):
    """Gives what the agent writes to a plain user: root is above the bound of processes."""
    for folder, _, files in os.walk(agent.directory):
        for path in [folder, *(os.path.join(folder, name) for name in files)]:
            os.chown(path, NOBODY, NOBODY)
    return ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups"]


def threads(build, directory, agents, quick):
    """Fewer processes and threads than the agent wants: it ends with words and an exit code, or works."""
    if os.geteuid() != 0:
        raise Skipped("only root can become somebody else")
    findings, outcomes = Findings(), {}
    for bound in [1, 2, 3, 4, 6, 8, 16]:
        receiver = Receiver()
        agent = Agent(build, os.path.join(directory, str(bound)), receiver, per_tick=100)
        agents.append(agent)
        prefix = as_nobody(agent)
        agent.start(prefix=[*prefix, "prlimit", f"--nproc={bound}:{bound}"])
        works = eventually(lambda: receiver.last > 300 or not agent.is_alive, 5) and agent.is_alive
        count = len(os.listdir(f"/proc/{agent.process.pid}/task")) if agent.is_alive else 0
        code = agent.stop()[0] if agent.is_alive else agent.process.returncode
        outcomes[bound] = f"works with {count} threads" if works else f"{count or 'no'} threads, exit {code}"
        findings.expect(isinstance(code, int) and code >= 0, f"{bound} processes: ended with {code}")
        findings.expect(works or agent.text().strip(), f"{bound} processes: not a word")
    findings.note(", ".join(f"{bound}: {outcome}" for bound, outcome in outcomes.items()))
    findings.expect(outcomes[16].startswith("works"), "16 are enough")
    return findings.result()


def address_space(build, directory, agents, quick):
    """An address space of 128 MiB, with a receiver that is down for a while."""
    receiver, findings = Receiver(), Findings()
    agent = Agent(build, directory, receiver, per_tick=1000)
    agents.append(agent)
    bound = 128 << 20
    agent.start(prefix=["prlimit", f"--as={bound}:{bound}"])
    findings.expect(eventually(lambda: receiver.last > 3000 or not agent.is_alive, 20), "points arrive")
    findings.expect(agent.is_alive, "the agent lives in 128 MiB")
    if agent.is_alive:
        receiver.down()
        time.sleep(2 if quick else 10)
        receiver.up()
        with open(f"/proc/{agent.process.pid}/status") as file:
            sizes = [line.split()[1] for line in file if line.startswith(("VmPeak", "VmHWM"))]
        findings.note(f"{int(sizes[0]) >> 10} MiB of addresses at most, {int(sizes[1]) >> 10} MiB resident at most")
        settle(agent, receiver, findings)
    return findings.result()


class ListeningAgent(Agent):
    """Captures on the loopback interface beside its source of numbers."""

    def sources(self):
        return super().sources() + "  - { id: wire, plugin: pcap, level: all, interface: lo, buffer_size: 1MiB }\n"


def packets_forbidden(build, directory, agents, quick):
    """No capability, and a filter of address families: both say which lines are missing, and all else goes on."""
    if os.geteuid() != 0:
        raise Skipped("only root has a capability to take away")
    findings = Findings()
    family = [sys.executable, os.path.join(os.path.dirname(os.path.abspath(__file__)), "without_packets.py")]
    for name, prefix, code in [("allowed", [], None),
                               ("no-capability", ["setpriv", "--bounding-set=-net_raw"], "SND-PCP002"),
                               ("no-family", family, "SND-PCP002")]:
        receiver = Receiver()
        agent = ListeningAgent(build, os.path.join(directory, name), receiver, per_tick=100)
        agents.append(agent)
        agent.start(prefix=prefix)
        findings.expect(eventually(lambda: receiver.last > 300, 20), f"{name}: points arrive")
        seen = eventually(lambda: "capturing on 'lo'" in agent.text(), 10)
        findings.expect(seen and told(agent) == (code or "nothing"), f"{name}: {told(agent)}")
        if code:
            findings.expect("RestrictAddressFamilies=AF_PACKET" in agent.text(), f"{name}: the lines")
        settle(agent, receiver, findings)
        findings.note(f"{name}: {told(agent)}")
    return findings.result()


CASES = {"crowd": crowd, "flood": flood, "packets-forbidden": packets_forbidden, "descriptors": descriptors, "few-descriptors": few_descriptors, "few-threads": threads,
         "address-space": address_space}
