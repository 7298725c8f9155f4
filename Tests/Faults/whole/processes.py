"""What the processes of the house take: resident memory by minutes, and open descriptors by kind."""

import collections
import os
import statistics
import subprocess
import threading
import time

from agent import family

# For so many minutes memory may grow: everything has to have happened once.
WARM_UP = 20
# So many more are needed to tell a slope from chance.
JUDGED = 40
# The most in MiB an hour that memory may grow then.
SLOPE = 1.0
# When descriptors are counted that are compared with those at the end.
FIRST_COUNT = 5 * 60


def kind(link):
    """What a descriptor is open for, without numbers."""
    return link.partition(":")[0] if link.startswith(("socket:", "pipe:")) else "file" if link.startswith("/") else link


def descriptors(pid):
    """How many of each kind a process has open."""
    found, folder = collections.Counter(), f"/proc/{pid}/fd"
    for name in os.listdir(folder):
        try:
            found[kind(os.readlink(os.path.join(folder, name)))] += 1
        except OSError:
            continue
    return found


def fewest(pid, seconds):
    """The smallest count of some seconds: connections of the moment are not meant."""
    counts = []
    for _ in range(seconds):
        counts.append(descriptors(pid))
        time.sleep(1)
    return min(counts, key=lambda count: count.total())


def role(pid):
    """Which part of Sonde a child of the agent is; None: a program of others."""
    try:
        with open(f"/proc/{pid}/cmdline", "rb") as file:
            words = file.read().decode(errors="replace").split("\0")
    except OSError:
        return None
    if os.path.basename(words[0]) == "sonde-supervisor":
        return "supervisors"
    return f"child {words[words.index('plugin-child') + 2]}" if "plugin-child" in words else None


def resident(pid):
    """MiB; None: it has ended."""
    try:
        with open(f"/proc/{pid}/status") as file:
            return next(int(line.split()[1]) for line in file if line.startswith("VmRSS")) / 1024
    except (OSError, StopIteration):
        return None


class Processes:
    """Samples memory once a second: of the agent, its supervisors together, each child, and the server of the page."""

    def __init__(self, agent, page):
        self.agent, self.page, self.began = agent, page, time.monotonic()
        # By role and minute.
        self.samples = collections.defaultdict(lambda: collections.defaultdict(list))
        self.first_count, self.stopped = {}, threading.Event()
        self.thread = threading.Thread(target=self._run, daemon=True)
        self.thread.start()

    def _run(self):
        while not self.stopped.wait(1):
            minute, sizes = int((time.monotonic() - self.began) / 60), collections.Counter()
            for pid in family(self.agent)[1:]:
                sizes[role(pid)] += resident(pid) or 0
            sizes["agent"], sizes["web"] = resident(self.agent) or 0, resident(self.page) or 0
            for name, size in sizes.items():
                if name and size:
                    self.samples[name][minute].append(size)
            if not self.first_count and time.monotonic() - self.began > FIRST_COUNT:
                self.first_count = {name: fewest(pid, 20) for name, pid in (("agent", self.agent), ("web", self.page))}

    def stop(self):
        self.stopped.set()
        self.thread.join()

    def judge_memory(self, findings):
        for name, minutes in sorted(self.samples.items()):
            medians = [statistics.median(values) for _, values in sorted(minutes.items())]
            late = medians[WARM_UP:]
            steps = " ".join(f"{value:.1f}" for value in medians[::max(1, len(medians) // 12)])
            if len(late) < JUDGED:
                findings.note(f"resident MiB of {name} {steps} (too short a run to judge its slope)")
                continue
            slope = 60 * statistics.linear_regression(range(len(late)), late).slope
            findings.note(f"resident MiB of {name} {steps}, {slope:+.2f} an hour after {WARM_UP} min")
            findings.expect(slope < SLOPE, f"resident memory of {name} grows by {slope:.2f} MiB an hour")

    def judge_descriptors(self, findings, name, explained):
        """`explained`: how many of a kind may be more, because they come and go."""
        if name not in self.first_count:
            findings.note("too short a run to judge descriptors")
            return
        first, last = self.first_count[name], fewest(self.agent if name == "agent" else self.page, 5)
        changes = {kind: last[kind] - first[kind] for kind in first | last if last[kind] != first[kind]}
        findings.note(f"{name}: {first.total()} descriptors after five minutes, {last.total()} at the end, changes {changes or 'none'}")
        for kind, change in changes.items():
            findings.expect(change <= explained.get(kind, 0), f"{name} has {change} more descriptors of the kind {kind}")


def within(namespace):
    """The processes in a network namespace, with their commands."""
    told = subprocess.run(["ip", "netns", "pids", namespace], capture_output=True, text=True, check=True)
    found = {}
    for pid in map(int, told.stdout.split()):
        try:
            with open(f"/proc/{pid}/cmdline", "rb") as file:
                found[pid] = file.read().replace(b"\0", b" ").decode(errors="replace")[:200]
        except OSError:
            continue
    return found
