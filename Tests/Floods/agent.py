"""An agent in a network namespace of its own, and what it and its descendants use."""
import json
import os
import re
import shutil
import subprocess
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SONDE = os.path.abspath(os.environ.get("SONDE") or os.path.join(ROOT, "dist/bin/sonde"))
# Processor time is averaged over so many seconds.
SPAN = 10
TICK = os.sysconf("SC_CLK_TCK")

CONFIGURATION = """version: 1
agent:
  interval: {interval}
  state_dir: {work}/state
  control_socket: {work}/s
  {limits}
sources:
  - {{ id: kernel, plugin: procnet, level: {level}{kernel} }}
  - {{ id: wire, plugin: pcap, interface: va, level: {level}{wire} }}
  - {{ id: resolver, plugin: dnslog, path: {work}/q.log, format: dnsmasq, level: {level}{resolver} }}
sinks:
  - {{ id: out, plugin: file, path: {work}/out.jsonl }}
"""


class Agent:
    """With procnet, pcap on one end of a pair of interfaces, and dnslog; a context that removes everything."""

    def __init__(self, interval="10s", limits="", level="all", kernel=", sockets: detail", wire="", resolver=""):
        self.namespace = f"sonde-floods-{os.getpid()}"
        self.work = tempfile.mkdtemp(prefix="sonde-floods-")
        self.log = os.path.join(self.work, "q.log")
        self.text = CONFIGURATION.format(work=self.work, interval=interval, limits=limits, level=level, kernel=kernel,
                                         wire=wire, resolver=resolver)
        self.process = self.usage = None

    def __enter__(self):
        subprocess.run(["ip", "netns", "add", self.namespace], check=True)
        for words in ("link set lo up", "link add va type veth peer name vb", "link set va up", "link set vb up"):
            subprocess.run(["ip", "-n", self.namespace, *words.split()], check=True)
        open(self.log, "w").close()
        configuration = os.path.join(self.work, "sonde.yaml")
        with open(configuration, "w") as file:
            file.write(self.text)
        with open(os.path.join(self.work, "err"), "w") as errors:
            self.process = subprocess.Popen(
                ["ip", "netns", "exec", self.namespace, SONDE, "run", "-c", configuration], stderr=errors,
                env={**os.environ, "SWIFT_BACKTRACE": "enable=no"})
        self.usage = Usage(self.process.pid)
        return self

    def __exit__(self, *_):
        self.process.terminate()
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
        subprocess.run(["ip", "netns", "delete", self.namespace])
        if os.environ.get("KEEP"):
            print(f"kept: {self.work}")
        else:
            shutil.rmtree(self.work, ignore_errors=True)

    def watch(self, seconds):
        """Looks at what is used once a second."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            time.sleep(1)
            self.usage.look()

    @property
    def status(self):
        answer = subprocess.run([SONDE, "status", "--socket", os.path.join(self.work, "s"), "--format", "json"],
                                capture_output=True, text=True)
        return json.loads(answer.stdout)

    @property
    def state_bytes(self):
        return sum(os.path.getsize(os.path.join(where, file))
                   for where, _, files in os.walk(f"{self.work}/state") for file in files)


class Usage:
    """What a process and its descendants use."""

    def __init__(self, pid):
        self.pid, self.looks = pid, []

    def look(self):
        parents, stats = {}, {}
        for name in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open(f"/proc/{name}/stat") as file:
                    fields = file.read().rpartition(")")[2].split()
                parents[int(name)] = int(fields[1])
                stats[int(name)] = sum(map(int, fields[11:15])) / TICK
            except (OSError, IndexError):
                pass
        family, more = {self.pid}, True
        while more:
            more = {p for p, parent in parents.items() if parent in family and p not in family}
            family |= more
        seconds = {p: stats[p] for p in family if p in stats}
        memory = 0
        for process in seconds:
            try:
                with open(f"/proc/{process}/status") as file:
                    memory += sum(int(n) for n in re.findall(r"Rss(?:Anon|Shmem):\s+(\d+)", file.read())) << 10
            except OSError:
                pass
        self.looks.append((time.monotonic(), sum(seconds.values()), memory))

    def shares(self, since):
        """Time, share of a processor over the last seconds, and memory, of each look."""
        looks = [each for each in self.looks if each[0] >= since - SPAN]
        found = []
        for now, seconds, memory in looks:
            before = next(each for each in looks if now - each[0] <= SPAN)
            if now >= since and now > before[0]:
                found.append((now, max(0, seconds - before[1]) / max(now - before[0], SPAN), memory))
        return found

    def mean(self, since):
        """The share of a processor and the highest memory since then."""
        looks = [each for each in self.looks if each[0] >= since]
        return (looks[-1][1] - looks[0][1]) / (looks[-1][0] - looks[0][0]), max(memory for _, _, memory in looks)
