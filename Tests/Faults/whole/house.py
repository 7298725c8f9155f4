"""One agent with every source and every sink, in a network namespace, and all that it watches and sends to."""

import os
import random
import subprocess
import sys
import threading
import time

from agent import Agent, end_with_parent, eventually
from disk_cases import SmallDisk
from traffic import Traffic
from namespace import inside, ip, without_ipv6
from receiver import Receiver

ADDRESS, CLIENT = "10.77.0.1", "10.77.0.2"
NAMES = "".join(f"n{number}.example A\n" for number in range(40)) + "none.example A\nother.org AAAA\n"


class WholeAgent(Agent):
    """`sonded run` with packets, the kernel's counters, a resolver's log and numbers; HTTP, file and standard output."""

    def __init__(self, build, house, receiver):
        self.house, self.output = house, os.path.join(house.outputs.path, "out.jsonl")
        self.lines = os.path.join(house.directory, "stdout.jsonl")
        super().__init__(build, house.directory, receiver, state=os.path.join(house.disk.path, "state"),
                         interval="1s", per_tick=50, timeout="3s", grace="10s", retry="{ base: 200ms, cap: 5s }")
        self.write_identity()

    def sources(self):
        return (super().sources()
                + "  - { id: kernel, plugin: procnet, level: all }\n"
                + "  - { id: wire, plugin: pcap, level: all, interface: up0, buffer_size: 2MiB, flow_table: 1MiB }\n"
                + "  - { id: noise, plugin: pcap, level: all, interfaces: [va, vc], buffer_size: 1MiB, flow_table: 1MiB, "
                + "labels: { part: noise } }\n"
                + f"  - {{ id: resolver, plugin: dnslog, level: all, path: {self.house.resolver.log}, format: dnsmasq, "
                + "start: beginning }\n")

    def configuration(self):
        out = "metrics: { exclude: [fault.number] }"
        return (super().configuration()
                + f"  - {{ id: out, plugin: file, path: {self.output}, {out} }}\n"
                + "  - { id: lines, plugin: stdout, format: json, metrics: { include: [system.network.io] } }\n")

    def start(self, prefix=(), environment=None):
        """As any agent; what the sink writes to standard output goes to a file of its own."""
        return super().start(["sh", "-c", f'exec "$@" >>{self.lines}', "agent", *prefix], environment)


class Resolver:
    """dnsmasq in the agent's namespace; its old logs are kept to be counted."""

    def __init__(self, directory, prefix):
        self.log, self.prefix, self.rotations = os.path.join(directory, "dns/q.log"), prefix, 0
        os.makedirs(os.path.dirname(self.log), mode=0o755)
        self.file = os.path.join(directory, "dnsmasq.conf")
        with open(self.file, "w") as file:
            file.write(f"port=53\nlisten-address={ADDRESS}\nbind-interfaces\nno-resolv\nno-hosts\nuser=root\n"
                       f"pid-file={directory}/dnsmasq.pid\nlog-queries=extra\nlog-facility={self.log}\n"
                       "local=/example/\n"
                       + "".join(f"host-record=n{number}.example,192.0.2.{number + 1}\n" for number in range(40)))
        self.process = None

    def start(self):
        self.process = subprocess.Popen([*self.prefix, "dnsmasq", "--keep-in-foreground", f"--conf-file={self.file}"],
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                        preexec_fn=end_with_parent)

    def kill(self):
        if self.process:
            self.process.kill()
            self.process.wait()

    def rotate(self):
        self.rotations += 1
        os.rename(self.log, f"{self.log}.{self.rotations}")
        self.process.send_signal(12)

    def queries(self):
        """How many queries stand in all of its logs."""
        folder, found = os.path.dirname(self.log), 0
        for name in os.listdir(folder):
            with open(os.path.join(folder, name), "rb") as file:
                found += sum(1 for line in file if b" query[" in line)
        return found


class Asking:
    """dnsperf in the far namespace, started anew when it ends."""

    def __init__(self, directory, namespace, rate):
        self.path, self.namespace, self.rate = os.path.join(directory, "names"), namespace, rate
        with open(self.path, "w") as file:
            file.write(NAMES)
        self.stopped, self.process = threading.Event(), None
        self.thread = threading.Thread(target=self._run, daemon=True)
        self.thread.start()

    def _run(self):
        while not self.stopped.is_set():
            self.process = subprocess.Popen(
                ["ip", "netns", "exec", self.namespace, "dnsperf", "-s", ADDRESS, "-d", self.path, "-l", "60", "-c", "4",
                 "-t", "2", "-Q", str(self.rate)],
                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, preexec_fn=end_with_parent)
            self.process.wait()
            self.stopped.wait(0.2)

    def stop(self):
        self.stopped.set()
        if self.process:
            self.process.kill()
        self.thread.join()


class House:
    """Two namespaces with three pairs of interfaces: one for questions, two for noise that faults are done to."""

    PAIRS = {"va": "wa", "vc": "wc"}

    def __init__(self, build, directory, findings, options):
        self.findings, self.directory = findings, directory
        self.random = random.Random(options.seed)
        self.near, self.far = (f"sonde-whole-{os.getpid()}-{side}" for side in ("near", "far"))
        self.disk = SmallDisk(self._folder("state"), "96m")
        self.outputs = SmallDisk(self._folder("outputs"), "512m")
        for name in (self.near, self.far):
            ip("netns", "add", name)
            without_ipv6(name)
            ip("-n", name, "link", "set", "lo", "up")
        self.pair("up0", "up1")
        ip("-n", self.near, "address", "add", f"{ADDRESS}/24", "dev", "up0")
        ip("-n", self.far, "address", "add", f"{CLIENT}/24", "dev", "up1")
        for near, far in self.PAIRS.items():
            self.pair(near, far)
        prefix = ["ip", "netns", "exec", self.near]
        self.resolver = Resolver(directory, prefix)
        self.resolver.start()
        self.receiver = self.inside(Receiver)
        self.agent = WholeAgent(build, self, self.receiver)
        self.clock = os.path.join(directory, "clock")
        with open(self.clock, "wb") as file:
            file.write(bytes(8))
        self.agent.start(prefix, {"LD_PRELOAD": build.clock, "FAULT_CLOCK": self.clock})
        if not eventually(lambda: self.agent.status() is not None, 30):
            raise OSError("the agent does not come up: " + self.agent.text()[-2000:])
        self.traffic = Traffic(lambda: self.far, list(self.PAIRS.values()), options.rate, options.seed, directory).start()
        self.asking = Asking(directory, self.far, options.queries)

    def _folder(self, name):
        path = os.path.join(self.directory, name)
        os.makedirs(path, mode=0o755)
        return path

    def pair(self, near, far):
        ip("-n", self.far, "link", "add", far, "type", "veth", "peer", "name", near)
        ip("-n", self.far, "link", "set", far, "up")
        ip("-n", self.far, "link", "set", near, "netns", self.near)
        ip("-n", self.near, "link", "set", near, "up")

    def link(self, *words):
        ip("-n", self.near, "link", *words)

    def inside(self, function):
        """Runs a function in the near namespace; sockets that it opens stay there."""
        return inside(self.near, function)

    def quiet(self):
        """Ends traffic and questions, so that what was sent can be compared with what was counted."""
        self.asking.stop()
        self.traffic.stop()
        time.sleep(3)

    def close(self):
        for end in (self.asking.stop, self.traffic.stop, self.resolver.kill):
            try:
                end()
            except Exception as error:
                print(f"  closing: {error}", file=sys.stderr)
        if self.agent.is_alive:
            self.agent.kill()
        for name in (self.near, self.far):
            subprocess.run(["ip", "netns", "del", name], stderr=subprocess.DEVNULL, check=False)
        for disk in (self.disk, self.outputs):
            disk.__exit__()
