"""Configurations that change while the agent runs, and what fails meanwhile."""

import os
import signal
import time

from agent import Agent, eventually
from delivery_cases import settle
from disk_cases import SmallDisk
from receiver import Receiver
from report import Findings


def reload_load(build, directory, agents, quick):
    """Source and sink change again and again under load, while the receiver is well, slow, refuses and hangs."""
    rounds = 5 if quick else 20
    receiver, findings = Receiver(), Findings()
    agent = Agent(build, directory, receiver, per_tick=200, per_commit=50, grace="1s", timeout="3s").start()
    agents.append(agent)
    findings.expect(eventually(lambda: receiver.last > 0), "nothing arrives at first")
    worst = 0
    for turn in range(rounds):
        receiver.mode = ["ok", "ok", 503, "hang"][turn % 4]
        receiver.delay = 0.04 * (turn % 2)
        agent.options["interval"] = ["110ms", "100ms"][turn % 2]
        agent.options["sink"] = f"    headers: {{ X-Turn: '{turn}' }}\n"
        # An attempt is under way, or waits after its failure.
        time.sleep(0.3)
        began = time.monotonic()
        answer = agent.reload() or {}
        worst = max(worst, time.monotonic() - began)
        findings.expect(answer.get("reload", {}).get("changed") == ["load", "web"], f"reload {turn}: {answer}")
        receiver.mode, before = "ok", receiver.last
        findings.expect(eventually(lambda: receiver.last > before, 20), f"nothing arrives after reload {turn}")
    findings.note(f"{rounds} reloads, the longest took {worst:.1f} s")
    receiver.delay = 0
    settle(agent, receiver, findings)
    findings.expect(receiver.verdict().within_lives <= rounds, "more than one batch came again after a reload")
    return findings.result()


def reload_wrong(build, directory, agents, quick):
    """A file that is broken, or cannot be read, changes nothing; nor does a storm of signals."""
    receiver, findings = Receiver(), Findings()
    agent = Agent(build, directory, receiver, per_tick=100).start()
    agents.append(agent)
    findings.expect(eventually(lambda: receiver.last > 0), "nothing arrives at first")
    threads = len(os.listdir(f"/proc/{agent.pid()}/task"))
    path = agent.write_configuration()
    with open(path) as file:
        good = file.read()
    for name, text in [("a tab", good + "\t- x"), ("nothing", ""), ("an unknown key", good + "bogus: 1\n"),
                       ("zero bytes", good + "\0" * 64), ("no sinks", good.split("sinks:")[0])]:
        with open(path, "w") as file:
            file.write(text)
        error = (agent.ask("reload") or {}).get("error", {})
        findings.expect(error.get("code") == "SND-RUN007", f"{name}: {error}")
        shown = (agent.status() or {}).get("agent", {}).get("errors", [])
        findings.expect([entry["code"] for entry in shown] == ["SND-RUN007"], f"{name} is in the status")
    os.unlink(path)
    findings.expect((agent.ask("reload") or {}).get("error", {}).get("code") == "SND-RUN007", "a missing file is refused")
    agent.write_configuration()
    for _ in range(300):
        os.kill(agent.process.pid, signal.SIGHUP)
        time.sleep(0.005)
    findings.expect(agent.is_alive, "the agent lives through 300 hang-ups")
    answer = agent.reload() or {}
    findings.expect(answer.get("reload", {}).get("kept") == ["load", "web"], f"the good file is taken: {answer}")
    findings.expect("errors" not in agent.status()["agent"], "the failure is over")
    findings.expect(len(os.listdir(f"/proc/{agent.pid()}/task")) == threads, "as many threads as before")
    settle(agent, receiver, findings)
    return findings.result()


def reload_full_disk(build, directory, agents, quick):
    """A reload while the disk of the log is full: the changed sink goes on with what waits."""
    receiver, findings = Receiver(), Findings()
    with SmallDisk(directory, "6m") as disk:
        agent = Agent(build, directory, receiver, state=os.path.join(disk.path, "state"), per_tick=500,
                      spool="max_bytes: 64MiB, min_free: 0")
        agents.append(agent)
        os.makedirs(agent.state)
        agent.write_identity()
        agent.start()
        findings.expect(eventually(lambda: receiver.last > 0), "nothing arrives at first")
        receiver.down()
        time.sleep(1)
        disk.fill()
        agent.options["sink"] = "    headers: { X-Turn: full }\n"
        answer = agent.reload() or {}
        findings.expect(answer.get("reload", {}).get("changed") == ["web"], f"it is taken: {answer}")
        receiver.up()
        before = receiver.last
        findings.expect(eventually(lambda: receiver.last > before, 40), "nothing drains after the reload")
        disk.free()
        settle(agent, receiver, findings, may_lose=True)
    return findings.result()


CASES = {"reload-load": reload_load, "reload-wrong": reload_wrong, "reload-full-disk": reload_full_disk}
