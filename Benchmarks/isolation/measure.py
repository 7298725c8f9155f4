"""What a collection costs in the agent's process and in a process of its own, and whether instances keep their schedule
beside others that crash, hang and flood. See run.sh."""
import argparse
import collections
import json
import os
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time

# Fails above: µs of a collection that does nothing, ms of a commit of 10,000 samples, MB of an idle child, ms off a phase.
BOUNDS = {"in_process": (20, 1), "process": (80, 2)}
MOST_ANONYMOUS = 1.5
MOST_LATE = 10
SOURCES = 20
INTERVAL = 0.1


class Agent:
    """A staged agent with sources of the plugin `load`."""

    def __init__(self, arguments, folder, sources, interval, sink="metrics: { exclude: ['*'] }"):
        self.out = f"{folder}/out.jsonl"
        if os.path.exists(self.out):
            os.remove(self.out)
        path = f"{folder}/sonde.yaml"
        with open(path, "w") as file:
            file.write(f"version: 1\nagent: {{ interval: {interval}, plugin_dirs: [{folder}], state_dir: {folder}/state, "
                       "spool: { sync: none } }\nsources:\n" + "".join(sources) + "sinks:\n"
                       f"  - {{ id: out, plugin: file, path: {self.out}, {sink} }}\n")
        self.log = open(f"{folder}/agent.log", "w")
        self.process = subprocess.Popen([f"{arguments.dist}/bin/sonded", "run", "--config", path], stderr=self.log)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(30)
        shutil.rmtree(os.path.dirname(self.out) + "/state", ignore_errors=True)

    def points(self, name):
        for line in open(self.out):
            point = json.loads(line)
            if point["name"] == name:
                yield point


def descendants(process):
    """A process and all below it."""
    found = [process]
    for thread in os.listdir(f"/proc/{process}/task"):
        for child in open(f"/proc/{process}/task/{thread}/children").read().split():
            found += descendants(int(child))
    return found


def processor_time(processes):
    """Nanoseconds that all threads have run (sched-stats.rst)."""
    return sum(int(open(f"/proc/{process}/task/{thread}/schedstat").read().split()[0])
               for process in processes for thread in os.listdir(f"/proc/{process}/task"))


def anonymous(process):
    lines = open(f"/proc/{process}/smaps_rollup").read().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("Anonymous:")) / 1024


def collection_cost(arguments, folder, isolation, seconds):
    """µs of a collection in all processes together, the agent's idle work taken off; MB of an idle child."""
    source = "  - {{ id: s{0}, plugin: load, isolation: {1}, interval: {2} }}\n"
    costs, memory = [], None
    for interval in ("1h", f"{int(INTERVAL * 1000)}ms"):
        sources = [source.format(number, isolation, interval) for number in range(SOURCES)]
        with Agent(arguments, folder, sources, "1h") as agent:
            time.sleep(6)
            processes = descendants(agent.process.pid)
            before = processor_time(processes)
            time.sleep(seconds)
            costs.append(processor_time(processes) - before)
            if isolation == "process" and memory is None:
                memory = statistics.median(anonymous(each) for each in processes[1:]
                                           if b"plugin-child" in open(f"/proc/{each}/cmdline", "rb").read()
                                           and b"supervisor" not in open(f"/proc/{each}/cmdline", "rb").read().split(b"\0")[0])
    return (costs[1] - costs[0]) / 1000 / (SOURCES * seconds / INTERVAL), memory


def commit_time(arguments, folder, isolation):
    """The median of ms that a commit of 10,000 samples takes."""
    sources = [f"  - {{ id: many, plugin: load, isolation: {isolation}, samples: 10000, interval: 500ms }}\n"]
    with Agent(arguments, folder, sources, "1h", "metrics: { include: [bench.commit] }") as agent:
        time.sleep(15)
        # In seconds, the base unit.
        times = [point["value"] * 1000 for point in agent.points("bench.commit")]
    return statistics.median(times[2:])


def lateness(arguments, folder, count, seconds):
    """How many ms off their phase well-behaved instances were called while ten others misbehave: 99.9th percentile, most."""
    deeds = ["crash", "hang", "flood"]
    sources = [f"  - {{ id: s{number}, plugin: load, isolation: process, begins: true, labels: {{ own: s{number} }} }}\n"
               for number in range(count - 10)]
    sources += [f"  - {{ id: bad{number}, plugin: load, isolation: process, deed: {deeds[number % 3]} }}\n" for number in range(10)]
    began = collections.defaultdict(list)
    with Agent(arguments, folder, sources, "1s", "metrics: { include: [bench.began] }") as agent:
        time.sleep(seconds + 20)
        for point in agent.points("bench.began"):
            began[point["labels"]["own"]].append(point["value"])
    off = []
    for times in began.values():
        times = times[len(times) - seconds + 2:]
        # Within the interval of a second, around the first; the earliest is the phase: nothing is called before it is due.
        phases = [(each - times[0] + 0.5) % 1 - 0.5 for each in times]
        off += [(each - min(phases)) * 1000 for each in phases]
    off.sort()
    return len(began), off[int(len(off) * 0.999)], off[-1]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--dist", required=True)
    parser.add_argument("--folder", required=True)
    parser.add_argument("--seconds", type=int, default=20)
    parser.add_argument("--instances", type=int, default=200)
    arguments = parser.parse_args()
    failed = False

    def say(text, value, bound):
        nonlocal failed
        failed |= value > bound
        print(f"  {text}{'' if value <= bound else f', above {bound}'}", flush=True)

    interval = str(int(INTERVAL * 1000))
    for isolation, (most, most_commit) in BOUNDS.items():
        wake = float(subprocess.check_output([f"{arguments.folder}/wake", interval, str(arguments.seconds)]))
        cost, memory = collection_cost(arguments, arguments.folder, isolation, arguments.seconds)
        print(f"{isolation}: a bare wake-up by poll takes {wake:.0f} µs")
        say(f"a collection of nothing {cost:.0f} µs, {cost - wake:.0f} above the wake-up", cost - wake, most)
        commit = commit_time(arguments, arguments.folder, isolation)
        say(f"a commit of 10,000 samples {commit:.2f} ms", commit, most_commit)
        if memory is not None:
            say(f"an idle child has {memory:.2f} MB of anonymous memory", memory, MOST_ANONYMOUS)
    count, nearly, most = lateness(arguments, arguments.folder, arguments.instances, arguments.seconds)
    print(f"{arguments.instances} instances, ten of which crash, hang and flood: {count} reported")
    say(f"off their phase by {nearly:.1f} ms (99.9 % of collections), at most {most:.1f}", nearly, MOST_LATE)
    sys.exit(failed)


main()
