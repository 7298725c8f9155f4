"""Too few descriptors, processes and addresses."""

import os
import re
import socket
import sys
import time

from agent import Agent, eventually
from delivery_cases import settle
from receiver import Receiver
from report import Findings, Skipped

NOBODY = 65534


def told(agent):
    """The codes in the agent's log."""
    return " ".join(sorted(set(re.findall(r"SND-[A-Z]+\d+", agent.text())))) or "nothing"


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
    findings.note(", ".join(f"{bound}: {outcome}" for bound, outcome in outcomes.items()))
    findings.expect(outcomes[28] == "works", "28 descriptors are enough")
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
        return super().sources() + "  - { id: wire, plugin: pcap, interface: lo, buffer_size: 1MiB }\n"


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


CASES = {"packets-forbidden": packets_forbidden, "descriptors": descriptors, "few-descriptors": few_descriptors, "few-threads": threads,
         "address-space": address_space}
