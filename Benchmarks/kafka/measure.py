"""Log on disk → a mock cluster of Kafka whose brokers die: samples per CPU second of the agent, and per second on its core (run.sh)."""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path[:0] = [os.path.join(ROOT, "Tests/Faults"), os.path.join(ROOT, "Benchmarks/throughput")]

from agent import eventually
from build import Build
from measure import LinesAgent, write_lines

BROKERS = 3


class MockCluster:
    """The fixture of the plugin's tests, on a core of its own; counts what arrives by the headers of the messages."""

    url = "kafka"

    def __init__(self, program):
        self.process = subprocess.Popen(["taskset", "-c", "1", program, str(BROKERS), "/"], text=True,
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.brokers = self.process.stdout.readline().strip().split(",")
        self.lock = threading.Lock()
        self.command("topic sonde 1")
        self.command("count sonde 1")

    def command(self, text):
        with self.lock:
            self.process.stdin.write(text + "\n")
            self.process.stdin.flush()
            lines = []
            while (line := self.process.stdout.readline().strip()) != "ok":
                if not line:
                    raise RuntimeError(f"the cluster has ended at '{text}'")
                lines.append(line)
            return lines

    def sums(self):
        words = self.command("sums")[0].split()
        return dict(zip(words[::2], map(int, words[1::2])))

    def cpu(self):
        with open(f"/proc/{self.process.pid}/stat") as file:
            fields = file.read().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def set(self, word, brokers=range(1, BROKERS + 1)):
        for broker in brokers:
            self.command(f"{word} {broker}")

    def end(self):
        self.process.stdin.close()
        self.process.wait()


class KafkaAgent(LinesAgent):
    """An agent that writes what it follows to a topic."""

    def __init__(self, build, directory, cluster, path, options):
        super().__init__(build, directory, cluster, path, 1000)
        self.kafka, self.choice = cluster, options

    def configuration(self):
        return (f"version: 1\nagent:\n  host: probe\n  control_socket: {self.socket}\n  state_dir: {self.state}\n"
                f"  spool: {{ max_bytes: 2GiB }}\nsources:\n{self.sources()}sinks:\n  - id: web\n    plugin: kafka\n"
                f"    brokers: [{', '.join(self.kafka.brokers)}]\n    topic: sonde\n    format: {self.choice.format}\n"
                f"    compression: {self.choice.compression}\n    connect_timeout: 1s\n    timeout: 5s\n"
                f"    batch: {{ samples: 20000, bytes: 4MiB, wait: 100ms }}\n    retry: {{ base: 20ms, cap: 200ms }}\n")


def kill_brokers(cluster, ends):
    """Each broker in turn, its partition moved first and the connection cut; then all of them at once."""
    turn = 0
    while not ends.wait(0.3):
        turn += 1
        victims = range(1, BROKERS + 1) if turn % 8 == 0 else [turn % BROKERS + 1]
        if len(victims) == 1:
            cluster.command(f"leader sonde 0 {(turn + 1) % BROKERS + 1}")
        cluster.set("down", victims)
        ends.wait(0.2)
        cluster.set("up", victims)


def measure(build, directory, options):
    os.makedirs(directory)
    path = os.path.join(directory, "lines")
    write_lines(path, options.lines, options.series)
    cluster = MockCluster(options.program)
    agent = KafkaAgent(build, os.path.join(directory, "agent"), cluster, path, options)
    cluster.set("down")
    agent.start(prefix=("taskset", "-c", "0"))

    def waiting():
        return ((agent.status() or {}).get("sinks") or [{}])[0].get("queue", {}).get("points", -1)

    if not eventually(lambda: waiting() >= options.lines or not agent.is_alive, 600, 0.2) or not agent.is_alive:
        print(agent.text())
        return False
    cluster.set("up")
    # What a lost broker is looked for takes is not the sink's work: the first message starts the clock.
    eventually(lambda: cluster.sums()["messages"] > 0, 30, 0.005)
    before = cluster.sums()["points"]
    began, cpu, other = time.monotonic(), agent.cpu(), cluster.cpu()
    ends = threading.Event()
    if not options.quiet:
        threading.Thread(target=kill_brokers, args=(cluster, ends), daemon=True).start()
    done = eventually(lambda: cluster.sums()["points"] >= options.lines or not agent.is_alive, 600, 0.05)
    wall, cpu, other = time.monotonic() - began, agent.cpu() - cpu, cluster.cpu() - other
    ends.set()
    time.sleep(0.5)
    cluster.set("up")
    now, most = agent.resident()
    code, _ = agent.stop()
    sums, lost = cluster.sums(), agent.lost_in_all()
    failures = len(re.findall(r"warning\[SND-KAF", agent.text()))
    cluster.end()
    good = done and sums["gaps"] == 0 and lost == 0 and code == 0
    count = options.lines - before
    print(f"{options.format} {options.compression}, {'quiet' if options.quiet else 'brokers die'}: {count} samples of "
          f"{options.series} series in {sums['messages']} messages, {sums['bytes'] / max(sums['points'], 1):.0f} bytes a sample "
          f"before packing; gaps {sums['gaps']}, repeated {sums['repeated']}, lost {lost}, warnings {failures}; "
          f"{cpu:.2f} CPU seconds of the agent ({count / cpu:,.0f} samples per CPU second) in {wall:.1f} s ({count / wall:,.0f} "
          f"a second), the cluster's own {other:.2f}; RSS {now:.1f} MiB, {most:.1f} at most{'' if good else '  FAILED'}", flush=True)
    return good


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", default=os.path.join(ROOT, ".build/release"), help="where sonded and the plugins are")
    parser.add_argument("--lines", type=int, default=5_000_000)
    parser.add_argument("--series", type=int, default=300)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--format", default="json")
    parser.add_argument("--compression", default="zstd")
    parser.add_argument("--quiet", action="store_true", help="no broker dies")
    options = parser.parse_args()
    base = tempfile.mkdtemp(prefix="sonde-kafka-")
    os.chmod(base, 0o755)
    try:
        build = Build(options.build, base)
        build.compile(os.path.join(ROOT, "Benchmarks/throughput/lines.c"))
        options.program = os.path.join(base, "cluster")
        subprocess.run(["cc", "-O2", "-o", options.program,
                        os.path.join(ROOT, "plugins/sinks/kafka/Tests/Fixtures/cluster.c"), "-lrdkafka", "-lpthread"], check=True)
        held = [measure(build, os.path.join(base, str(turn)), options) for turn in range(options.rounds)]
    finally:
        shutil.rmtree(base, ignore_errors=True)
    return 0 if all(held) else 1


if __name__ == "__main__":
    sys.exit(main())
