#!/usr/bin/python3
"""Hosts in namespaces send to one VictoriaMetrics while random faults befall them and it: afterwards every host's series are complete.

usage: outages.py    MINUTES=30; HOSTS=30; SEED=1; SONDE=PATH: another agent than dist/bin/sonde, SONDE_PLUGINS=FOLDER: its plugins; needs root

Complete: a series that a host reports with each collection has no gap but where the agent itself was stopped or killed. Ends with 1 where
one has, or where an agent ends or reports a loss, with 77 where something is not installed.
"""

import collections
import json
import os
import random
import signal
import statistics
import subprocess
import sys
import tempfile
import time

import hosts
import lab
from report import Skipped

MINUTES = float(os.environ.get("MINUTES", "30"))
HOSTS = int(os.environ.get("HOSTS", "30"))
SEED = int(os.environ.get("SEED", "1"))
INTERVAL = 10
# A collection may be late while both cores are busy.
SLACK = 5
# Seconds between faults, and how long one lasts at most.
PAUSE, LONGEST = (2, 12), 90
# Seconds that everything may take to arrive once all faults are over.
DRAIN = 300


class Member(hosts.Host):
    """A host whose agent knows when it was away."""

    def __init__(self, folder, number, urls):
        super().__init__(folder, number)
        self.urls, self.away, self.is_busy = urls, [], False

    def begin(self):
        self.start(self.urls)
        # A signal that comes before it handles signals would end it at once.
        if not lab.eventually(lambda: self.status() is not None, 60, 0.2):
            raise RuntimeError(f"{self.name}: the agent does not answer: {self.log()[-500:]}")

    def status(self):
        """What `sonde status` says, or nil."""
        sonde = lab.programs()[0][0]
        done = subprocess.run([*self.inside, sonde, "status", "--socket", self.path("sonde.sock"), "--format", "json"],
                              capture_output=True, text=True)
        try:
            return json.loads(done.stdout)
        except ValueError:
            return None

    def ends(self, number, seconds):
        """The agent ends by a signal, and starts again."""
        began = time.time()
        self.agent.send_signal(number)
        self.agent.wait(90)
        yield seconds
        self.begin()
        self.away.append((began, time.time()))

    def is_killed_for(self, seconds):
        yield from self.ends(signal.SIGKILL, seconds)

    def is_stopped_for(self, seconds):
        yield from self.ends(signal.SIGTERM, seconds)

    def hangs_for(self, seconds):
        """The agent gets no processor, as on a host that is suspended."""
        began = time.time()
        self.agent.send_signal(signal.SIGSTOP)
        yield min(seconds, 30)
        self.agent.send_signal(signal.SIGCONT)
        self.away.append((began, time.time()))

    def loses_its_network_for(self, seconds):
        self.loses_its_network()
        yield seconds
        self.is_repaired()

    def loses_its_disk_for(self, seconds):
        self.loses_its_disk()
        yield seconds
        self.is_repaired()

    def reloads(self, seconds):
        self.agent.send_signal(signal.SIGHUP)
        yield 1


class Store:
    """The centre, which has faults of its own."""

    name = "the centre"

    def __init__(self, folder):
        self.server, self.is_busy = lab.VictoriaMetrics(folder, listen="0.0.0.0"), False

    def is_stopped_for(self, seconds):
        """By SIGTERM: killed, it forgets some ten seconds of what it has acknowledged."""
        self.server.stop()
        yield min(seconds, 60)
        self.server.start()

    def hangs_for(self, seconds):
        """It accepts connections and answers nothing."""
        self.server.process.send_signal(signal.SIGSTOP)
        yield min(seconds, 40)
        self.server.process.send_signal(signal.SIGCONT)


HOST_FAULTS = (Member.is_killed_for, Member.is_stopped_for, Member.hangs_for, Member.loses_its_network_for, Member.loses_its_disk_for,
               Member.reloads)
CENTRE_FAULTS = (Store.is_stopped_for, Store.hangs_for)


class Faults:
    """Begins faults at random, several at once, and ends each in its time."""

    def __init__(self, store, fleet):
        self.store, self.fleet, self.dice = store, fleet, random.Random(SEED)
        self.pending, self.counts = [], collections.Counter()

    def begin(self):
        """A fault of the centre now and then, else of a host that has none."""
        target = self.store if self.dice.random() < 0.06 else self.dice.choice(self.fleet)
        if target.is_busy:
            return
        fault = self.dice.choice(CENTRE_FAULTS if target is self.store else HOST_FAULTS)
        target.is_busy = True
        course = fault(target, self.dice.uniform(2, LONGEST))
        self.counts[f"{'centre' if target is self.store else 'host'} {fault.__name__.removesuffix('_for').replace('_', ' ')}"] += 1
        self.pending.append((time.monotonic() + next(course), target, course))

    def end(self, *, all_of_them=False):
        """Ends what is due."""
        due = [each for each in self.pending if all_of_them or each[0] <= time.monotonic()]
        self.pending = [each for each in self.pending if each not in due]
        for _, target, course in due:
            next(course, None)
            target.is_busy = False

    def run(self, seconds):
        end, following = time.monotonic() + seconds, 0
        while time.monotonic() < end:
            if time.monotonic() >= following:
                self.begin()
                following = time.monotonic() + self.dice.uniform(*PAUSE)
            self.end()
            time.sleep(0.1)
        self.end(all_of_them=True)


def waiting(member):
    """How many samples wait in its spool; infinite where it does not say."""
    status = member.status()
    return sum(sink["queue"]["points"] for sink in status["sinks"]) if status else float("inf")


def losses(member):
    """What the agent has lost, but for what it missed while it was away; where it does not answer, that."""
    status = member.status()
    if status is None:
        return ["unknown: the agent does not answer"]
    return [loss for loss in status["losses"] if loss["reason"] != "agent_killed"]


def series(server, member):
    """The times of the samples of each series of a host, sorted, by labels."""
    server.get("/internal/force_flush")
    rows = server.now(f'{{instance="{member.name}"}}[{int(MINUTES) + 20}m]')
    return {json.dumps(row["metric"], sort_keys=True): [at for at, _ in row["values"]] for row in rows}


def is_excused(member, earlier, later):
    """Whether the agent was away for as long as the gap is, but for the collections at both ends."""
    away = sum(min(later, end) - max(earlier, begin) for begin, end in member.away if begin < later and end > earlier)
    return later - earlier <= away + 2 * (INTERVAL + SLACK)


def judge(server, member):
    """What is wrong with the series of a host, and how many were looked at, with how many samples."""
    looked = samples = repeated = 0
    problems = []
    for labels, times in series(server, member).items():
        steps = [later - earlier for earlier, later in zip(times, times[1:])]
        repeated += sum(step == 0 for step in steps)
        # Those that come once a minute, or only where something has happened, tell nothing of gaps.
        if len(steps) < 10 or not INTERVAL - 1 < statistics.median(steps) < INTERVAL + 1:
            continue
        looked, samples = looked + 1, samples + len(times)
        for earlier, later in zip(times, times[1:]):
            if later - earlier > INTERVAL + SLACK and not is_excused(member, earlier, later):
                problems.append(f"{member.name}: {later - earlier:.0f} s are missing from {time.strftime('%H:%M:%S', time.gmtime(earlier))} of {labels}")
    if looked < 50:
        problems.append(f"{member.name}: only {looked} series")
    return problems, looked, samples, repeated


def verdict(server, fleet):
    problems, totals = [], collections.Counter()
    if not lab.eventually(lambda: all(waiting(member) < 2_000 for member in fleet), DRAIN, 2):
        problems.append(f"samples wait still: {[(member.name, waiting(member)) for member in fleet if waiting(member) >= 2_000]}")
    # What a last collection brought, and the batch that waits for more.
    time.sleep(2 * INTERVAL)
    for member in fleet:
        found, looked, samples, repeated = judge(server, member)
        problems += found[:5]
        totals.update(series=looked, samples=samples, repeated=repeated, gaps=len(found))
        if member.agent.poll() is not None:
            problems.append(f"{member.name}: its agent has ended with {member.agent.returncode}: {member.log()[-500:]}")
        if losses(member):
            problems.append(f"{member.name}: lost {losses(member)}")
    print(f"{totals['series']} series of {len(fleet)} hosts, {totals['samples']} samples, {totals['repeated']} twice; {totals['gaps']} gaps "
          f"beyond the {sum(len(member.away) for member in fleet)} times that an agent was away")
    return problems


def play(folder, fleet):
    store = Store(os.path.join(folder, "victoria-metrics"))
    hosts.bridge()
    store.server.start()
    try:
        urls = {"centre": (f"http://{hosts.CENTRE}:{store.server.port}/api/v1/write", 1)}
        for number in range(1, HOSTS + 1):
            fleet.append(Member(folder, number, urls))
        for member in fleet:
            member.begin()
        print(f"{HOSTS} agents run", flush=True)
        faults = Faults(store, fleet)
        faults.run(MINUTES * 60)
        print("faults: " + ", ".join(f"{count} × {name}" for name, count in sorted(faults.counts.items())), flush=True)
        return verdict(store.server, fleet)
    finally:
        store.server.kill()


def main():
    try:
        lab.programs()
        lab.enter()
        with tempfile.TemporaryDirectory(prefix="sonde-outages-") as folder:
            fleet = []
            try:
                problems = play(folder, fleet)
            finally:
                for member in fleet:
                    member.stop()
    except Skipped as reason:
        print(f"skipped: {reason}", file=sys.stderr)
        sys.exit(77)
    for problem in problems:
        print(problem)
    print("every host's series are complete" if not problems else f"{len(problems)} problems")
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
