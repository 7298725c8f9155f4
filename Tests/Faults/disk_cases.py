"""Disks that are full, broken, slow, read-only or gone."""

import json
import os
import re
import shutil
import signal
import subprocess
import time

from agent import Agent, eventually
from delivery_cases import end, settle
from receiver import Receiver
from report import Findings, Skipped


class SmallDisk:
    """A tmpfs of its own, unmounted at the end."""

    def __init__(self, directory, size):
        self.path = os.path.join(directory, "disk")
        os.makedirs(self.path)
        done = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size},mode=0755", "tmpfs", self.path],
                              capture_output=True, text=True)
        if done.returncode != 0:
            raise Skipped(f"a tmpfs cannot be mounted: {done.stderr.strip()}")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        subprocess.run(["umount", "-l", self.path], check=True)

    def fill(self):
        """Takes the room that is left; gives it back with `free`."""
        with open(os.path.join(self.path, "ballast"), "wb", buffering=0) as file:
            try:
                while True:
                    file.write(bytes(4096))
            except OSError:
                return

    def free(self):
        os.unlink(os.path.join(self.path, "ballast"))


def full_disk(build, directory, agents, quick):
    """A disk of 6 MiB with a bound of 64 MiB: full by the spool, then by somebody else, then freed."""
    receiver, findings = Receiver(), Findings()
    with SmallDisk(directory, "6m") as disk:
        agent = Agent(build, directory, receiver, state=os.path.join(disk.path, "state"), per_tick=5000,
                      per_commit=1000, spool="max_bytes: 64MiB, min_free: 0")
        agents.append(agent)
        os.makedirs(agent.state)
        agent.write_identity()
        receiver.down()
        agent.start()
        findings.expect(eventually(lambda: agent.losses().get("spool_overflow", 0) > 0, 60), "nothing overflowed")
        disk.fill()
        cpu, began = agent.cpu(), time.monotonic()
        time.sleep(3)
        findings.note(f"CPU while full {100 * (agent.cpu() - cpu) / (time.monotonic() - began):.0f} %")
        findings.expect(agent.is_alive, "the agent lives on a full disk")
        disk.free()
        receiver.up()
        findings.expect(eventually(lambda: receiver.last > 0, 40), "nothing drains")
        eventually(lambda: receiver.last >= agent.acknowledged() - 100_000, 40)
        settle(agent, receiver, findings, may_lose=True)
    return findings.result()


class KernelAgent(Agent):
    """An agent that reads the kernel's counters, which keep no position."""

    def sources(self):
        return "  - { id: kernel, plugin: procnet, level: all, tables: [dev], interval: 200ms }\n"


def full_disk_polled(build, directory, agents, quick):
    """A full disk under a source that keeps no position, with a receiver that is well: it is read on time and delivered."""
    receiver, findings = Receiver(), Findings()
    with SmallDisk(directory, "2m") as disk:
        agent = KernelAgent(build, directory, receiver, state=os.path.join(disk.path, "state"),
                            spool="max_bytes: 64MiB")
        agents.append(agent)
        os.makedirs(agent.state)
        agent.write_identity()
        disk.fill()
        agent.start()
        findings.expect(eventually(lambda: agent.status() is not None), "it does not start")
        time.sleep(1)
        source, began = agent.status()["sources"][0], time.monotonic()
        time.sleep(4 if quick else 15)
        after, span = agent.status()["sources"][0], time.monotonic() - began
        ticks = after["collections"] - source["collections"]
        findings.note(f"{ticks} collections in {span:.1f} s, {after['missed'] - source['missed']} missed, "
                      f"state {after['state']}, {agent.losses()} lost")
        findings.expect(ticks >= span * 5 * 0.7, "it is read on time")
        findings.expect(after["state"] == "running" and "error" not in after, "the source is well")
        findings.expect(agent.losses() == {}, "nothing is lost")
        delivered = len(receiver.batches)
        findings.expect(delivered > 2, "a receiver that is well gets what is collected")
        findings.expect("SND-SPL006" in failures(agent), "status says that there is no room")
        disk.free()
        findings.expect(eventually(lambda: "SND-SPL006" not in failures(agent), 3), "it is over at once when there is room")
        findings.expect(eventually(lambda: len(receiver.batches) > delivered + 2, 40), "nothing arrives when there is room again")
        findings.expect(any(name.endswith(".seg") for name in os.listdir(os.path.join(agent.state, "spool"))),
                        "the log is on disk again")
    return findings.result()


def export_full_disk(build, directory, agents, quick):
    """An export to a full disk ends with an error, leaves the old file and nothing beside it."""
    receiver, findings = Receiver(), Findings()
    agent = KernelAgent(build, directory, receiver).start()
    agents.append(agent)
    with SmallDisk(directory, "1m") as disk:
        target = os.path.join(disk.path, "history.csv")
        with open(target, "w") as file:
            file.write("what was there")
        disk.fill()
        command = [os.path.join(build.binaries, "sonded"), "export", "--format", "csv", "--output", target,
                   "--socket", agent.socket]
        ended = eventually(lambda: subprocess.run(command, capture_output=True, text=True).returncode == 1, 30, every=0.5)
        findings.expect(ended, "it ends with 1")
        done = subprocess.run(command, capture_output=True, text=True)
        findings.expect("SND-HIS009" in done.stderr, f"it says why: {done.stderr}")
        findings.expect(sorted(os.listdir(disk.path)) == ["ballast", "history.csv"], "nothing is left beside the file")
        with open(target) as file:
            findings.expect(file.read() == "what was there", "the old file is as it was")
        findings.expect(agent.is_alive, "the agent lives")
        disk.free()
        done = subprocess.run(command, capture_output=True, text=True)
        findings.expect(done.returncode == 0, f"with room it ends with 0: {done.stderr}")
    agent.stop()
    return findings.result()


def traced(build, directory, agents, injections, seconds, check):
    """Runs an agent under strace, which makes system calls fail or wait."""
    if not shutil.which("strace"):
        raise Skipped("strace is not installed")
    receiver, findings = Receiver(), Findings()
    agent = Agent(build, directory, receiver, per_tick=100)
    agents.append(agent)
    calls = ",".join(sorted({injection.split(":")[0] for injection in injections}))
    trace = os.path.join(directory, "trace")
    command = ["strace", "-f", "-qq", "-o", trace, "-e", f"trace={calls}"]
    for injection in injections:
        command += ["-e", f"inject={injection}"]
    agent.start(prefix=command)
    if not eventually(lambda: agent.status() is not None or not agent.is_alive, 20) or not agent.is_alive:
        raise Skipped("strace cannot trace here: " + agent.text()[-200:])
    time.sleep(seconds)
    asked = time.monotonic()
    status = agent.status()
    if not status:
        raise AssertionError("no status within its limit")
    took = time.monotonic() - asked
    findings.note(f"status after {1000 * took:.0f} ms")
    findings.expect(took < 0.5, "status waits for no disk")
    injected = open(trace).read().count("(INJECTED)") + open(trace).read().count("(DELAYED)")
    findings.expect(injected > 0, "nothing was injected")
    findings.note(f"{injected} calls injected")
    findings.expect(agent.is_alive, "the agent lives")
    check(agent, status, findings)
    # strace passes no signal on: the agent itself is asked to stop.
    os.kill(status["agent"]["pid"], signal.SIGTERM)
    findings.expect(eventually(lambda: not agent.is_alive, 60), "the agent stops")
    if agent.is_alive:
        agent.kill()
    # What a broken disk has held up comes with the next start.
    agent.start()
    settle(agent, receiver, findings, may_lose=True)
    return findings.result()


def tells(agent, _, findings):
    """The log has a failure of the spool."""
    found = sorted(set(re.findall(r"SND-SPL\d+", agent.text())))
    findings.note(f"told: {' '.join(found) or 'nothing'}")
    findings.expect(bool(found), "the failure is told")


def sync_fails(build, directory, agents, quick):
    """fdatasync fails with EIO now and then."""
    return traced(build, directory, agents, ["fdatasync:error=EIO:when=4+7"], 6, tells)


def write_fails(build, directory, agents, quick):
    """pwrite fails with EIO now and then."""
    return traced(build, directory, agents, ["pwrite64:error=EIO:when=30+41"], 6, tells)


def no_space(build, directory, agents, quick):
    """pwrite says ENOSPC now and then."""
    return traced(build, directory, agents, ["pwrite64:error=ENOSPC:when=30+41"], 6, lambda *_: None)


def slow_sync(build, directory, agents, quick):
    """Every fdatasync takes 2 s: collections go on."""
    def check(_, status, findings):
        source = status["sources"][0]
        findings.note(f"{source['collections']} collections, {source['missed']} ticks missed")
        findings.expect(source["missed"] <= 3, "collections keep their times")
    return traced(build, directory, agents, ["fdatasync:delay_enter=2000000"], 12, check)


def write_hangs(build, directory, agents, quick):
    """A write takes 10 s: status is answered within 50 ms, and SIGTERM ends the agent within its grace time."""
    if not shutil.which("strace"):
        raise Skipped("strace is not installed")
    receiver, findings = Receiver(), Findings()
    agent = Agent(build, directory, receiver, per_tick=100, grace="5s")
    agents.append(agent)
    trace = os.path.join(directory, "trace")
    agent.start(prefix=["strace", "-f", "-qq", "-o", trace, "-e", "trace=pwrite64,fdatasync", "-e",
                        "inject=pwrite64,fdatasync:delay_enter=10000000:when=60+1"])
    if not eventually(lambda: agent.status() is not None or not agent.is_alive, 20) or not agent.is_alive:
        raise Skipped("strace cannot trace here: " + agent.text()[-200:])
    findings.expect(eventually(lambda: "(DELAYED)" in open(trace).read() or hangs(agent), 30), "a write hangs")
    slowest = 0.0
    for _ in range(40):
        asked = time.monotonic()
        status = agent.status()
        slowest = max(slowest, time.monotonic() - asked)
        findings.expect(status is not None, "status is answered")
        time.sleep(0.05)
    findings.note(f"slowest status {1000 * slowest:.1f} ms")
    findings.expect(slowest < 0.05, "status waits for no disk")
    began = time.monotonic()
    os.kill(status["agent"]["pid"], signal.SIGTERM)
    findings.expect(eventually(lambda: not os.path.exists(f"/proc/{status['agent']['pid']}/fd/0"), 30, every=0.02), "it ends")
    took = time.monotonic() - began
    findings.note(f"ended after {took:.2f} s")
    findings.expect(took < 5.2, "it ends within the grace time")
    return findings.result()


def failures(agent):
    """What status says of the spool, as text."""
    status = agent.status() or {}
    return json.dumps(status.get("spool"))


def disk_dies(build, directory, agents, quick):
    """Every write fails from some moment on: memory takes over, delivery goes on, the rest comes after a restart."""
    if not shutil.which("strace"):
        raise Skipped("strace is not installed")
    receiver, findings = Receiver(), Findings()
    agent = Agent(build, directory, receiver, per_tick=100)
    agents.append(agent)
    agent.start(prefix=["strace", "-f", "-qq", "-o", os.path.join(directory, "trace"), "-e", "trace=pwrite64,fdatasync",
                        "-e", "inject=pwrite64,fdatasync:error=EIO:when=200+1"])
    if not eventually(lambda: agent.status() is not None or not agent.is_alive, 20) or not agent.is_alive:
        raise Skipped("strace cannot trace here: " + agent.text()[-200:])
    findings.expect(eventually(lambda: "SND-SPL016" in agent.text(), 90, every=0.5), "memory takes over")
    before = len(receiver.batches)
    findings.expect(eventually(lambda: len(receiver.batches) > before + 5, 20), "delivery goes on")
    findings.note(f"ledger {agent.losses()}")
    os.kill(agent.status()["agent"]["pid"], signal.SIGTERM)
    findings.expect(eventually(lambda: not agent.is_alive, 30), "the agent stops")
    taken = agent.acknowledged()
    agent.options["per_tick"] = 1
    agent.start()
    findings.expect(eventually(lambda: absent(receiver, taken) == 0, 90, every=0.5), "what lay on the disk is delivered")
    findings.note(f"{absent(receiver, taken)} of {taken} are missing")
    end(agent, findings)
    # The order between the disk and the memory that took over is given up, and nothing else.
    flaws = [flaw for flaw in receiver.verdict().flaws if " after " not in flaw]
    findings.expect(not flaws, f"the oracle found {flaws[:1]}")
    return findings.result()


def absent(receiver, through):
    """How many of the numbers from 1 on have not arrived."""
    with receiver.lock:
        runs = sorted(run for batch in receiver.batches for run in batch.numbers)
    last = missing = 0
    for first, end_of_run in runs:
        missing += max(0, min(first, through + 1) - last - 1)
        last = max(last, min(end_of_run, through))
    return missing + max(0, through - last)


def hangs(agent):
    """Whether points have not come any further for a second."""
    before = agent.acknowledged()
    time.sleep(1)
    return agent.acknowledged() == before


def state_unusable(build, directory, agents, quick):
    """The state directory cannot be written: memory instead, said loudly."""
    receiver, findings = Receiver(), Findings()
    blocker = os.path.join(directory, "file")
    open(blocker, "w").close()
    agent = Agent(build, directory, receiver, state=os.path.join(blocker, "state"), per_tick=100).start()
    agents.append(agent)
    findings.expect(eventually(lambda: receiver.last > 300, 20), "points are delivered")
    findings.expect("in memory instead" in agent.text(), "the log says so")
    kind = ((agent.status() or {}).get("spool") or {}).get("kind")
    findings.expect(kind == "memory", f"status says {kind}")
    settle(agent, receiver, findings)
    return findings.result()


def read_only(build, directory, agents, quick):
    """The same on a file system that is mounted read-only."""
    receiver, findings = Receiver(), Findings()
    with SmallDisk(directory, "6m") as disk:
        subprocess.run(["mount", "-o", "remount,ro", disk.path], check=True)
        agent = Agent(build, directory, receiver, state=os.path.join(disk.path, "state"), per_tick=100).start()
        agents.append(agent)
        findings.expect(eventually(lambda: receiver.last > 300, 20), "points are delivered")
        findings.expect("in memory instead" in agent.text(), "the log says so")
        settle(agent, receiver, findings)
    return findings.result()


def two_agents(build, directory, agents, quick):
    """Two agents with one state directory: the second ends with 75; after kill -9 the lock is free."""
    receiver, findings = Receiver(), Findings()
    first = Agent(build, directory, receiver).start()
    # With a path it writes no identity of its own, which the first one might read.
    second = Agent(build, directory, receiver, name="second", state=first.state)
    second.ledger = os.path.join(directory, "second-ledger")
    agents += [first, second]
    findings.expect(eventually(lambda: first.acknowledged() > 0, 20), "the first one works")
    code = second.start().process.wait(20)
    findings.expect(code == 75, f"the second ended with {code}")
    findings.note(f"the second: exit {code}, names the holder: {str(first.process.pid) in second.text()}")
    first.kill()
    first.start()
    settle(first, receiver, findings)
    return findings.result()


def folder_removed(build, directory, agents, quick):
    """The spool's folder is removed while points wait: it is made again, the loss is told, delivery goes on."""
    receiver, findings = Receiver(), Findings()
    agent = Agent(build, directory, receiver, per_tick=100).start()
    agents.append(agent)
    eventually(lambda: receiver.last > 0)
    receiver.down()
    time.sleep(2)
    shutil.rmtree(os.path.join(agent.state, "spool"))
    time.sleep(4)
    findings.expect(os.path.isdir(os.path.join(agent.state, "spool")), "the folder is there again")
    receiver.up()
    eventually(lambda: receiver.last >= agent.acknowledged() - 500, 30)
    told = agent.losses()
    findings.note(f"ledger {told}, said: {' '.join(sorted(set(re.findall(r'SND-[A-Z]+[0-9]+', agent.text()))))}")
    settle(agent, receiver, findings, may_lose=True)
    return findings.result()


def lower_bound(build, directory, agents, quick):
    """A restart with a smaller bound trims the oldest and counts it."""
    receiver, findings = Receiver(), Findings()
    agent = Agent(build, directory, receiver, per_tick=50000, per_commit=5000, spool="max_bytes: 64MiB", grace="1s")
    agents.append(agent)
    receiver.down()
    agent.start()
    size = lambda: used(os.path.join(agent.state, "spool"))
    findings.expect(eventually(lambda: size() > 14 << 20, 90, 0.2), "the backlog grows")
    agent.stop()
    before = size()
    agent.options.update(spool="max_bytes: 4MiB", per_tick=100)
    agent.start()
    eventually(lambda: sum(agent.losses().values()) > 0, 20)
    time.sleep(2)
    after, told = size(), agent.losses()
    findings.expect(after <= 4 << 20, f"{after} bytes lie in the spool")
    findings.note(f"{before >> 10} KiB became {after >> 10} KiB, ledger {told}")
    receiver.up()
    eventually(lambda: receiver.last >= agent.acknowledged() - 500, 40)
    settle(agent, receiver, findings, may_lose=True)
    return findings.result()


def used(directory):
    """How many bytes the files of a directory hold; they may go while it looks."""
    total = 0
    for name in os.listdir(directory) if os.path.isdir(directory) else []:
        try:
            total += os.stat(os.path.join(directory, name)).st_size
        except OSError:
            continue
    return total


CASES = {"full-disk": full_disk, "full-disk-polled": full_disk_polled, "export-full-disk": export_full_disk,
         "sync-eio": sync_fails, "write-eio": write_fails, "write-enospc": no_space,
         "slow-sync": slow_sync, "write-hangs": write_hangs, "disk-dies": disk_dies, "state-unusable": state_unusable, "state-read-only": read_only,
         "two-agents": two_agents, "folder-removed": folder_removed, "lower-bound": lower_bound}
