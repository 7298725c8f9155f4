"""Names that move and networks that swallow packets, each in network namespaces of its own."""

import contextlib
import os
import time

from agent import Agent, eventually
from delivery_cases import settle
from namespace import Namespace, NameServer, ip
from receiver import Receiver
from report import Findings, Skipped

NAME = "metrics.test"
# What CurlTransfer+Options.swift says: the age from which on a connection is not used again.
CONNECTION_LIFE = 600
# How long it believes a name that it has looked up, in the same file.
NAME_LIFE = 10


@contextlib.contextmanager
def moving_name(build, directory, agents, fault=None):
    """An agent that posts to a name, two receivers that share what they take, and the name's server."""
    with Namespace(nameserver="127.0.0.53") as space:
        old = space.call(lambda: Receiver("127.0.0.11"))
        new = space.call(lambda: Receiver("127.0.0.12", old.port))
        new.share(old)
        names = NameServer(space, "127.0.0.53", old.address)
        names.fault = fault
        agent = Agent(build, directory, old, per_tick=100)
        agent.url = f"http://{NAME}:{old.port}/ingest"
        agent.prefix = space.prefix
        agents.append(agent)
        agent.start(prefix=agent.prefix)
        try:
            yield agent, old, new, names
        finally:
            if agent.is_alive:
                agent.kill()
            names.close()


def arrives_at(receiver):
    """Whether the newest batch went to this receiver."""
    with receiver.lock:
        return bool(receiver.batches) and receiver.batches[-1].address == receiver.address


def name_moves(build, directory, agents, quick):
    """A name gets another address and the old one refuses: the new one is used when libcurl looks it up again."""
    findings = Findings()
    with moving_name(build, directory, agents) as (agent, old, new, names):
        findings.expect(eventually(lambda: arrives_at(old), 20), "the old address is used at first")
        time.sleep(1)
        names.address = new.address
        old.down()
        began, asked = time.monotonic(), names.queries
        findings.expect(eventually(lambda: arrives_at(new), NAME_LIFE + 10), f"the new address is used within {NAME_LIFE + 10} s")
        findings.note(f"at the new address after {time.monotonic() - began:.1f} s and "
                      f"{names.queries - asked} questions")
        settle(agent, new, findings)
    return findings.result()


def name_moves_quietly(build, directory, agents, quick):
    """The same while the old address goes on answering: the new one is used when the connection is old."""
    if not os.environ.get("SONDE_LONG_FAULTS"):
        raise Skipped("ten minutes; SONDE_LONG_FAULTS=1 runs it")
    findings = Findings()
    with moving_name(build, directory, agents) as (agent, old, new, names):
        findings.expect(eventually(lambda: arrives_at(old), 20), "the old address is used at first")
        names.address = new.address
        began = time.monotonic()
        findings.expect(eventually(lambda: arrives_at(new), CONNECTION_LIFE + 30, 0.5), "the new address is used")
        findings.note(f"at the new address after {time.monotonic() - began:.0f} s")
        settle(agent, new, findings)
    return findings.result()


def name_server_fails(build, directory, agents, quick):
    """The name server does not know the name, fails, or says nothing: each attempt asks once, and all arrives later."""
    span = 10
    findings = Findings()
    with moving_name(build, directory, agents, fault="NXDOMAIN") as (agent, receiver, _, names):
        for fault in ["NXDOMAIN", "SERVFAIL", "silence"]:
            if fault != names.fault:
                # Only a new process has forgotten what it has looked up, and has no connection.
                agent.kill()
                names.fault = fault
                agent.start(prefix=agent.prefix)
            eventually(lambda: agent.status() is not None)
            before, asked = attempts(agent), names.queries
            time.sleep(span)
            tried, asked = attempts(agent) - before, names.queries - asked
            with open(f"/proc/{agent.process.pid}/status") as file:
                count = next(int(line.split()[1]) for line in file if line.startswith("Threads:"))
            findings.expect(tried > 0, f"it is tried again at {fault}")
            # Each lookup asks for both kinds of addresses.
            findings.expect(asked <= 2 * (tried + 2), f"{asked} questions for {tried} attempts at {fault}")
            findings.expect(count < 16, f"{count} threads at {fault}")
            findings.note(f"{fault}: {tried} attempts, {asked} questions, {count} threads")
            arrived = receiver.last
            names.fault = None
            findings.expect(eventually(lambda: receiver.last > arrived, 20), f"delivery goes on after {fault}")
        settle(agent, receiver, findings)
    return findings.result()


def attempts(agent):
    """How many attempts have failed so far."""
    return agent.status()["sinks"][0]["failures"]


def packets_dropped(build, directory, agents, quick):
    """A standing connection loses every packet in both directions, without a word; then the network is well again."""
    span = 300 if os.environ.get("SONDE_LONG_FAULTS") else 20
    cap, timeout = 2, 2
    findings = Findings()
    with Namespace() as near, Namespace() as far:
        ip("link", "add", "v0", "netns", near.name, "type", "veth", "peer", "name", "v0", "netns", far.name)
        ends = [(near, "10.83.0.1", "02:00:00:00:83:01"), (far, "10.83.0.2", "02:00:00:00:83:02")]
        for space, address, hardware in ends:
            ip("-n", space.name, "link", "set", "v0", "address", hardware, "up")
            ip("-n", space.name, "address", "add", f"{address}/24", "dev", "v0")

        def neighbours(*hardware):
            """Fixed neighbours: with a wrong hardware address every frame is dropped where it arrives."""
            for (space, _, _), (_, address, _), found in zip(ends, reversed(ends), hardware):
                ip("-n", space.name, "neigh", "replace", address, "lladdr", found, "nud", "permanent", "dev", "v0")

        neighbours(ends[1][2], ends[0][2])
        receiver = far.call(lambda: Receiver("10.83.0.2"))
        agent = Agent(build, directory, receiver, per_tick=100, timeout=f"{timeout}s",
                      retry=f"{{ base: 100ms, cap: {cap}s }}")
        agent.prefix = near.prefix
        agents.append(agent)
        agent.start(prefix=agent.prefix)
        findings.expect(eventually(lambda: receiver.last > 300, 20), "points arrive at first")
        neighbours("02:00:00:00:83:99", "02:00:00:00:83:98")
        time.sleep(1)
        before = receiver.last
        time.sleep(span)
        findings.expect(receiver.last == before, "nothing arrives meanwhile")
        sink = agent.status()["sinks"][0]
        findings.note(f"{span} s without a packet, state {sink.get('state')}, "
                      f"{agent.status()['sources'][0]['missed']} ticks missed")
        neighbours(ends[1][2], ends[0][2])
        began = time.monotonic()
        eventually(lambda: receiver.last > before, 60)
        seconds = time.monotonic() - began
        findings.expect(seconds < cap + timeout + 1, f"it took {seconds:.1f} s to deliver again")
        findings.note(f"delivers {seconds:.1f} s after the first packet could pass (cap {cap} s, timeout {timeout} s)")
        settle(agent, receiver, findings)
    return findings.result()


CASES = {"name-server-fails": name_server_fails, "name-moves": name_moves,
         "name-moves-quietly": name_moves_quietly, "packets-dropped": packets_dropped}
